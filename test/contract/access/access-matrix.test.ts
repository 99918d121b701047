import { z } from 'zod';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { httpOperationIds, inV2, operationOf, type HttpId } from '#shared/operations/index.ts';
import { PERMISSIONS } from '#shared/schema/schemas.ts';
import { isRefused, SERVICES } from '../../helpers/postgres/database-of-tests.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { SETTABLE, createWorld, inputOf, send, without, type World } from '../world.ts';

/* Every operation against every caller that must not get through (docs/api.md, "Access"). */

let service: RunningService;
let world: World;
let asItWas: string;

beforeAll(async () => {
  service = await runService({ clock: SETTABLE });
  world = await createWorld(service);
  asItWas = await everythingThatIsThere();
});
afterAll(() => service.stop());

/** What a refused request could have changed. */
async function everythingThatIsThere(): Promise<string> {
  const ids = [
    'projects.list',
    'devices.list',
    'data.list',
    'functions.list',
    'widgets.list',
    'key-settings.list',
    'notes.list',
    'alarms.list',
    'corrections.list',
    'corrections.history',
    'views.list',
    'undo.list',
  ] as const;
  const answers = await Promise.all(ids.map((id) => send(service, id, inputOf(id, world))));
  return answers.map(({ text }) => text).join('\n');
}

/** What a caller who may use it is answered with. */
const statusOf = (id: HttpId) => (isRefused(id) ? 400 : operationOf(id).status);

describe.each(httpOperationIds)('%s', (id) => {
  const { permissions, reach, path } = operationOf(id);
  const namesProject = path.includes(':project_id') || id === 'simulators.create';
  const { input } = operationOf(id);
  const namesAccount =
    input instanceof z.ZodObject && 'account_id' in input.shape && !path.includes(':account_id');
  const namesOwned =
    namesProject ||
    [':key_id', ':view_id', ':undo_id', ':request_id', ':simulator_id', ':upload_id'].some((name) =>
      path.includes(name),
    );

  async function expectRefusal(key: string | null, expected: 401 | 403): Promise<void> {
    const { status: got, envelope } = await send(service, id, inputOf(id, world), key);
    expect(envelope).toEqual({
      success: false,
      action: operationOf(id).action,
      status: expected,
      message: expect.stringMatching(/\w.*\.$/),
      data: null,
    });
    expect(got).toBe(expected);
    expect(await everythingThatIsThere()).toBe(asItWas);
  }

  test('refuses a request without a key', () => expectRefusal(null, 401));
  test('refuses an unknown key', () => expectRefusal(`fb_${'0'.repeat(40)}`, 401));
  test("refuses a device's token", () => expectRefusal(world.device_token, 401));
  test.each(permissions)('refuses a key without "%s"', async (permission) =>
    expectRefusal(await world.issueKey(without(permission)), 403),
  );
  test.each(PERMISSIONS.filter((alone) => permissions.some((permission) => permission !== alone)))(
    'refuses a key of "%s" alone',
    async (alone) => expectRefusal(await world.issueKey([alone]), 403),
  );

  // Each service of a lab remembers the requests that it was sent itself, and has simulators of its own.
  if (namesOwned && (SERVICES === 1 || !/^(requests|simulators|uploads)\./.test(id)))
    test('refuses a key of another account', () => expectRefusal(world.strangers_key, 403));
  if (namesProject || reach !== undefined)
    test('refuses a key that is limited to another project', async () =>
      expectRefusal(await world.issueKey(PERMISSIONS, [world.other_project_id]), 403));

  if (reach === 'installation')
    test("refuses a further account's key", () => expectRefusal(world.strangers_key, 403));

  if (namesAccount)
    test("refuses a further account's key that names another account", async () => {
      const answers = [service.service.account_id, 'nowhere'].map((account_id) =>
        send(service, id, { ...inputOf(id, world), account_id }, world.strangers_key),
      );
      for (const { status: got, envelope } of await Promise.all(answers)) {
        expect(got).toBe(403);
        expect(envelope.message).toContain('account_id must be the account of this API key');
      }
      expect(await everythingThatIsThere()).toBe(asItWas);
    });

  if (!namesOwned && reach !== 'installation')
    test('shows a stranger nothing of this account', async () => {
      // Of its own requests it sees what it has asked for, wherever that is.
      const since = id === 'requests.list' && { since: new Date().toISOString() };
      const { status: got, text } = await send(
        service,
        id,
        { ...inputOf(id, world), ...since },
        world.strangers_key,
      );
      // A snapshot has its name in the account of the key that asks.
      expect(got).toBe(path.includes(':snapshot') && !isRefused(id) ? 404 : statusOf(id));
      for (const name of [world.project_id, service.service.account_id, service.directory])
        expect(text).not.toContain(name);
    });
});

describe('keys that may', () => {
  const readsNothing = httpOperationIds.filter(
    (id) =>
      !operationOf(id).permissions.some((permission) => permission === 'read' || permission === 'admin'),
  );
  test.each(readsNothing)('%s tells a key that may not read nothing of what is there', async (id) => {
    const own = await runService({ clock: SETTABLE });
    try {
      const ownWorld = await createWorld(own);
      const key = await ownWorld.issueKey(without('read').filter((each) => each !== 'admin'));
      const { status, text } = await send(own, id, inputOf(id, ownWorld), key);
      expect(status).toBe(statusOf(id));
      for (const fact of ['Boiler room', 'ESP32', 'temperature', '20.5', 'idle', 'Valve opened', 'Alarm'])
        expect(text).not.toContain(fact);
    } finally {
      await own.stop();
    }
  });

  test.each(httpOperationIds.filter(inV2))('%s is open to a key with just its permission', async (id) => {
    const own = await runService({ clock: SETTABLE });
    try {
      const ownWorld = await createWorld(own);
      const key = await ownWorld.issueKey(operationOf(id).permissions, [ownWorld.project_id]);
      const { status } = await send(own, id, inputOf(id, ownWorld), key);
      expect(status).toBe(operationOf(id).status);
    } finally {
      await own.stop();
    }
  });

  test('a key limited to a project lists that project alone', async () => {
    const key = await world.issueKey(['read'], [world.other_project_id]);
    const { envelope } = await service.request('GET', '/v2/projects', { key });
    expect((envelope.data as unknown as { id: string }[]).map(({ id }) => id)).toEqual([
      world.other_project_id,
    ]);
  });
});
