import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CorrectionVersion, ShownCorrection } from '#shared/operations/metadata/corrections.ts';
import { givenOf } from '#shared/operations/metadata/given-correction.ts';
import { inDatabase, inFolder } from '../../helpers/postgres/database-of-tests.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { backupOf, restored } from '../backup/backups.ts';
import { clearFaults, setFaults } from '../faults/faulty.ts';
import { createWorld, dataOf, without, type World } from '../world.ts';

/* What carries corrections and their history along (docs/local-api.md, "Corrections"). */

let service: RunningService;
let world: World;

beforeEach(async () => {
  service = await runService();
  world = await createWorld(service);
  await dataOf(service, 'DELETE', `${corrections()}/${world.correction_id}`);
});
afterEach(() => service.stop());

const SCALE = { kind: 'calibration', key: 'temperature', points: [[0, 0.4]], by: 'K. Meyer' } as const;
const project = () => `/_local/v1/projects/${world.project_id}`;
const corrections = (of = project()) => `${of}/devices/${world.device_id}/corrections`;

const list = async (path = corrections(), of = service) =>
  (await dataOf(of, 'GET', path)) as unknown as readonly ShownCorrection[];
const history = async (path = corrections(), of = service) =>
  (await dataOf(of, 'GET', `${path}/history`)) as unknown as readonly CorrectionVersion[];
const create = async (body: object) =>
  (await dataOf(service, 'POST', corrections(), body)) as unknown as ShownCorrection;
const change = async (id: string, body: object) =>
  (await dataOf(service, 'PATCH', `${corrections()}/${id}`, body)) as unknown as ShownCorrection;
const remove = (id: string) => dataOf(service, 'DELETE', `${corrections()}/${id}`);
const both = async (path?: string, of?: RunningService) => [await list(path, of), await history(path, of)];

/** One that was changed, one as it was made, and one that was removed. */
async function some(): Promise<readonly [ShownCorrection, ShownCorrection, ShownCorrection]> {
  const first = await create(SCALE);
  const flag = await create({
    kind: 'quality',
    quality: 'test',
    from: '2026-03-02T20:30:00Z',
    to: '2026-03-02T20:31:00Z',
    reason: 'tapped',
  });
  const gone = await create({ kind: 'derived', key: 'kelvin', of: 'temperature + 273.15' });
  const changed = await change(first.id, { points: { gain: 1, offset: 0.5 } });
  await remove(gone.id);
  return [changed, flag, gone];
}

const replace = (body: object, key?: string) =>
  service.request('POST', `${project()}/edits`, { body, ...(key !== undefined && { key }) });
const edit = (id: string, was: ShownCorrection | null, be: ShownCorrection | null) => ({
  corrections: [
    {
      device_id: world.device_id,
      correction_id: id,
      was: was && givenOf(was),
      be: be && givenOf(be),
    },
  ],
});
async function replaced(...given: Parameters<typeof edit>): Promise<unknown> {
  const { status, envelope } = await replace(edit(...given));
  expect(status, envelope.message).toBe(200);
  return envelope.data;
}
async function refused(...given: Parameters<typeof edit>): Promise<string> {
  const { status, envelope } = await replace(edit(...given));
  expect(status, envelope.message).toBe(400);
  return envelope.message;
}
const actsOf = async (id: string) =>
  (await history()).flatMap(({ correction_id, act, version }) =>
    correction_id === id ? `${version} ${act}` : [],
  );

test('what was made, changed or removed is taken back and done again, as a further version each', async () => {
  const [made, other] = [await create(SCALE), await create({ ...SCALE, key: 'state' })];
  const { id } = made;
  const changed = await change(id, { reason: 'yearly' });
  expect(await replaced(id, changed, made)).toEqual({ changed: 1 });
  expect(await replaced(id, changed, made)).toEqual({ changed: 0 });
  expect(await list()).toMatchObject([{ id, version: 3, calibrated_by: 'K. Meyer' }, other]);
  expect(await replaced(id, made, null)).toEqual({ changed: 1 });
  expect(await list()).toEqual([other]);
  expect(await replaced(id, null, made)).toEqual({ changed: 1 });
  // In its old place, with the time at which it was made.
  const { version: _, changed: __, ...same } = made;
  expect(await list()).toMatchObject([{ ...same, version: 5 }, other]);
  expect(await actsOf(id)).toEqual(['5 restored', '4 removed', '3 changed', '2 changed', '1 created']);
});

test('what was changed since is not taken back, and says by whom', async () => {
  const made = await create(SCALE);
  const { id } = made;
  const changed = await change(id, { reason: 'yearly' });
  const key = await world.issueKey(['admin']);
  const late = await service.request('PATCH', `${corrections()}/${id}`, { key, body: { reason: 'late' } });
  expect(late.status).toBe(200);
  const now = await both();
  expect(await refused(id, changed, made)).toBe(
    'Nothing was changed: since then the correction (calibration) of "ESP32" was changed by "made for a test", to version 3.',
  );
  expect(await refused(id, null, made)).toContain('is there again');
  expect(await both()).toEqual(now);
  await remove(id);
  expect(await refused(id, changed, made)).toContain('was deleted');
  const removal = edit(id, null, made);
  expect((await replace(removal, await world.issueKey(without('delete')))).status).toBe(200);
  expect((await replace(edit(id, made, null), await world.issueKey(without('delete')))).status).toBe(403);
});

