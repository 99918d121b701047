import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { carriedTables, leftOutBy } from '#core/store/metadata/world-contents.ts';
import { clockOf } from '../../helpers/clock.ts';
import { inDatabase } from '../../helpers/postgres/database-of-tests.ts';
import { openWindow, runService, type RunningService } from '../../helpers/service/running-service.ts';
import { everythingOf } from '../access/everything.ts';
import { createWorld, dataOf, RECORDS, type World } from '../world.ts';
import { backupOf, membersOf, refused, restored } from './backups.ts';

let now = Date.UTC(2026, 2, 3) * 1000;
const clock = clockOf(() => now);

let service: RunningService;
let world: World;
let device: string;
/** Another installation, with nothing in it. */
let other: RunningService;

const NOTHING = { new: 0, same: 0, differ: 0 };
const run = () => runService({ vault: 'file' }, { clock });

beforeEach(async () => {
  now = Date.UTC(2026, 2, 3) * 1000;
  [service, other] = [await run(), await run()];
  world = await createWorld(service);
  device = `/_local/v1/projects/${world.project_id}/devices/${world.device_id}`;
  await dataOf(service, 'PATCH', `${device}/key-settings`, { key: 'temperature', unit: '°C' });
  // So that there is history of it.
  await dataOf(service, 'PATCH', `${device}/corrections/${world.correction_id}`, { reason: 'window open' });
});
afterEach(async () => {
  await service.stop();
  await other.stop();
});

const backup = (of = '', from = service) => backupOf(from, of);

/** Tokens are not shown where the vault lacks them. */
const everything = async (of = service) =>
  JSON.parse(
    JSON.stringify(await everythingOf(of, world)).replaceAll(/"device_token":"[^"]*"/g, '"device_token":""'),
  ) as Record<string, object>;
const store = (at: RunningService, body: unknown) =>
  at.request('POST', '/integrations/http', { key: world.device_token, body });

