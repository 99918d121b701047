import { afterAll, beforeAll, expect, test } from 'vitest';
import { NO_SETTINGS } from '#shared/operations/metadata/key-defaults.ts';
import type { SettingsOfKey } from '#shared/operations/metadata/key-settings.ts';
import { openWindow, runService, type RunningService } from '../../helpers/service/running-service.ts';
import { createWorld, dataOf, type World } from '../world.ts';

/* How keys are shown (docs/local-api.md, "Key settings"). */

let service: RunningService;
let world: World;
let project: string;
let device: string;

beforeAll(async () => {
  service = await runService();
  world = await createWorld(service);
  project = `/_local/v1/projects/${world.project_id}`;
  device = `${project}/devices/${world.device_id}`;
});
afterAll(() => service.stop());

const list = async (query = '') =>
  (await dataOf(service, 'GET', `${project}/key-settings${query}`)) as unknown as SettingsOfKey[];
const set = (body: object, at = device) => dataOf(service, 'PATCH', `${at}/key-settings`, body);

async function refused(body: object): Promise<string> {
  const { status, envelope } = await service.request('PATCH', `${device}/key-settings`, { body });
  expect(status, envelope.message).toBe(400);
  return envelope.message;
}

/** A device of the project with one record of these keys. */
async function make(name: string, record: object): Promise<string> {
  const made = await dataOf(service, 'POST', `/v2/projects/${world.project_id}/devices`, {
    name,
    source: 'http',
  });
  const { device_token } = made['metadata'] as { device_token: string };
  await service.request('POST', '/integrations/http', { key: device_token, body: record });
  return made.id;
}

test('a key keeps what is set, field by field, until nothing of it is left', async () => {
  expect(await list()).toEqual([]);
  expect(await set({ key: 'temperature', unit: '°C', decimals: 1, low: 18, high: 27 })).toEqual({
    changed: 1,
    before: [{ device_ids: [world.device_id], settings: NO_SETTINGS }],
  });
  const first = { ...NO_SETTINGS, unit: '°C', decimals: 1, low: 18, high: 27 };
  expect(await list()).toEqual([{ device_id: world.device_id, key: 'temperature', ...first }]);
  await set({
    key: 'temperature',
    shown_as: 'Supply',
    decimals: null,
    dash: 'dashed',
    axis: 'right',
    colour: 3,
  });
  await set({ key: 'temperature', longest_gap_s: 0.5 });
  expect(await list(`?device_id=${world.device_id}`)).toEqual([
    {
      device_id: world.device_id,
      key: 'temperature',
      shown_as: 'Supply',
      unit: '°C',
      decimals: null,
      colour: 3,
      dash: 'dashed',
      axis: 'right',
      low: 18,
      high: 27,
      longest_gap_s: 0.5,
    },
  ]);
  expect(await list('?device_id=nobody')).toEqual([]);
  await set({ key: 'temperature', ...NO_SETTINGS });
  expect(await list()).toEqual([]);
});

test('keys that differ in little are different keys, and a key may have settings before it has records', async () => {
  for (const key of ['a', 'A', 'a ', '__proto__', 'a/b', '\u202Egnp'])
    await set({ key, unit: key.slice(0, 16) });
  expect((await list()).map(({ key, unit }) => [key, unit])).toEqual(
    ['a', 'A', 'a ', '__proto__', 'a/b', '\u202Egnp'].map((key) => [key, key]),
  );
  for (const key of ['a', 'A', 'a ', '__proto__', 'a/b', '\u202Egnp']) await set({ key, unit: '' });
});

test('what a field does not take is refused in words, and changes nothing', async () => {
  expect(await refused({ unit: 'x' })).toContain('key is required: it must be a data key');
  expect(await refused({ key: 'a,b' })).toContain('key must be a data key');
  const key = 'temperature';
  expect(await refused({ key, unit: 'x'.repeat(17) })).toContain('unit must be text of at most 16');
  expect(await refused({ key, decimals: 10 })).toContain('decimals must be a whole number from 0 to 9');
  expect(await refused({ key, decimals: '1' })).toContain('decimals must be a whole number from 0 to 9');
  expect(await refused({ key, colour: 8 })).toContain('colour must be');
  expect(await refused({ key, dash: 'wavy' })).toContain('dash must be "solid", "dashed" or "dotted"');
  expect(await refused({ key, low: '1' })).toContain('low must be a number');
  expect(await refused({ key, longest_gap_s: 0 })).toContain('longest_gap_s must be');
  await set({ key, high: 5 });
  expect(await refused({ key, low: 6, unit: 'lost' })).toContain('low must not be above high, got 6 and 5');
  expect(await list()).toMatchObject([{ key, high: 5, low: null, unit: '' }]);
  await set({ key, high: null });
});

test('settings go to every device of the project that has the key, and to no other', async () => {
  const twin = await make('Twin', { temperature: 1, state: 'on' });
  const other = await make('Other', { pressure: 1 });
  const asked = { key: 'temperature', unit: 'K', apply_to: 'project' };
  expect(await set({ ...asked, dry_run: true })).toEqual({ changed: 2, before: null });
  expect(await list()).toEqual([]);
  expect(await set(asked)).toMatchObject({ changed: 2 });
  expect((await list()).map(({ device_id, unit }) => [device_id, unit])).toEqual([
    [world.device_id, 'K'],
    [twin, 'K'],
  ]);
  // The device that is named has no such key: it is set there all the same, since somebody asked for it.
  expect(await set({ ...asked, unit: '°C' }, `${project}/devices/${other}`)).toMatchObject({ changed: 3 });
  expect(await list()).toHaveLength(3);
});

test('windows hear of it, and a delete takes the settings along', async () => {
  const window = openWindow(service.service);
  const heard: string[] = [];
  window.bridge.subscribe('devices.changed', ({ device_id }) => heard.push(device_id));
  const gone = await make('Gone', { level: 1 });
  // Of another service it is heard a moment later.
  await expect.poll(() => heard).toContain(gone);
  heard.length = 0;
  await set({ key: 'level', unit: 'm' }, `${project}/devices/${gone}`);
  await expect.poll(() => heard).toContain(gone);
  expect(await list(`?device_id=${gone}`)).toHaveLength(1);
  await dataOf(service, 'DELETE', `/v2/projects/${world.project_id}/devices/${gone}`);
  expect(await list(`?device_id=${gone}`)).toEqual([]);
  window.close();
});

test('a device takes settings of as many keys as it may have', { timeout: 120_000 }, async () => {
  const many = await make('Many', { level: 1 });
  const at = `${project}/devices/${many}`;
  const place = { project_id: world.project_id, device_id: many };
  const keys = Array.from({ length: 4096 }, (_, n) => `k${n}`);
  for (let from = 0; from < keys.length; from += 256)
    await Promise.all(
      keys.slice(from, from + 256).map(async (key) => {
        const { status } = await service.bridge.call('key-settings.set', { ...place, key, unit: 'm' });
        expect(status).toBe(200);
      }),
    );
  const { status, envelope } = await service.request('PATCH', `${at}/key-settings`, {
    body: { key: 'one more', unit: 'm' },
  });
  expect([status, envelope.message]).toEqual([
    400,
    'a device holds settings of at most 4096 keys; clear some first',
  ]);
  await set({ key: 'k7', unit: '' }, at);
  await set({ key: 'one more', unit: 'm' }, at);
  expect(await list(`?device_id=${many}`)).toHaveLength(4096);
});
