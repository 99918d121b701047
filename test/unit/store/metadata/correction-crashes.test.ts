import { describe, expect, test } from 'vitest';
import { StoreError } from '#core/base/errors.ts';
import { runMerge } from '#core/api/sync/merge-corrections.ts';
import {
  changeCorrection,
  createCorrection,
  removeCorrection,
  type Said,
  type Writer,
} from '#core/api/corrections/write-corrections.ts';
import type { Metadata, WritableTables } from '#core/store/metadata/metadata.ts';
import { verifyFolder } from '#core/store/metadata/file/verify-folder.ts';
import type { Origin } from '#core/store/trail/entry.ts';
import { withSeed } from '../../../helpers/chance.ts';
import { crashStates } from '../../../faults/crash-states.ts';
import { diskFiles, type DiskFiles } from '../../../faults/disk-files.ts';
import { Disk } from '../../../faults/disk.ts';
import type { Attempt, Fault } from '../../../faults/failing-files.ts';
import { expectTold } from '../../../suites/metadata/replay.ts';
import { FOLDER, openOn } from './disk-metadata.ts';
import { somePlaces } from '../../../helpers/some-runs.ts';
import { clock } from './metadata-folder.ts';

/*
 * Corrections on a disk whose power is cut, or that is full, at any file operation: all of a change is there or nothing of it, in the
 * history, too, and the audit trail tells exactly of what is there.
 */

const DEVICE = { id: 'd', project_id: 'p' };
const ORIGIN: Origin = { by: { kind: 'window', name: 'K. Meyer' }, operation: 'corrections.change' };
const scale = (gain: number, reason = ''): Said => ({
  what: { kind: 'calibration', key: 'temperature', points: { gain, offset: 0 } },
  reason,
});

type Act = (tables: WritableTables, writer: Writer) => Promise<unknown>;

async function rowOf(tables: WritableTables, id: string) {
  const row = await tables.get('corrections', id);
  if (!row) throw new TypeError(`no correction ${id}`);
  return row;
}

const version = (n: number) => ({
  ...scale(n),
  correction_id: 'merged',
  version: n,
  changed: n,
  by: 'T. Ito',
  place: 0,
  first: 1,
});

/** Each of them is a version in the history, or ends one. */
const ACTS: Readonly<Record<string, Act>> = {
  made: (tables, writer) => createCorrection(tables, DEVICE, { id: 'a', ...scale(1) }, writer),
  'made beside it': (tables, writer) => createCorrection(tables, DEVICE, { id: 'b', ...scale(2) }, writer),
  changed: async (tables, writer) =>
    changeCorrection(tables, await rowOf(tables, 'a'), scale(3, 'certificate'), writer),
  removed: async (tables, writer) => removeCorrection(tables, await rowOf(tables, 'a'), 'twice', writer),
  'taken back': (tables, writer) => createCorrection(tables, DEVICE, { id: 'a', ...scale(3) }, writer),
  merged: (tables, writer) => {
    const longer = [{ id: 'merged', versions: [version(1), version(2)], known: 0 }];
    return runMerge(tables, DEVICE, { longer, present: 0, conflicting: 0, removes: false }, writer);
  },
  'merged further': (tables, writer) => {
    const longer = [{ id: 'merged', versions: [version(1), version(2), version(3)], known: 2 }];
    return runMerge(tables, DEVICE, { longer, present: 0, conflicting: 0, removes: false }, writer);
  },
};

const act = (store: Metadata, work: Act): Promise<unknown> =>
  store.change((tables) => {
    const now = ++moments;
    let ids = 0;
    const newId = () => `${now}-${++ids}`;
    return work(tables, { by: 'K. Meyer', now, newId, principal: null });
  }, ORIGIN);
let moments = 0;

/** All corrections and their history, as text: fields in the order of their names. */
const saidBy = async (store: Metadata): Promise<string> => {
  const rows = await store.read(async (tables) => [
    ...(await tables.list('corrections')),
    ...(await tables.list('correction_history')),
  ]);
  return rows
    .map((row) => JSON.stringify(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1))))
    .join('\n');
};

