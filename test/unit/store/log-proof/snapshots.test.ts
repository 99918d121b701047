import { expect, test } from 'vitest';
import { openLog } from '#core/store/log/log.ts';
import type { LogStore } from '#core/store/log/log-store.ts';
import type { Replacement, StoredRecord } from '#core/store/store.ts';
import { crashStates } from '../../../faults/crash-states.ts';
import { diskFiles } from '../../../faults/disk-files.ts';
import { Disk } from '../../../faults/disk.ts';
import { perform } from '../../../faults/history.ts';
import { generator } from '../../../faults/random-crashes.ts';
import { freshSeed, withSeed } from '../../../helpers/chance.ts';
import { someRuns } from '../../../helpers/some-runs.ts';
import { record, scanned } from '../../../suites/record-store/harness.ts';

/* Snapshots of worlds when the power is cut, and over whatever happens to the devices in them. */

type Files = ReturnType<typeof diskFiles>;
const DEVICES = ['a', 'b', 'c', 'd', 'e'];
/** A few records make several files. */
const LIMITS = { walBytes: 3000, segmentRows: 40, manyDevices: 3, fewRows: 8, roundFiles: 2, lateRuns: 3 };

const open = (files: Files): Promise<LogStore> =>
  openLog({ directory: '/data', files, limits: { ...LIMITS, eraseAfterMs: 0, keptWalBytes: 0 } });

/** All that can be seen of the devices. */
async function textOf(store: LogStore): Promise<string> {
  const seen = await store.lastSeen(DEVICES);
  const found: unknown[] = [];
  for (const [i, device] of DEVICES.entries()) {
    const { purgedAt } = await store.summary(device);
    const kept = (await store.kept(device)).map(({ name, records }) => [name, records]);
    found.push([device, seen[i], purgedAt, kept, await scanned(store, device)]);
  }
  return JSON.stringify(found);
}

const take = (store: LogStore, id: string, created: number) =>
  store.worlds.take({ id, account_id: 'w', name: id, created }, () => ({
    devices: DEVICES,
    live: new Set(DEVICES),
    projects: 1,
    kept: new Set(['k0', 'k1', 'k2']),
    rows: { of: id },
  }));
const rows = (first: number, count: number): StoredRecord[] =>
  Array.from({ length: count }, (_, i) => record((first + i) * 1000, { n: first + i, s: `text ${i % 3}` }));

async function imported(store: LogStore, device: string, records: readonly StoredRecord[]): Promise<void> {
  const batch = await store.batch(device);
  await batch.add(records);
  await batch.commit();
}

/** Range in the middle of what a device gets first. */
const INNER = { start: 1000, end: 2000 };

/** The records of a range a second time, in place of themselves; without effect where the names are not to be had. */
async function replaced(
  store: LogStore,
  device: string,
  { name, range, back }: Pick<Replacement, 'name' | 'range' | 'back'>,
): Promise<void> {
  const old = await scanned(store, device, range);
  const chunks = [old.map((one) => ({ ...one, received: one.received + 1 }))];
  await perform(store, { kind: 'replace', device, name, range, back, chunks, isFor: 'this' });
}

const damageIn = ({ recovery }: LogStore) => recovery.filter(({ kind }) => kind === 'damaged');

/** Something of everything: what is in segments, in the log, soft-deleted, removed. */
const STEPS: readonly ((store: LogStore) => Promise<unknown>)[] = [
  (store) => Promise.all([store.append('a', rows(0, 60)), imported(store, 'b', rows(0, 50))]),
  (store) =>
    Promise.all([
      store.keep('b', 'k0', { range: { start: 5000, end: 9000 } }),
      store.append('c', rows(0, 4)),
    ]),
  (store) =>
    Promise.all([
      store.append('a', rows(2, 3), { receipt: 'once' }),
      replaced(store, 'c', { name: 'k1', range: INNER }),
    ]),
  (store) => take(store, 's', 1),
  (store) => Promise.all([store.drop('a'), store.purge('b', 77), store.append('d', rows(0, 3))]),
  (store) => store.append('c', rows(100, 30)),
  (store) => store.worlds.restore('s', 'first'),
  (store) => Promise.all([store.append('c', rows(200, 2)), store.restore('b', 'k0')]),
  (store) => take(store, 't', 2),
  (store) => store.worlds.restore('s', 'second'),
  (store) => store.worlds.remove('s'),
  (store) =>
    Promise.all([
      store.append('a', rows(300, 40)),
      replaced(store, 'c', { name: 'k2', range: INNER, back: 'k1' }),
    ]),
  (store) => store.worlds.restore('t', 'third'),
];
const STRIDE = 17;

