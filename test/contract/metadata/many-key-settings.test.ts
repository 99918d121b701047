import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Backend } from '#core/backend/backend.ts';
import { openFolder, type FolderOptions } from '#core/folder/open-folder.ts';
import { expectQuick } from '../../fuzz/doors/turns.ts';
import { longestTurn } from '../../helpers/service/longest-turn.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { dataOf } from '../world.ts';

/* Settings of a key for every device of a large project (docs/local-api.md, "Key settings"): for all or for none. */

const MANY = 10_000;

let service: RunningService;
let backend: Backend;
let project: string;
let devices: readonly string[];

beforeAll(async () => {
  const open = async (options: FolderOptions) => (backend = await openFolder(options));
  service = await runService({}, { open });
  const { id } = await dataOf(service, 'POST', '/_local/v1/projects', { name: 'Many' });
  project = `/_local/v1/projects/${id}`;
  const wanted = Array.from({ length: MANY }, (_, n) => ({ name: `Sensor ${n}` }));
  const made = await dataOf(service, 'POST', `${project}/devices`, { devices: wanted });
  devices = (made as unknown as { id: string }[]).map((device) => device.id);
  const record = { timestamp: 0, received: 0, keys: ['level'], values: [1] };
  await Promise.all(devices.map((device) => backend.records.append(device, [record])));
}, 120_000);
afterAll(() => service.stop());

const set = (settings: object) =>
  service.request('PATCH', `${project}/devices/${devices[0]}/key-settings`, {
    body: { key: 'level', apply_to: 'project', ...settings },
  });
const settings = async () => {
  const rows = await backend.metadata.read((tables) => tables.list('key_settings'));
  return new Set(rows.map(({ unit, decimals, low }) => `${unit} ${decimals} ${low}`));
};

test(
  'all of ten thousand are set, by two at once, and nobody waits for long',
  { timeout: 120_000 },
  async () => {
    let round = 0;
    await expectQuick(async () => {
      round++;
      const both = Promise.all([set({ unit: `m${round}` }), set({ decimals: 2 })]);
      const longest = await longestTurn(both);
      for (const { envelope } of await both) {
        expect(envelope.data).toMatchObject({ changed: MANY });
        const { before } = envelope.data as unknown as { before: { device_ids: string[] }[] };
        expect(new Set(before.flatMap(({ device_ids }) => device_ids))).toEqual(new Set(devices));
      }
      expect(await settings()).toEqual(new Set([`m${round} 2 null`]));
      return longest;
    });
  },
);

test('where one of them is refused, none is changed', { timeout: 120_000 }, async () => {
  const last = devices.at(-1);
  const only = { key: 'level', high: 1 };
  const one = await service.request('PATCH', `${project}/devices/${last}/key-settings`, { body: only });
  expect(one.status).toBe(200);
  const before = await settings();
  const { status, envelope } = await set({ unit: 'cm', low: 5 });
  expect([status, envelope.message]).toEqual([400, 'low must not be above high, got 5 and 1']);
  expect(await settings()).toEqual(before);
});
