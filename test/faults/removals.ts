import { deepStrictEqual } from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import * as fc from 'fast-check';
import type { RecordStore } from '#core/store/store.ts';
import { operations, perform, type Operation } from '../suites/record-store/model-operations.ts';
import { randomCrashState } from './crash-states.ts';
import { diskFiles, type DiskFiles } from './disk-files.ts';
import { Disk } from './disk.ts';
import { heldTime } from './held-time.ts';
import { generator } from './random-crashes.ts';
import type { OpenStore } from './run.ts';

type Doing = Exclude<Operation, { kind: 'reopen' }>;

const doing = operations.filter((operation): operation is Doing => operation.kind !== 'reopen');
/** What may be under way when a device is removed; the service ends imports first. */
const beside = doing.filter(({ kind }) => kind !== 'batch' && kind !== 'replace');

/** Everything that may happen to a device, at the same time; then it is removed, and the process ends, somehow. */
const life = fc.record({
  together: fc.array(fc.array(doing, { minLength: 1, maxLength: 4 }), { maxLength: 5 }),
  atLast: fc.array(beside, { maxLength: 4 }),
  /** Turns of the event loop until the process ends, after the removal was asked for; null waits for the answer. */
  turns: fc.option(fc.integer({ min: 0, max: 60 })),
  end: fc.oneof(
    fc.constant('close' as const),
    fc.constant('kill' as const),
    fc.record({ seed: fc.integer({ min: 1, max: 1 << 30 }) }),
  ),
});

export type Life = typeof life extends fc.Arbitrary<infer T> ? T : never;

const DEVICES = ['d', 'e'];

/** Whatever was done to devices, in whatever order and however it ended: a removed one leaves nothing on the disk. */
export function removalProperty(openStore: OpenStore) {
  return fc.asyncProperty(life, (one) => heldTime(() => live(openStore, one)));
}

async function live(openStore: OpenStore, { together, atLast, turns, end }: Life): Promise<void> {
  let files = onDisk(new Disk());
  let store = await openStore(files);
  for (const acts of together) await Promise.allSettled(acts.map((act) => perform(store, act)));
  const removed = removeAll(store, atLast);
  if (turns === null) await removed;
  else for (let i = 0; i < turns; i++) await setImmediate();
  if (end === 'close') {
    await removed;
    await store.close();
  } else {
    files = left(files, end === 'kill' ? null : end.seed);
    store = await openStore(files);
    // Where it had not been answered it is asked for again, as the service does.
    if (turns !== null) await removeAll(store, []);
    deepStrictEqual(await store.devices(), [], 'a removed device is named');
    await store.close();
  }
  deepStrictEqual(namesIn(files), [], 'a removed device has left something');
  store = await openStore(files);
  deepStrictEqual(await store.devices(), []);
  deepStrictEqual(await store.lastSeen(DEVICES), [null, null]);
  await store.close();
}

async function removeAll(store: RecordStore, beforehand: readonly Doing[]): Promise<void> {
  const others = beforehand.map((act) => perform(store, act));
  const drops = DEVICES.map((device) => store.drop(device));
  // What came before may have been given up for the removal.
  await Promise.allSettled(others);
  await Promise.all(drops);
}

/** What the next process finds. The old one goes on in a world of its own. */
function left({ trace }: DiskFiles, seed: number | null): DiskFiles {
  const past = [...trace];
  if (seed !== null) return onDisk(randomCrashState(past, generator(seed)));
  const disk = new Disk();
  for (const operation of past) disk.apply(operation);
  return onDisk(disk, past);
}

const disks = new WeakMap<DiskFiles, Disk>();

function onDisk(disk: Disk, past: DiskFiles['trace'] = []): DiskFiles {
  const files = diskFiles(disk, undefined, past);
  disks.set(files, disk);
  return files;
}

/** Everything in the data folder but the write-ahead log. */
function namesIn(files: DiskFiles): string[] {
  const disk = disks.get(files);
  if (disk === undefined) throw new Error('The disk of these files is not known.');
  const data = disk.folder(0).get('data');
  if (data === undefined) throw new Error('There is no data folder.');
  return [...disk.folder(data).keys()].filter((name) => !name.startsWith('wal-'));
}
