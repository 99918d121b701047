import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createSystemClock } from '#core/base/system-clock.ts';
import { TOPICS, type Events, type Topic } from '#shared/domain/events.ts';
import { operationIds, operationOf } from '#shared/operations/index.ts';
import { PERMISSIONS } from '#shared/schema/schemas.ts';
import { WINDOW_PATH } from '#shared/bridge/wire.ts';
import { clockOf } from '../../helpers/clock.ts';
import { openRemoteWindow, type RemoteWindow } from '../../helpers/service/remote-window.ts';
import { runService, type HttpAnswer, type RunningService } from '../../helpers/service/running-service.ts';
import { createWorld, dataOf, RECORDS, type World } from '../world.ts';

/* docs/local-api.md, "Windows of other machines". */

let service: RunningService;
let world: World;
/** By how many µs the service's clock is ahead of the machine's. */
let ahead = 0;
const machine = createSystemClock();
beforeAll(async () => {
  service = await runService({}, { clock: clockOf(() => machine.now() + ahead) });
  world = await createWorld(service);
});
afterAll(() => service.stop());

/** How a service refuses a window. */
async function refusal(headers: Record<string, string>, of = service): Promise<[number, unknown]> {
  const url = of.service.base_url.replace(/^http/, 'ws') + WINDOW_PATH;
  const socket = new WebSocket(url, 'fieldbench', { headers });
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
  return [response.statusCode ?? 0, JSON.parse(await text(response))];
}

function listen(window: RemoteWindow): { topic: Topic; payload: Events[Topic] }[] {
  const heard: { topic: Topic; payload: Events[Topic] }[] = [];
  for (const topic of TOPICS) window.bridge.subscribe(topic, (payload) => heard.push({ topic, payload }));
  return heard;
}

const accessOf = async (key: string) =>
  (await service.request('GET', '/_local/v1/access', { key })).envelope.data as unknown as {
    permissions: string[];
    project_ids: string[] | null;
    operations: string[];
  };

/** A project changes, and a device stores something. */
async function makeNoise(project_id: string): Promise<HttpAnswer> {
  await service.request('PATCH', `/_local/v1/projects/${project_id}`, { body: { description: 'noise' } });
  return service.request('POST', '/integrations/http', { key: world.device_token, body: RECORDS });
}

describe('without a good key nobody gets in', () => {
  test.each([
    ['none', {}, 401],
    ['an unknown one', { authorization: `Bearer fb_${'0'.repeat(40)}` }, 401],
    ['one that is not a bearer', { authorization: 'Basic abc' }, 401],
  ])('%s', async (_name, headers, status) => {
    expect(await refusal(headers)).toEqual([
      status,
      {
        success: false,
        action: 'open window',
        status,
        message: expect.stringMatching(/\w.*\.$/),
        data: null,
      },
    ]);
  });

  test("a device's token", async () => {
    const [status] = await refusal({ authorization: `Bearer ${world.device_token}` });
    expect(status).toBe(401);
  });

  test('a page of elsewhere, even with a key', async () => {
    const authorization = `Bearer ${service.service.api_key}`;
    expect((await refusal({ authorization, origin: 'http://evil.example' }))[0]).toBe(403);
  });

  test('a service with --strict has no windows', async () => {
    const strict = await runService({ strict: true });
    try {
      const authorization = `Bearer ${strict.service.api_key}`;
      expect((await refusal({ authorization }, strict))[0]).toBe(404);
      const answer = await strict.request('GET', '/_local/v1/access');
      expect(answer.status).toBe(404);
    } finally {
      await strict.stop();
    }
  });
});

