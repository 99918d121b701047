import { segmentPath } from './manifest.ts';
import { DamagedBlock, DamagedIndex } from './damage-errors.ts';
import { Segment } from './segment.ts';
import type { SegmentPool } from './segment-pool.ts';
import type { SegmentMeta } from './segment-writer.ts';

/** A segment as another thread needs to know it. */
export interface SegmentReference {
  readonly meta: SegmentMeta;
  /** Where it is while it is a snapshot's; absent in the folder of the device. */
  readonly path?: string;
  /** Its index was damaged: it is read from the blocks. */
  readonly isRebuilt: boolean;
  /** Blocks that are damaged. Rows are counted without theirs. */
  readonly setAside: readonly number[];
}

export function referTo({ meta, path, isLent, isRebuilt, blocksSetAside }: Segment): SegmentReference {
  return { meta, isRebuilt, setAside: [...blocksSetAside], ...(isLent && { path }) };
}

/** The segments in a folder of a device, to be told by `leaveOut` what is known to be damaged. */
export function segmentsOf(
  pool: SegmentPool,
  folder: string,
  references: readonly SegmentReference[],
): Segment[] {
  return references.map(({ meta, path }) => new Segment(pool, path ?? segmentPath(folder, meta.id), meta));
}

/** Leaves out of segments what the service knows to be damaged. */
export function leaveOut(segments: readonly Segment[], references: readonly SegmentReference[]): void {
  for (const [i, { isRebuilt, setAside }] of references.entries()) {
    if (isRebuilt) segments[i]!.rebuildIndex();
    for (const block of setAside) segments[i]!.setAside(block);
  }
}

/** A damaged place of segments that another thread read: which of them, and which block; null is its index. */
export interface Damage {
  readonly segment: number;
  readonly block: number | null;
}

/** Where an error of reading says that segments are damaged; null for an error of another kind. */
export function damageOf(error: unknown, segments: readonly Segment[]): Damage | null {
  if (!(error instanceof DamagedBlock || error instanceof DamagedIndex)) return null;
  const segment = segments.findIndex((one) => one === error.run);
  if (segment < 0) return null;
  return { segment, block: error instanceof DamagedBlock ? error.block : null };
}

/** The error again. */
export function damageError({ segment, block }: Damage, segments: readonly Segment[]): Error {
  const run = segments[segment]!;
  return block === null ? new DamagedIndex(run, {}) : new DamagedBlock(run, block);
}
