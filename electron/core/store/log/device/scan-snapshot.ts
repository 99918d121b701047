import { DamagedSnapshot, type ScanSnapshot } from '../../store.ts';
import { diskError } from '../../../disk/errors.ts';
import { READING } from '../../store-errors.ts';
import { nodeFiles } from '../../../disk/files.ts';
import { scanTimeline } from './scan.ts';
import { createPool } from '../segment/segment.ts';
import { damageOf, leaveOut, segmentsOf } from '../segment/segment-reference.ts';
import { Timeline } from '../../blocks/query/timeline.ts';
import { sourceOf, type SnapshotParts } from './snapshot.ts';

/** Segments are read once, from front to back; a few of them at the same time where their times overlap. */
const LIMITS = { handles: 64, blockBytes: 4 << 20, summaryBytes: 0 };

/** Reads what view.ts tells of a device, in any thread. */
export const scanSnapshot: ScanSnapshot = async function* (parts, range) {
  const { folder, segments: references, sources } = parts as SnapshotParts;
  const segments = segmentsOf(createPool(nodeFiles, LIMITS), folder, references);
  try {
    leaveOut(segments, references);
    yield* scanTimeline(new Timeline(sources.map((source) => sourceOf(source, segments))), range);
  } catch (error) {
    const damage = damageOf(error, segments);
    throw damage === null ? diskError(error, READING) : new DamagedSnapshot(damage);
  } finally {
    for (const segment of segments) segment.close();
  }
};
