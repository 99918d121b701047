import type { RecordSnapshot } from '../../../store.ts';
import { Block } from '../../../blocks/block/block.ts';
import { encodeBlock } from '../../../blocks/block/block-writer.ts';
import type { DeviceRows } from '../device-rows.ts';
import { damagedWhileReading } from '../../../store-errors.ts';
import { MemoryRun, Run } from '../../../blocks/query/run.ts';
import { Segment } from '../../segment/segment.ts';
import { damageError, referTo, type Damage, type SegmentReference } from '../../segment/segment-reference.ts';
import { BufferedRows, type SortedRows } from '../../../blocks/query/sorted-rows.ts';

/** A source of a device's timeline: a segment by its place among all of them, or blocks that are in memory alone. */
export type SnapshotSource = { readonly segment: number } | { readonly blocks: readonly Uint8Array[] };

/** Parts of a snapshot that another thread reads. */
export interface SnapshotParts {
  readonly folder: string;
  readonly segments: readonly SegmentReference[];
  /** In order of arrival. */
  readonly sources: readonly SnapshotSource[];
}

/** `inFull`: for threads that do not find the files of the store; the blocks of its segments go along. */
export function snapshotOf(device: DeviceRows, inFull = false): RecordSnapshot {
  const { sources, release } = device.snapshot();
  const segments = sources.filter((source) => source instanceof Segment);
  // What goes on growing is as it is now; segments stay as they are.
  const held = sources.map((source) => (source instanceof Segment ? source : { blocks: blocksIn(source) }));
  const partsWith = (ofSegment: (segment: Segment) => SnapshotSource): SnapshotParts => ({
    folder: device.folder.path,
    segments: inFull ? [] : segments.map(referTo),
    sources: held.map((source) => (source instanceof Segment ? ofSegment(source) : source)),
  });
  const referring = inFull ? null : partsWith((segment) => ({ segment: segments.indexOf(segment) }));
  return {
    // Copied for who reads it: some only ask whether there is one.
    get parts() {
      return referring ?? partsWith((segment) => ({ blocks: device.read(() => copiesOf(segment)) }));
    },
    damaged(what) {
      device.setAside(damageError(what as Damage, segments));
      return damagedWhileReading();
    },
    release,
  };
}

/** Returns the blocks of a source, in order. Throws where one cannot be read. */
export function blocksIn(source: SortedRows): Uint8Array[] {
  if (source instanceof Run)
    return Array.from({ length: source.table.count }, (_, index) => source.block(index).bytes);
  if (source instanceof BufferedRows) return [encodeBlock(source.buffer)];
  throw new Error('There is a source that no thread can read.');
}

function copiesOf(segment: Segment): Uint8Array[] {
  const blockOf = segment.blocksInPassing();
  // What is damaged has no rows any more.
  const whole = Array.from({ length: segment.table.count }, (_, index) => index).filter(
    (index) => segment.table.rowsOf(index) > 0,
  );
  return whole.map((index) => Buffer.from(blockOf(index).bytes));
}

/** The other thread's side. */
export function sourceOf(source: SnapshotSource, segments: readonly Segment[]): SortedRows {
  if ('segment' in source) return segments[source.segment]!;
  const run = new MemoryRun();
  for (const { buffer, byteOffset, byteLength } of source.blocks)
    run.add(new Block(Buffer.from(buffer, byteOffset, byteLength)));
  return run;
}