/** Opens what is left of a disk, expects one of the states and a trail that tells of it, and goes on from there. */
async function goesOnFrom(disk: Disk, possible: readonly string[]): Promise<string> {
  expect(await verifyFolder(FOLDER, { clock, files: diskFiles(disk.copy()) })).toMatchObject({ harmed: 0 });
  const store = await openOn(diskFiles(disk));
  const found = await saidBy(store);
  expect(possible).toContain(found);
  await expectTold(store);
  await act(store, (tables, writer) =>
    createCorrection(tables, DEVICE, { id: 'since', ...scale(9) }, writer),
  );
  const after = await saidBy(store);
  await store.close();
  const again = await openOn(diskFiles(disk));
  expect([await saidBy(again), again.notes]).toEqual([after, []]);
  await expectTold(again);
  await again.close();
  return found;
}

/** How large a journal becomes before all is written anew: each time, and never. */
describe.each([
  ['written anew each time', 1],
  ['to a journal', 1_000_000],
])('corrections that are %s', (_, leastJournalBytes) => {
  test('are all there after a power cut or not at all, and so are their lines of the trail', async () => {
    const files = diskFiles(new Disk());
    const store = await openOn(files, leastJournalBytes);
    const states = [await saidBy(store)];
    const [begun, confirmed] = [[0], [files.trace.length]];
    for (const work of Object.values(ACTS)) {
      begun.push(files.trace.length);
      await act(store, work);
      confirmed.push(files.trace.length);
      states.push(await saidBy(store));
    }
    expect(new Set(states).size).toBe(Object.keys(ACTS).length + 1);
    const found = new Set<string>();
    const ends = { first: confirmed[0] ?? 0, last: files.trace.length };
    await withSeed(async (seed) => {
      for (const length of somePlaces(ends.first, ends.last, { seed, named: confirmed }))
        await expectAfter(length);
    });
    expect(found).toEqual(new Set(states));
    await store.close();

    async function expectAfter(length: number): Promise<void> {
      const first = confirmed.findLastIndex((at) => at <= length);
      const last = begun.findLastIndex((at) => at < length || at === 0);
      for (const { name, disk } of crashStates(files.trace, length))
        try {
          found.add(await goesOnFrom(disk, states.slice(first, last + 1)));
        } catch (error) {
          throw new Error(name, { cause: error });
        }
    }
  }, 120_000);

  test.each(Object.keys(ACTS))(
    'are as they were where the disk is full: %s',
    async (name) => {
      const before = new Disk();
      const first = await openOn(diskFiles(before), leastJournalBytes);
      for (const each of Object.keys(ACTS).slice(0, Object.keys(ACTS).indexOf(name)))
        await act(first, ACTS[each]!);
      await first.close();
      const failed: number[] = [];
      for (let at = 0; ; at++) {
        const isWhole = await fillsUpAt(at, before.copy(), ACTS[name]!, leastJournalBytes);
        if (isWhole) break;
        failed.push(at);
      }
      expect(failed.length).toBeGreaterThan(1);
    },
    120_000,
  );
});

/** What a full disk refuses. */
const GROWS: ReadonlySet<Attempt> = new Set(['make', 'grow', 'write', 'sync', 'rename']);

/** Does it on a disk that is full from one attempt of it on until it has failed. Resolves with whether nothing failed. */
async function fillsUpAt(at: number, disk: Disk, work: Act, leastJournalBytes: number): Promise<boolean> {
  let [isDue, tries, failures] = [false, 0, 0];
  const asked = (_: number, what: Attempt): Fault | null => {
    if (!isDue || !GROWS.has(what) || tries++ < at) return null;
    failures++;
    return 'ENOSPC';
  };
  const files: DiskFiles = diskFiles(disk, asked);
  const store = await openOn(files, leastJournalBytes);
  const was = await saidBy(store);
  isDue = true;
  const error = await act(store, work).then(
    () => null,
    (reason: Error) => reason,
  );
  isDue = false;
  if (error === null) {
    expect(await saidBy(store)).not.toBe(was);
    await store.close();
    return failures === 0;
  }
  expect(error).toBeInstanceOf(StoreError);
  expect(await saidBy(store)).toBe(was);
  // Killed now, it is as it was, or all is there where nobody could say; its trail tells of just that.
  const killed = await openOn(diskFiles(disk.copy()));
  const unsure = await saidBy(killed);
  if (!error.message.includes('nobody can say')) expect(unsure).toBe(was);
  await expectTold(killed);
  await killed.close();
  // With room again it goes.
  await act(store, work);
  const is = await saidBy(store);
  expect(is).not.toBe(was);
  await expectTold(store);
  await store.close();
  const again = await openOn(diskFiles(disk));
  expect(await saidBy(again)).toBe(is);
  await expectTold(again);
  await again.close();
  return false;
}