test('an edit is refused what a correction of its kind does not take', async () => {
  const { id } = await create(SCALE);
  const given = edit(id, null, null).corrections[0];
  const wrong = { ...given, be: { kind: 'quality', quality: 'fail' } };
  const { status, envelope } = await replace({ corrections: [wrong] });
  expect([status, envelope.message]).toEqual([
    400,
    expect.stringMatching(/^corrections\.0\.be\.from is required/),
  ]);
});

test('a device that moves takes them along, and they are not its former project’s any more', async () => {
  await some();
  const before = await both();
  await dataOf(service, 'POST', `${project()}/devices/${world.device_id}/move`, {
    to: world.other_project_id,
  });
  const there = corrections(`/_local/v1/projects/${world.other_project_id}`);
  expect(await both(there)).toEqual(before);
  expect((await service.request('GET', corrections())).status).toBe(404);
  await dataOf(service, 'DELETE', `/_local/v1/projects/${world.project_id}`);
  expect(await both(there)).toEqual(before);
});

test.each(['device', 'project'] as const)('a %s that is deleted comes back with them', async (what) => {
  await some();
  const before = await both();
  const path = what === 'project' ? project() : `${project()}/devices/${world.device_id}`;
  const { undo } = await dataOf(service, 'DELETE', path);
  expect((await service.request('GET', corrections())).status).toBe(404);
  await dataOf(service, 'POST', `/_local/v1/undo/${(undo as { id: string }).id}`, {});
  expect(await both()).toEqual(before);
});

// A lab has backups of its own.
test.skipIf(inDatabase)('a backup has them, of all, a project and a device', async () => {
  const [changed] = await some();
  const before = await both();
  for (const query of ['', `?project_id=${world.project_id}`, `?device_id=${world.device_id}`]) {
    const file = await backupOf(service, query);
    const elsewhere = await runService({ vault: 'memory' });
    try {
      await restored(elsewhere, file);
      expect(await both(corrections(), elsewhere)).toEqual(before);
      await restored(elsewhere, file);
      expect(await both(corrections(), elsewhere)).toEqual(before);
      // It goes on from there.
      const further = await dataOf(elsewhere, 'PATCH', `${corrections()}/${changed.id}`, { reason: 'x' });
      expect(further).toMatchObject({ version: changed.version + 1 });
    } finally {
      await elsewhere.stop();
    }
  }
});

test.skipIf(inDatabase)(
  'a restore over what was corrected since makes further versions, and loses none',
  async () => {
    const [changed, flag, gone] = await some();
    const file = await backupOf(service);
    const later = await change(changed.id, { reason: 'once more' });
    await remove(flag.id);
    const since = await history();
    await restored(service, file);
    // What differs stays without being asked, and what was removed is there again, as by a restore of a note.
    expect(await list()).toMatchObject([later, { id: flag.id, version: flag.version + 2 }]);
    await restored(service, file, '?replace=true');
    const now = await list();
    expect(now).toMatchObject([
      { id: changed.id, points: { gain: 1, offset: 0.5 }, version: later.version + 1 },
      { id: flag.id, reason: 'tapped' },
    ]);
    expect(now[0]).not.toHaveProperty('reason');
    expect(now.map(({ id }) => id)).not.toContain(gone.id);
    expect(await history()).toEqual(expect.arrayContaining(since as CorrectionVersion[]));
    expect(await history()).toHaveLength(since.length + 2);
  },
);

// Of files.
test.runIf(inFolder)('a full disk refuses a change of them in words, and nothing is half there', async () => {
  const [changed] = await some();
  const before = await both();
  await setFaults(service, [{ name: 'no room', do: { disk: 'full' } }]);
  for (const [method, path, body] of [
    ['POST', corrections(), SCALE],
    ['PATCH', `${corrections()}/${changed.id}`, { reason: 'x' }],
    ['DELETE', `${corrections()}/${changed.id}`, undefined],
    ['POST', `${project()}/edits`, edit(changed.id, changed, null)],
  ] as const) {
    const { status, envelope } = await service.request(method, path, { body });
    expect([method, status, envelope.message]).toEqual([
      method,
      500,
      expect.stringContaining('The disk is full'),
    ]);
    expect(await both()).toEqual(before);
  }
  await clearFaults(service);
  expect(await change(changed.id, { reason: 'x' })).toMatchObject({ version: changed.version + 1 });
  const after = await both();
  await service.service.close();
  service = await runService({ directory: service.directory });
  expect(await both()).toEqual(after);
});
