import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Alarm } from '#shared/operations/metadata/alarms.ts';
import type { Note } from '#shared/operations/metadata/notes.ts';
import { startLab, type Lab } from '../../helpers/lab/lab.ts';
import { hasPostgres } from '../../helpers/postgres/postgres.ts';
import { sharedPostgres } from '../../helpers/postgres/shared-postgres.ts';
import { dataOf } from '../world.ts';
import { openHookServer, type HookServer } from './hook-server.ts';

/* Three services over one database judge each rule once (docs/functions.md, "Firings"). */

const WAIT = { timeout: 60_000, interval: 50 };

describe.skipIf(!hasPostgres)('rules of three services', () => {
  let lab: Lab;
  let hooks: HookServer;

  beforeAll(async () => {
    lab = await startLab(await sharedPostgres(), 3);
    hooks = await openHookServer();
  });
  afterAll(async () => {
    await lab.stop();
    await hooks.close();
  });

  test('one alarm, one note and one key of the webhook, whichever service stores and whichever judges', async () => {
    const [first, second, third] = lab.services;
    if (!first || !second || !third) throw new TypeError('a lab has three services');
    const { id: project } = await dataOf(first, 'POST', '/_local/v1/projects', { name: 'Plant' });
    const made = await dataOf(first, 'POST', `/v2/projects/${project}/devices`, {
      name: 'Boiler',
      source: 'http',
    });
    const { device_id, device_token } = made['metadata'] as { device_id: string; device_token: string };
    await dataOf(second, 'PATCH', '/_local/v1/settings', { webhook_hosts: ['127.0.0.1'] });
    const condition = {
      when: { key: 't', above: 30 },
      acts: [{ do: 'webhook', url: hooks.url }, { do: 'note' }],
    };
    await dataOf(third, 'POST', `/_local/v1/projects/${project}/functions`, {
      device_id,
      name: 'Hot',
      type: 'rule',
      condition,
    });
    const store = async (service: typeof first, t: number) => {
      const raw = { type: 'application/json', bytes: JSON.stringify({ t }) };
      expect((await service.request('POST', '/integrations/http', { key: device_token, raw })).status).toBe(
        200,
      );
    };
    const alarms = async (service: typeof first) =>
      (await dataOf(service, 'GET', `/_local/v1/projects/${project}/alarms`)) as unknown as readonly Alarm[];
    await store(second, 31);
    await vi.waitFor(() => expect(hooks.said.map(({ event }) => event)).toEqual(['raised']), WAIT);
    expect(await alarms(third)).toHaveLength(1);
    // Whichever judges is gone now for sure: two of three are.
    await third.service.close();
    await first.service.close();
    await store(second, 20);
    await vi.waitFor(async () => {
      expect(hooks.said.at(-1)?.event).toBe('ended');
      const all = await alarms(second);
      expect(all.map(({ state, acts }) => [state, acts.every((act) => act.state === 'done')])).toEqual([
        ['ended', true],
      ]);
    }, WAIT);
    const notes = (await dataOf(
      second,
      'GET',
      `/_local/v1/projects/${project}/devices/${device_id}/notes`,
    )) as unknown as readonly Note[];
    expect(notes.map(({ text, end }) => [text, end !== null])).toEqual([['Hot', true]]);
    expect(new Set(hooks.said.map(({ key }) => key)).size).toBe(2);
  });
});
