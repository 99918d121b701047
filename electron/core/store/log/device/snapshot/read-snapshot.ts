import { DamagedSnapshot } from '../../../store.ts';
import { diskError } from '../../../../disk/errors.ts';
import { READING } from '../../../store-errors.ts';
import { nodeFiles, type Files } from '../../../../disk/files.ts';
import type { SortedRows } from '../../../blocks/query/sorted-rows.ts';
import { createPool } from '../../segment/segment-pool.ts';
import { damageOf, leaveOut, segmentsOf } from '../../segment/segment-reference.ts';
import { sourceOf, type SnapshotParts } from './snapshot.ts';

/** Segments are read once, from front to back; a few of them at the same time where their times overlap. */
const LIMITS = { handles: 64, blockBytes: 4 << 20, summaryBytes: 0 };

/**
 * Reads what snapshot.ts tells of a device, in any thread: `read` gets its sources in order of arrival. `files` are those of the
 * store, where it is in this thread. Rejects with DamagedSnapshot where one of them is damaged.
 */
export async function* readSnapshot<T>(
  parts: unknown,
  read: (sources: readonly SortedRows[]) => AsyncIterable<T>,
  files: Files = nodeFiles,
): AsyncGenerator<T> {
  const { folder, segments: references, sources } = parts as SnapshotParts;
  const segments = segmentsOf(createPool(files, LIMITS), folder, references);
  try {
    leaveOut(segments, references);
    yield* read(sources.map((source) => sourceOf(source, segments)));
  } catch (error) {
    const damage = damageOf(error, segments);
    throw damage === null ? diskError(error, READING) : new DamagedSnapshot(damage);
  } finally {
    for (const segment of segments) segment.close();
  }
}
