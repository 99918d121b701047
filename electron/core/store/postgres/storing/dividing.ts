import type { TimeRange } from '#shared/values/time.ts';
import { RowSlice } from '../../blocks/block/row-slice.ts';
import { Building, type MadeSegment } from '../rows/building.ts';
import type { Reading } from '../reading/reading.ts';
import type { StoredSegment } from '../rows/segment.ts';
import type { SuppliedSegment } from '../rows/supplied-segment.ts';

const EVERYTHING = { received: true };

/** Division of a segment that holds rows of a range. */
export interface Division {
  readonly segment: StoredSegment;
  /** How many of its rows lie in the range. */
  readonly inside: number;
  /** Its rows outside and inside of the range; null for a segment that lies in it as a whole. */
  readonly parts: {
    readonly rest: readonly MadeSegment[];
    readonly removed: readonly MadeSegment[];
    /** Its blocks that neither has. */
    readonly orphans: readonly number[];
  } | null;
}

/**
 * Divides segments at the ends of a range. Blocks wholly inside or outside stay as they are; `building` begins what takes
 * the others, whose new blocks are the caller's. Without `isKept` nothing is made of what lies inside.
 */
export async function divide(
  reading: Reading,
  segments: readonly StoredSegment[],
  { start = -Infinity, end = Infinity }: TimeRange,
  isKept: boolean,
  building: () => Building,
): Promise<Division[]> {
  const divisions: Division[] = [];
  for (const stored of segments) {
    if (stored.last < start || stored.first > end) continue;
    const segment = reading.of(stored);
    const [from, to] = await reading.run(() => [
      segment.rowsBefore(start, false),
      segment.rowsBefore(end, true),
    ]);
    if (from >= to) continue;
    const inside = to - from;
    if (inside === segment.rows) {
      divisions.push({ segment: stored, inside, parts: null });
      continue;
    }
    const keys = (await keysOf(reading, [segment])).get(segment) ?? [];
    const again = new Set<number>();
    const copy = (into: Building, first: number, last: number) =>
      copyRows(reading, { segment, keys, again }, into, { from: first, to: last });
    const rest = building();
    await copy(rest, 0, from);
    await copy(rest, to, segment.rows);
    const removed = building();
    if (isKept) await copy(removed, from, to);
    divisions.push({
      segment: stored,
      inside,
      parts: { rest: rest.finish(), removed: removed.finish(), orphans: orphansOf(segment, again) },
    });
  }
  return divisions;
}

async function copyRows(
  reading: Reading,
  source: {
    readonly segment: SuppliedSegment;
    readonly keys: readonly string[];
    readonly again: Set<number>;
  },
  into: Building,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  const { segment, keys, again } = source;
  const { table } = segment;
  const slice = new RowSlice();
  for (let row = from; row < to;) {
    const index = table.blockOf(row);
    const before = table.rowsBefore(index);
    const after = before + table.rowsOf(index);
    if (row === before && after <= to) {
      into.again(segment, index, keys);
      again.add(table.offsetOf(index));
      row = after;
      continue;
    }
    const stretch = await reading.run(() => segment.stretch(row));
    const end = Math.min(to, after, stretch.to);
    await reading.run(() => segment.readInto(slice, row, end, EVERYTHING));
    for (let i = 0; i < end - row; i++) into.row(slice, i);
    row = end;
  }
}

/** The keys of each segment, whose summaries are here from then on. */
export async function keysOf(
  reading: Reading,
  segments: readonly SuppliedSegment[],
): Promise<ReadonlyMap<SuppliedSegment, readonly string[]>> {
  const keys = await reading.run(
    () => new Map(segments.map((segment) => [segment, Array.from(segment.keyCounts(), ({ key }) => key)])),
  );
  await reading.run(() => {
    for (const [segment, names] of keys) for (const name of names) segment.keyTable(name);
  });
  return keys;
}

/** The blocks of a segment that are in no other. */
export function orphansOf({ table }: SuppliedSegment, again: ReadonlySet<number>): number[] {
  return Array.from({ length: table.count }, (_, index) => table.offsetOf(index)).filter(
    (id) => !again.has(id),
  );
}
