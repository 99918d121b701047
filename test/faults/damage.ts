import { ok } from 'node:assert/strict';
import { StoreError } from '#core/base/errors.ts';
import type { RecordStore, RecoveryNote, StoredRecord } from '#core/store/store.ts';
import { checkAnswers, text } from './check-store.ts';
import { diskFiles } from './disk-files.ts';
import { Disk, type Node } from './disk.ts';
import { perform, type Act } from './history.ts';
import { named } from './power-cuts.ts';
import type { OpenStore } from './run.ts';

/** A store that was closed in order, and what it holds: by device, oldest first. */
export interface Sample {
  readonly disk: Disk;
  readonly records: ReadonlyMap<string, readonly StoredRecord[]>;
  /** Every record that any act stored, whether or not a later one removed it. */
  readonly ever: ReadonlySet<string>;
}

/** Stores what the acts say on a disk of its own. */
export async function sampleOf(openStore: OpenStore, acts: readonly Act[]): Promise<Sample> {
  const disk = new Disk();
  const store = await openStore(diskFiles(disk));
  for (const act of acts) await perform(store, act);
  const records = new Map<string, readonly StoredRecord[]>();
  for (const { device } of acts) records.set(device, await checkAnswers(store, device));
  await store.close();
  return { disk, records, ever: new Set(acts.flatMap(storedBy).map(text)) };
}

function storedBy(act: Act): readonly StoredRecord[] {
  if (act.kind === 'append') return act.records;
  return act.kind === 'batch' || act.kind === 'replace' ? act.chunks.flat() : [];
}

/** The files of a disk, with the bytes that matter: preallocated zeros at the end do not. */
function filesOf({ disk }: Sample): { path: string; node: Node; bytes: number }[] {
  return [...disk.paths()].map(([path, node]) => {
    const content = disk.file(node).bytes;
    let bytes = content.length;
    while (bytes > 0 && content[bytes - 1] === 0) bytes--;
    return { path, node, bytes };
  });
}

export interface Harm {
  readonly name: string;
  readonly node: Node;
  readonly harm: (disk: Disk, node: Node) => void;
}

/** Each file cut off at every `stride`th byte, counted from `first`. */
export function* truncations(sample: Sample, stride = 1, first = 0): Generator<Harm> {
  for (const { path, node, bytes } of filesOf(sample))
    for (let size = first; size < bytes; size += stride)
      yield {
        name: `"${path}" cut off after ${size} bytes`,
        node,
        harm: (disk) => disk.file(node).resize(size),
      };
}

/** Each file with one bit flipped, for every `stride`th bit, counted from `first`. */
export function* flips(sample: Sample, stride = 1, first = 0): Generator<Harm> {
  for (const { path, node, bytes } of filesOf(sample))
    for (let bit = first; bit < bytes * 8; bit += stride)
      yield {
        name: `"${path}" with bit ${bit & 7} of byte ${bit >> 3} flipped`,
        node,
        harm: (disk) => {
          const byte = disk.file(node).bytes[bit >> 3] ?? 0;
          disk.file(node).write(Buffer.from([byte ^ (1 << (bit & 7))]), bit >> 3);
        },
      };
}

export interface Found {
  /** Records that the harmed store still answers, all devices together. */
  readonly readable: number;
  readonly notes: readonly RecoveryNote[];
  /** What opening or reading refused to do. */
  readonly error: StoreError | null;
}

/**
 * Opens a harmed copy and asks for everything, twice. Only records that were stored may be answered, in their order; and
 * where one is missing the store must have said so. Throws otherwise.
 */
export async function checkHarmed(
  openStore: OpenStore,
  sample: Sample,
  { name, node, harm }: Harm,
): Promise<Found> {
  const disk = sample.disk.copy();
  harm(disk, node);
  return named(name, async () => {
    const first = await readHarmed(openStore, sample, disk);
    const second = await readHarmed(openStore, sample, disk);
    ok(
      isNoticed(second, sample) || first.notes.length > 0,
      'records went missing by the second start, unnoticed',
    );
    return first;
  });
}

async function readHarmed(openStore: OpenStore, sample: Sample, disk: Disk): Promise<Found> {
  let store: RecordStore | null = null;
  let readable = 0;
  let error: StoreError | null = null;
  try {
    store = await openStore(diskFiles(disk));
    for (const [device, stored] of sample.records)
      try {
        readable += countStored(await checkAnswersAtLast(store, device), stored, sample.ever);
      } catch (cause) {
        error ??= expected(cause);
      }
  } catch (cause) {
    error ??= expected(cause);
  }
  const notes = [...(store?.recovery ?? [])];
  await store?.close();
  return { readable, notes, error };
}

/** Damage that is found in the middle of asking changes the answers from there on. */
async function checkAnswersAtLast(store: RecordStore, device: string): Promise<StoredRecord[]> {
  const before = store.recovery.length;
  try {
    return await checkAnswers(store, device);
  } catch (error) {
    if (store.recovery.length === before) throw error;
    return checkAnswers(store, device);
  }
}

function expected(error: unknown): StoreError {
  if (error instanceof StoreError && ['damaged', 'newer-format'].includes(error.code)) return error;
  throw error;
}

const count = ({ records }: Sample) => [...records.values()].reduce((sum, { length }) => sum + length, 0);

function isNoticed({ readable, notes, error }: Found, sample: Sample): boolean {
  return readable === count(sample) || error !== null || notes.length > 0;
}

/**
 * Counts the records that are to be there; fails at one that was never stored, or is out of order. Others were removed
 * by what the damage took away: then fewer are counted than there are, and it must be said.
 */
function countStored(
  found: readonly StoredRecord[],
  stored: readonly StoredRecord[],
  ever: ReadonlySet<string>,
): number {
  const awaited = stored.map(text);
  let at = 0;
  let strays = 0;
  for (const [i, one] of found.entries()) {
    const next = awaited.indexOf(text(one), at);
    if (next >= 0) at = next + 1;
    else strays++;
    ok(ever.has(text(one)), `a record that was never stored is answered: ${text(one)}`);
    ok(one.timestamp >= (found[i - 1]?.timestamp ?? -Infinity), `out of order: ${text(one)}`);
  }
  return strays === 0 ? found.length : -strays;
}