describe('a window has exactly the rights of its key', () => {
  test('one that may read reads, and changes nothing', async () => {
    const window = await openRemoteWindow(service.service, await world.issueKey(['read']));
    const { bridge } = window;
    expect((await bridge.call('projects.list', {})).data).toHaveLength(2);
    const { project_id, device_id } = world;
    expect((await bridge.call('devices.delete', { project_id, device_id })).status).toBe(403);
    expect((await bridge.call('projects.find', {})).status).toBe(403);
    expect((await bridge.call('status.get', {})).status).toBe(403);
    let columns = 0;
    const asked = { project_id, device_id, keys: ['temperature'] };
    expect((await bridge.stream('chart.columns', asked, () => void columns++)).status).toBe(200);
    expect(columns).toBe(1);
    await window.close();
  });

  test('what it may run is what access.get says, whatever the key', async () => {
    for (const permissions of [...PERMISSIONS.map((one) => [one]), PERMISSIONS]) {
      const key = await world.issueKey(permissions);
      const access = await accessOf(key);
      expect(access).toMatchObject({ permissions: [...permissions], project_ids: null });
      const wanted = operationIds.filter((id) =>
        operationOf(id).permissions.every((needed) => permissions.includes(needed)),
      );
      expect(access.operations).toEqual(wanted);
    }
  });

  test('a key of some projects is told so, and offered nothing of the whole account', async () => {
    const access = await accessOf(await world.issueKey(PERMISSIONS, [world.project_id]));
    expect(access.project_ids).toEqual([world.project_id]);
    const beyond = access.operations.filter((id) => operationOf(id as 'access.get').reach !== undefined);
    expect(beyond).toEqual([]);
    expect(access.operations).toContain('devices.update');
  });

  test('it hears of its own projects, and never of another or of another account', async () => {
    const theirs = await world.issueKey(PERMISSIONS, [world.other_project_id]);
    const [own, other, stranger] = await Promise.all([
      openRemoteWindow(service.service, await world.issueKey(['read'])),
      openRemoteWindow(service.service, theirs),
      openRemoteWindow(service.service, world.strangers_key),
    ]);
    const [heard, unheard, none] = [listen(own), listen(other), listen(stranger)];
    // Once this is answered the service has read the subscriptions.
    for (const { bridge } of [own, other, stranger]) await bridge.call('projects.list', {});
    await makeNoise(world.project_id);
    await expect
      .poll(() => heard.map(({ topic }) => topic))
      .toEqual(expect.arrayContaining(['projects.changed', 'records.stored']));
    for (const { bridge } of [other, stranger]) await bridge.call('projects.list', {});
    expect([...unheard, ...none].filter(({ topic }) => topic !== 'requests.seen')).toEqual([]);
    expect(JSON.stringify([other.posted, stranger.posted])).not.toContain(world.device_id);
    await Promise.all([own.close(), other.close(), stranger.close()]);
  });
});

describe('once its key has ended', () => {
  test('by being revoked, a window is closed and told why, and has heard nothing since', async () => {
    const { id, api_key } = await dataOf(service, 'POST', '/_local/v1/keys', {
      name: 'passing',
      permissions: PERMISSIONS,
    });
    const window = await openRemoteWindow(service.service, String(api_key));
    const heard = listen(window);
    await window.bridge.call('projects.list', {});
    await service.request('DELETE', `/_local/v1/keys/${id}`);
    heard.length = 0;
    await makeNoise(world.project_id);
    expect(await window.closed).toEqual({
      code: 1008,
      reason: 'The API key is unknown or was revoked.',
    });
    expect(heard).toEqual([]);
    expect((await refusal({ authorization: `Bearer ${String(api_key)}` }))[0]).toBe(401);
  });

  test('by expiring, too', async () => {
    const { api_key } = await dataOf(service, 'POST', '/_local/v1/keys', {
      name: 'brief',
      permissions: ['read'],
      expires_at: new Date(Date.now() + 600_000).toISOString(),
    });
    const window = await openRemoteWindow(service.service, String(api_key));
    ahead = 600_000_000;
    expect(await window.closed).toEqual({ code: 1008, reason: 'The API key has expired.' });
  });
});

test('a stop of the service ends its windows', async () => {
  const brief = await runService();
  const window = await openRemoteWindow(brief.service, brief.service.api_key);
  await brief.stop();
  expect((await window.closed).code).toBe(1001);
});