test(
  'a power cut leaves a snapshot and a restore as a whole, or nothing of them',
  { timeout: 300_000 },
  async () => {
    const states = await withSeed(async (seed) => {
      const files = diskFiles(new Disk());
      const store = await open(files);
      const acknowledged = [{ length: files.trace.length, text: await textOf(store), names: ids(store) }];
      for (const step of STEPS) {
        await step(store);
        acknowledged.push({ length: files.trace.length, text: await textOf(store), names: ids(store) });
      }
      const snapshots = new Map([
        ['s', acknowledged[4]!.text],
        ['t', acknowledged[9]!.text],
      ]);
      let count = 0;
      for (
        let length = acknowledged[3]!.length + (seed % STRIDE);
        length < files.trace.length;
        length += STRIDE
      ) {
        const at = acknowledged.findLastIndex((each) => each.length <= length);
        const [before, after] = [acknowledged[at]!, acknowledged[at + 1] ?? acknowledged[at]!];
        for (const { name, disk } of crashStates(files.trace, length)) {
          const found = await open(diskFiles(disk));
          const where = `step ${at}, ${name}`;
          expect(damageIn(found), where).toEqual([]);
          // Steps of several devices are as many acts.
          const each = (JSON.parse(await textOf(found)) as unknown[]).map((one) => JSON.stringify(one));
          const [was, is] = [before, after].map(({ text }) =>
            (JSON.parse(text) as unknown[]).map((one) => JSON.stringify(one)),
          );
          for (const [i, one] of each.entries()) expect([was![i], is![i]], where).toContain(one);
          if ([6, 9, 12].includes(at))
            expect([before.text, after.text], where).toContain(await textOf(found));
          expect([before.names, after.names], where).toContainEqual(ids(found));
          for (const id of ids(found)) {
            await found.worlds.restore(id, `again ${id}`);
            expect(await textOf(found), `${where}, ${id} once more`).toBe(snapshots.get(id));
          }
          await found.close();
          count++;
        }
      }
      await store.close();
      return count;
    });
    expect(states).toBeGreaterThan(10);
  },
);

const ids = (store: LogStore) => store.worlds.list().map(({ id }) => id);

test('a restore brings back what there was, whatever became of it', { timeout: 300_000 }, async () => {
  for (let run = 0; run < someRuns(80); run++) await story(freshSeed());
});

/** A random life of some devices and snapshots, with kills in between. */
async function story(seed: number): Promise<void> {
  const random = generator(seed);
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!;
  const texts = new Map<string, string>();
  let past: Files['trace'] = [];
  let files = diskFiles(new Disk());
  let store = await open(files);
  let n = 0;
  const acts: Record<string, () => Promise<unknown>> = {
    append: () => store.append(pick(DEVICES), rows((n += 7), 1 + Math.floor(random() * 12))),
    late: () => store.append(pick(DEVICES), rows(Math.floor(random() * n), 2), { receipt: `r${n++}` }),
    import: () => imported(store, pick(DEVICES), rows((n += 60), 50)),
    purge: () => store.purge(pick(DEVICES), ++n),
    drop: async () => {
      const device = pick(DEVICES);
      await store.retire(device);
      await store.drop(device);
      await store.revive(device);
    },
    delete: () => store.deleteRange(pick(DEVICES), { start: random() * n * 1000, end: n * 1000 }),
    keep: () =>
      store.keep(pick(DEVICES), pick(['k0', 'k1', 'k2']), { range: { start: random() * n * 1000 } }),
    keepAll: () => store.keep(pick(DEVICES), pick(['k0', 'k1', 'k2']), { at: ++n }),
    replace: () =>
      replaced(store, pick(DEVICES), {
        name: pick(['k0', 'k1', 'k2']),
        range: { start: random() * n * 1000 },
        back: pick([undefined, 'k0', 'k1', 'k2']),
      }),
    undo: () => store.restore(pick(DEVICES), pick(['k0', 'k1', 'k2'])),
    discard: () => store.discard(pick(DEVICES), pick(['k0', 'k1', 'k2'])),
    check: async () => {
      for (const device of DEVICES) expect((await store.check(device)).findings).toEqual([]);
    },
    take: async () => {
      const id = `s${n++}`;
      await take(store, id, n);
      texts.set(id, await textOf(store));
    },
    restore: async () => {
      if (texts.size === 0) return;
      const id = pick([...texts.keys()]);
      await store.worlds.restore(id, `m${n++}`);
      if (random() < 0.7) store.worlds.restored();
      expect(await textOf(store)).toBe(texts.get(id));
    },
    remove: async () => {
      if (texts.size === 0) return;
      const id = pick([...texts.keys()]);
      const before = await textOf(store);
      await store.worlds.remove(id);
      texts.delete(id);
      expect(await textOf(store)).toBe(before);
    },
    reopen: async () => {
      const before = await textOf(store);
      await store.close();
      store = await open(files);
      expect(damageIn(store)).toEqual([]);
      expect(await textOf(store)).toBe(before);
      expect(ids(store).toSorted()).toEqual([...texts.keys()].toSorted());
    },
    kill: async () => {
      const before = await textOf(store);
      const disk = new Disk();
      past = [...files.trace];
      for (const operation of past) disk.apply(operation);
      const killed = store;
      files = diskFiles(disk, undefined, past);
      store = await open(files);
      await killed.close();
      expect(damageIn(store)).toEqual([]);
      expect(await textOf(store)).toBe(before);
    },
  };
  const names = [...Object.keys(acts), 'append', 'append', 'import', 'restore', 'take'];
  const done: string[] = [];
  try {
    for (let step = 0; step < 40; step++) {
      const name = pick(names);
      done.push(name);
      await acts[name]!();
    }
  } catch (error) {
    throw new Error(
      `Seed ${seed}, ${done.join(', ')}: ${error instanceof Error ? error.message : String(error)}`,
      {
        cause: error,
      },
    );
  } finally {
    await store.close();
  }
}
