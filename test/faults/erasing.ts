import { deepStrictEqual, ok } from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import * as fc from 'fast-check';
import type { RecordStore } from '#core/store/store.ts';
import { digestOf } from '#core/store/log/wal/receipt-digest.ts';
import { record, scanned } from '../suites/record-store/harness.ts';
import { randomCrashState } from './crash-states.ts';
import { diskFiles, type DiskFiles } from './disk-files.ts';
import { Disk } from './disk.ts';
import { generator } from './random-crashes.ts';
import type { OpenStore } from './run.ts';

const DEVICES = ['d', 'e'] as const;
const device = fc.constantFrom(...DEVICES);
const time = fc.integer({ min: 0, max: 30 });

const keptName = fc.constantFrom('k1', 'k2');

/** Records are given their text when they are stored: one that nothing else has. */
const act = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('append'), device, times: fc.array(time) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('import'), device, times: fc.array(time) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete'), device, from: time, to: time }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('purge'), device }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('drop'), device }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('keep'),
      device,
      name: keptName,
      range: fc.option(fc.record({ start: time, end: time })),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restore'), device, name: keptName }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('discard'), device, name: keptName }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reopen') }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('crash'),
      turns: fc.integer({ min: 0, max: 40 }),
      seed: fc.option(fc.integer({ min: 1, max: 1 << 30 })),
    }),
  },
);

export type Acts = (typeof act extends fc.Arbitrary<infer Act> ? Act : never)[];

interface Machine {
  readonly store: RecordStore;
  readonly files: DiskFiles;
  readonly disk: Disk;
  readonly base: Disk;
}

/**
 * Whatever is deleted, and the receipt of what a dropped device stored, cannot be found in any file once the store was closed in order, however often the process was
 * killed or the power cut in between; and what was not deleted is there.
 */
export function erasingProperty(openStore: OpenStore) {
  return fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 25 }), async (acts) => {
    const kept = new Map<string, Map<string, number>>(DEVICES.map((id) => [id, new Map()]));
    const deleted = new Set<string | Buffer>();
    /** By device and name: what may come back is on the disk still. */
    const bin = new Map<string, Map<string, number>>();
    const receipts = new Map<string, Buffer[]>(DEVICES.map((id) => [id, []]));
    let made = 0;
    const forget = (id: string, goes: (at: number) => boolean) => {
      for (const [text, at] of kept.get(id) ?? [])
        if (goes(at) && kept.get(id)?.delete(text)) deleted.add(text);
    };
    const start = async (disk: Disk, base: Disk, files = diskFiles(disk)): Promise<Machine> => ({
      store: await openStore(files),
      files,
      disk,
      base,
    });
    let machine = await start(new Disk(), new Disk());
    for (const one of acts) {
      const { store } = machine;
      if (one.kind === 'append' || one.kind === 'import') {
        const records = one.times.map((at) => {
          const text = `secret ${made++};`;
          kept.get(one.device)?.set(text, at);
          return record(at, { text });
        });
        if (one.kind === 'append') {
          const receipt = `receipt-${made++}`;
          if (records.length > 0) receipts.get(one.device)?.push(Buffer.from(digestOf(receipt).buffer));
          await store.append(one.device, records, { receipt });
        } else {
          const batch = await store.batch(one.device);
          await batch.add(records);
          await batch.commit();
        }
      } else if (one.kind === 'delete') {
        await store.deleteRange(one.device, { start: one.from, end: one.to });
        forget(one.device, (at) => at >= one.from && at <= one.to);
      } else if (one.kind === 'purge') {
        await store.purge(one.device, 1);
        forget(one.device, () => true);
      } else if (one.kind === 'drop') {
        await store.drop(one.device);
        forget(one.device, () => true);
        for (const digest of receipts.get(one.device) ?? []) deleted.add(digest);
        receipts.set(one.device, []);
        for (const [name, texts] of bin) {
          if (!name.startsWith(`${one.device} `)) continue;
          for (const text of texts.keys()) deleted.add(text);
          bin.delete(name);
        }
      } else if (one.kind === 'keep') {
        const { start: first, end: last } = one.range ?? { start: -Infinity, end: Infinity };
        const name = `${one.device} ${one.name}`;
        await store.keep(one.device, one.name, one.range ? { range: one.range } : { at: 2 });
        const own = kept.get(one.device) ?? new Map<string, number>();
        const going = [...own].filter(([, at]) => at >= first && at <= last);
        if (bin.has(name) || (one.range !== null && going.length === 0)) continue;
        for (const [text] of going) own.delete(text);
        bin.set(name, new Map(going));
      } else if (one.kind === 'restore') {
        const name = `${one.device} ${one.name}`;
        await store.restore(one.device, one.name);
        for (const [text, at] of bin.get(name) ?? []) kept.get(one.device)?.set(text, at);
        bin.delete(name);
      } else if (one.kind === 'discard') {
        const name = `${one.device} ${one.name}`;
        await store.discard(one.device, one.name);
        for (const text of bin.get(name)?.keys() ?? []) deleted.add(text);
        bin.delete(name);
      } else if (one.kind === 'reopen') {
        await store.close();
        expectErased(machine.disk, deleted);
        machine = await start(machine.disk, machine.base, machine.files);
      } else {
        for (let i = 0; i < one.turns; i++) await setImmediate();
        machine = await start(...crashed(machine, one.seed));
      }
    }
    await machine.store.close();
    expectErased(machine.disk, deleted);
    const left = await openStore(diskFiles(machine.disk));
    for (const [id, texts] of kept) {
      const found = (await scanned(left, id)).map(({ values }) => String(values[0]));
      deepStrictEqual(found.toSorted(), [...texts.keys()].toSorted());
      for (const text of texts.keys()) ok(isFound(machine.disk, text), 'a text that is there is not found');
    }
    for (const texts of bin.values())
      for (const text of texts.keys()) ok(isFound(machine.disk, text), 'a text that is kept is not found');
    await left.close();
  });
}

/** The old process goes on in a world of its own. */
function crashed({ files, base }: Machine, seed: number | null): [disk: Disk, base: Disk, files: DiskFiles] {
  const past = [...files.trace];
  if (seed !== null) {
    const disk = randomCrashState(past, generator(seed), base);
    const copy = disk.copy();
    return [copy, disk, diskFiles(copy)];
  }
  const disk = base.copy();
  for (const operation of past) disk.apply(operation);
  return [disk, base, diskFiles(disk, undefined, past)];
}

function isFound(disk: Disk, text: string): boolean {
  return [...disk.paths()].some(([, node]) => disk.file(node).bytes.includes(text));
}

function expectErased(disk: Disk, deleted: ReadonlySet<string | Buffer>): void {
  for (const [path, node] of disk.paths())
    for (const text of deleted)
      ok(!disk.file(node).bytes.includes(text), `"${text.toString()}" was deleted, and is in ${path}`);
}

/** Every file of the write-ahead log that ever was, whether or not it has a name still. */
export function logNodes({ trace }: DiskFiles): ReadonlySet<number> {
  return new Set(
    trace.flatMap((done) => (done.kind === 'make' && done.name.startsWith('wal-') ? [done.node] : [])),
  );
}
