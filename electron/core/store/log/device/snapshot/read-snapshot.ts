import { DamagedSnapshot } from '../../../store.ts';
import { diskError } from '../../../../disk/errors.ts';
import { READING } from '../../../store-errors.ts';
import { nodeFiles, type Files } from '../../../../disk/files.ts';
import type { SortedRows } from '../../../blocks/query/sorted-rows.ts';
import { correctedSources } from '../../../blocks/corrections/corrected-sources.ts';
import { DamagedBlock, DamagedIndex } from '../../segment/damage-errors.ts';
import { createPool } from '../../segment/segment-pool.ts';
import { damageOf, leaveOut, segmentsOf } from '../../segment/segment-reference.ts';
import { sourceOf, type SnapshotParts } from './snapshot.ts';
import type { ViewedDamage, ViewedParts } from './viewed-snapshot.ts';

/** Segments are read once, from front to back; a few of them at the same time where their times overlap. */
const LIMITS = { handles: 64, blockBytes: 4 << 20, summaryBytes: 0 };

/**
 * Reads the snapshot of a view in any thread: `read` gets its sources in order of arrival, through the lens where it has one.
 */
export async function* readSnapshot<T>(
  parts: unknown,
  read: (sources: readonly SortedRows[]) => AsyncIterable<T>,
  files: Files = nodeFiles,
): AsyncGenerator<T> {
  if (!isViewed(parts)) {
    yield* readStored(parts, read, files);
    return;
  }
  const { lens, own, formers } = parts;
  const all = [own, ...formers];
  const next = (sources: (readonly SortedRows[])[]): AsyncIterable<T> => {
    const of = sources.length;
    if (of === all.length) return read(correctedSources(lens, sources[0]!, sources.slice(1)));
    return ofDevice(
      parts,
      of,
      readSnapshot(all[of], (more) => next([...sources, more]), files),
    );
  };
  yield* next([]);
}

const isViewed = (parts: unknown): parts is ViewedParts =>
  typeof parts === 'object' && parts !== null && 'lens' in parts;

/** Says of damage in which of the devices of a view it is, unless that is said. */
async function* ofDevice<T>(view: ViewedParts, of: number, read: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* read;
  } catch (error) {
    const isSaid = error instanceof DamagedView && error.view === view;
    throw error instanceof DamagedSnapshot && !isSaid
      ? new DamagedView(view, { of, what: error.what })
      : error;
  }
}

/** Damage in one of the devices of a view. */
class DamagedView extends DamagedSnapshot {
  readonly view: ViewedParts;

  constructor(view: ViewedParts, damage: ViewedDamage) {
    super(damage);
    this.view = view;
  }
}

/**
 * Reads what snapshot.ts tells of a device, in any thread: `read` gets its sources in order of arrival. `files` are those of the
 * store, where it is in this thread. Rejects with DamagedSnapshot where one of them is damaged.
 */
async function* readStored<T>(
  parts: unknown,
  read: (sources: readonly SortedRows[]) => AsyncIterable<T>,
  files: Files,
): AsyncGenerator<T> {
  const { folder, segments: references, sources } = parts as SnapshotParts;
  const segments = segmentsOf(createPool(files, LIMITS), folder, references);
  try {
    leaveOut(segments, references);
    yield* read(sources.map((source) => sourceOf(source, segments)));
  } catch (error) {
    const damage = damageOf(error, segments);
    if (damage !== null) throw new DamagedSnapshot(damage);
    // That of another device of a view is its own reader's to tell.
    throw isDamage(error) ? error : diskError(error, READING);
  } finally {
    for (const segment of segments) segment.close();
  }
}

const isDamage = (error: unknown) =>
  error instanceof DamagedSnapshot || error instanceof DamagedBlock || error instanceof DamagedIndex;
