import { DamagedSnapshot, type WriteSnapshot } from '../../store.ts';
import type { TimeRange } from '#shared/time.ts';
import { diskError } from '../../../disk/errors.ts';
import { READING } from '../../store-errors.ts';
import { nodeFiles } from '../../../disk/files.ts';
import { createFileRows, type FileRows } from '../../blocks/query/file-rows.ts';
import { scanRows } from './scan.ts';
import { createPool } from '../segment/segment-pool.ts';
import { damageOf, leaveOut, segmentsOf } from '../segment/segment-reference.ts';
import { Timeline } from '../../blocks/query/timeline.ts';
import { sourceOf, type SnapshotParts } from './snapshot.ts';

/** Segments are read once, from front to back; a few of them at the same time where their times overlap. */
const LIMITS = { handles: 64, blockBytes: 4 << 20, summaryBytes: 0 };

/** Bytes that go on at once: enough to be worth the way to another thread. */
const PIECE_BYTES = 128 * 1024;

/** Writes what snapshot.ts tells of a device, in any thread. */
export const writeSnapshot: WriteSnapshot = async function* (parts, range, { format, keys }) {
  const { folder, segments: references, sources } = parts as SnapshotParts;
  const segments = segmentsOf(createPool(nodeFiles, LIMITS), folder, references);
  try {
    leaveOut(segments, references);
    const timeline = new Timeline(sources.map((source) => sourceOf(source, segments)));
    yield* inPieces(timeline, range, createFileRows(format, keys), new Set(keys));
  } catch (error) {
    const damage = damageOf(error, segments);
    throw damage === null ? diskError(error, READING) : new DamagedSnapshot(damage);
  } finally {
    for (const segment of segments) segment.close();
  }
};

async function* inPieces(
  timeline: Timeline,
  range: TimeRange,
  file: FileRows,
  keys: ReadonlySet<string>,
): AsyncGenerator<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly length: number }> {
  let length = 0;
  for await (const batch of scanRows(timeline, range, { keys, received: false })) {
    file.add(batch);
    length += batch.size;
    if (file.length < PIECE_BYTES) continue;
    yield { bytes: file.take(), length };
    length = 0;
  }
  if (file.length > 0 || length > 0) yield { bytes: file.take(), length };
}