describe.skipIf(inDatabase)('a backup', () => {
  test('brings everything to another installation, where devices go on as before', async () => {
    const before = await everything();
    const file = await backup();
    expect(await restored(other, file)).toEqual({
      projects: { ...NOTHING, new: 2 },
      devices: { ...NOTHING, new: 1 },
      records: { ...NOTHING, new: 3 },
      trails: { new: 1, same: 0 },
    });
    expect(await everything(other)).toEqual(before);
    now += 60_000_000;
    expect((await store(other, { timestamp: '2026-03-03T00:00:01Z', temperature: 23 })).status).toBe(200);
    expect(await dataOf(other, 'GET', `${device}/summary`)).toMatchObject({ records: 4 });
  });

  test('has rows of the tables that it says, each, and of no others', async () => {
    const text = (await membersOf(await backup())).get('metadata.ndjson')?.toString() ?? '';
    const tables = text.match(/(?<=^\{"table":")\w+/gm);
    expect([...new Set(tables)]).toEqual(carriedTables('backup'));
    const manifest = JSON.parse((await membersOf(await backup())).get('manifest.json')?.toString() ?? '') as {
      readonly left_out: readonly string[];
    };
    expect(manifest.left_out).toEqual(leftOutBy('backup').map(({ what, why }) => `${what}: ${why}`));
  });

  test('is the same again, and brings what went since', async () => {
    const before = await everything();
    const file = await backup();
    const same = {
      projects: { ...NOTHING, same: 2 },
      devices: { ...NOTHING, same: 1 },
      trails: { new: 0, same: 1 },
    };
    expect(await restored(service, file)).toEqual({ ...same, records: { ...NOTHING, same: 3 } });
    expect(await everything()).toEqual(before);
    await dataOf(service, 'DELETE', `${device}/records?start=2026-03-02T20:31:00Z&end=2026-03-02T20:31:59Z`);
    const found = { ...same, records: { ...NOTHING, new: 1, same: 2 } };
    expect(await restored(service, file, '?dry_run=true')).toEqual(found);
    expect(await dataOf(service, 'GET', `${device}/summary`)).toMatchObject({ records: 2 });
    expect(await restored(service, file)).toEqual(found);
    expect(await everything()).toEqual(before);
  });

  test('replaces only where that is asked for, and what went by that can be undone', async () => {
    const before = await everything();
    const file = await backup();
    await store(service, [
      { ...RECORDS[0], temperature: 99 },
      { timestamp: '2026-03-02T21:00:00Z', extra: 1 },
    ]);
    await dataOf(service, 'PATCH', device, { name: 'Renamed' });
    const after = await everything();
    const found = {
      projects: { ...NOTHING, same: 2 },
      devices: { ...NOTHING, differ: 1 },
      records: { ...NOTHING, same: 3, differ: 2 },
      trails: { new: 0, same: 1 },
    };
    expect(await restored(service, file)).toEqual(found);
    expect(await everything()).toEqual(after);
    expect(await restored(service, file, '?replace=true')).toEqual(found);
    const summary = `${device}/summary`;
    expect(await everything()).toEqual({
      ...before,
      // Somebody removed records: who asks hears of it.
      [summary]: { ...before[summary], purged_at: '2026-03-03T00:00:00.000000Z' },
    });
    const deletes = (await dataOf(service, 'GET', '/_local/v1/undo')) as unknown as {
      id: string;
      kind: string;
    }[];
    const undo = deletes.find(({ kind }) => kind === 'purge');
    await dataOf(service, 'POST', `/_local/v1/undo/${undo?.id}`, {});
    expect(await dataOf(service, 'GET', summary)).toMatchObject({ records: 8 });
  });

  test('tells windows of notes, corrections and settings of keys that come back', async () => {
    const file = await backup();
    await dataOf(service, 'DELETE', `${device}/notes/${world.note_id}`);
    await dataOf(service, 'DELETE', `${device}/corrections/${world.correction_id}`);
    await dataOf(service, 'PATCH', `${device}/key-settings`, { key: 'temperature', unit: '' });
    const window = openWindow(service.service);
    const heard = new Set<string>();
    const of = { device_id: world.device_id };
    for (const topic of ['notes.changed', 'corrections.changed', 'devices.changed'] as const)
      window.bridge.subscribe(topic, () => heard.add(topic), of);
    await restored(service, file, `?device_id=${world.device_id}`);
    await expect
      .poll(() => heard)
      .toEqual(new Set(['notes.changed', 'corrections.changed', 'devices.changed']));
    window.close();
  });

  test('that is damaged, cut off or none says so, and nothing of it is restored', async () => {
    const file = await backup();
    const empty = await dataOf(other, 'GET', '/_local/v1/status');
    const flipped = Buffer.from(file);
    const at = flipped.lastIndexOf('records.blocks') + 560;
    flipped[at] = flipped[at]! ^ 1;
    expect(await refused(other, flipped)).toMatch(/records\.blocks/);
    expect(await refused(other, file.subarray(0, file.length - 4096))).toMatch(/cut off|ends early/);
    for (const bytes of [0, 300, 512, 600, 1024])
      expect(await refused(other, file.subarray(0, bytes))).toMatch(/ends early|got nothing first/);
    expect(await refused(other, Buffer.from('timestamp,value\n'.repeat(100)))).toMatch(/tar file/);
    expect((await dataOf(other, 'GET', '/_local/v1/status'))['counts']).toEqual(empty['counts']);
    expect(await restored(other, file)).toMatchObject({ records: { new: 3 } });
  });

  test('of a device has that device alone, and one is taken from a larger one', async () => {
    const of = `?device_id=${world.device_id}`;
    await dataOf(service, 'POST', `/v2/projects/${world.other_project_id}/devices`, {
      name: 'Roof',
      source: 'mqtt',
    });
    const one = await backup(of);
    expect(await restored(other, one)).toEqual({
      projects: { ...NOTHING, new: 1 },
      devices: { ...NOTHING, new: 1 },
      records: { ...NOTHING, new: 3 },
    });
    const all = await backup();
    expect(all.length).toBeGreaterThan(one.length);
    const project = `?project_id=${world.other_project_id}`;
    expect(await restored(other, all, project)).toMatchObject({ projects: { new: 1 }, devices: { new: 1 } });
    expect(await refused(other, one, project)).toMatch(/project_id must be of what the backup holds/);
    const third = await run();
    expect(await restored(third, all, of)).toEqual({
      projects: { ...NOTHING, new: 1 },
      devices: { ...NOTHING, new: 1 },
      records: { ...NOTHING, new: 3 },
      trails: null,
    });
    expect(await refused(third, all, '?device_id=none')).toMatch(
      /device_id must be of what the backup holds, got "none"/,
    );
    await third.stop();
  });

  test('has payloads in hexadecimal as bytes, and says a version that an earlier Fieldbench refuses', async () => {
    const payloads = Array.from({ length: 600 }, (_, n) =>
      createHash('sha256').update(`${n}`).digest('hex').slice(0, 48),
    );
    const first = Date.UTC(2026, 2, 2);
    const uplinks = payloads.map((text, n) => {
      return { timestamp: new Date(first + n * 1000).toISOString(), 'uplink.bytes': text };
    });
    expect((await store(service, uplinks)).status).toBe(200);
    const file = await backup();
    const members = await membersOf(file);
    expect(JSON.parse(members.get('manifest.json')?.toString() ?? '')).toMatchObject({ version: 2 });
    const blocks = members.get(`devices/${world.device_id}/records.blocks`);
    expect(blocks?.includes(Buffer.from(payloads.slice(0, 3).join(''), 'hex'))).toBe(true);
    await restored(other, file);
    const data = `/v2/projects/${world.project_id}/devices/${world.device_id}/data?page=1&limit=1000&range=all`;
    const [before, after] = [await service.request('GET', data), await other.request('GET', data)];
    expect(after.text).toBe(before.text);
    for (const text of payloads) expect(after.text).toContain(text);
  });
});
