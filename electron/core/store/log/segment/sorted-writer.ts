import type { Block } from '../../blocks/block/block.ts';
import { BLOCK_ROWS } from '../../blocks/block/block-writer.ts';
import type { Files } from '../../../disk/files.ts';
import { segmentPath } from './manifest.ts';
import { blockOf, isFull } from '../../blocks/block/rows-to-blocks.ts';
import { Pace } from '../../../turns/pace.ts';
import { RowBuffer } from '../../blocks/block/row-buffer.ts';
import { RowSlice } from '../../blocks/block/row-slice.ts';
import { checkRows } from '../../blocks/query/rows-gone.ts';
import { Run } from '../../blocks/query/run.ts';
import { Segment } from './segment.ts';
import { SegmentWriter, type SegmentMeta, type SegmentOrigin } from './segment-writer.ts';
import type { SortedRows } from '../../blocks/query/sorted-rows.ts';
import { summarize } from '../../blocks/block/block-stats.ts';

/** Blocks smaller than this are packed anew with their neighbours; larger ones are copied as they are. */
const COPY_ROWS = 512;
const PREFETCH_BYTES = 1 << 18;

/** Rows [from, to) of a source, to be merged. */
export interface Part {
  readonly source: SortedRows;
  readonly from: number;
  readonly to: number;
}

export interface Output {
  readonly files: Files;
  readonly folder: string;
  /** Called for each new segment. */
  readonly origin: () => SegmentOrigin;
  /** Rows after which the next segment begins. */
  readonly segmentRows: number;
  /** Asked between slices; true gives the work up. */
  readonly abandoned?: () => boolean;
}

/** Thrown when `abandoned` said so; nothing of the work is left. */
export class Abandoned extends Error {
  override readonly name = 'Abandoned';
}

/** Merges parts, in order of arrival, into new segments; all of them durable, or none left. Throws RowsGone. */
export async function writeSorted(parts: readonly Part[], output: Output): Promise<SegmentMeta[]> {
  const writer = new SortedWriter(output);
  try {
    await merge(parts, writer);
    return await writer.finish();
  } catch (error) {
    await writer.discard();
    throw error;
  }
}

/** Takes blocks and rows in order and cuts them into blocks and segments. */
export class SortedWriter {
  readonly #output: Output;
  #segment: SegmentWriter | null = null;
  #rows = new RowBuffer(BLOCK_ROWS);
  readonly #finished: { meta: SegmentMeta; path: string }[] = [];
  readonly #pace = new Pace();

  constructor(output: Output) {
    this.#output = output;
  }

  /** Rows that are not yet in a block. */
  get pending(): number {
    return this.#rows.size;
  }

  /** Takes one row; true asks for `cut`. */
  row(slice: RowSlice, row: number): boolean {
    this.#rows.addFrom(slice, row);
    return isFull(this.#rows);
  }

  async block(block: Block): Promise<void> {
    await this.cut();
    await this.#write(block);
  }

  async finish(): Promise<SegmentMeta[]> {
    await this.cut();
    await this.#endSegment();
    return this.#finished.map(({ meta }) => meta);
  }

  async discard(): Promise<void> {
    await this.#segment?.discard();
    this.#segment = null;
    for (const { path } of this.#finished) await this.#output.files.remove(path);
  }

  /** Lets requests run when a slice of time is used up. */
  async pause(): Promise<void> {
    if ((await this.#pace.pause()) && this.#output.abandoned?.() === true) throw new Abandoned();
  }

  /** Makes a block of the rows taken so far. */
  async cut(): Promise<void> {
    if (this.#rows.size === 0) return;
    const block = blockOf(this.#rows);
    this.#rows = new RowBuffer(BLOCK_ROWS);
    await this.#write(block);
  }

  async #write(block: Block): Promise<void> {
    const { files, folder, origin, segmentRows } = this.#output;
    if (this.#segment === null) {
      const created = origin();
      this.#segment = new SegmentWriter(files, segmentPath(folder, created.id), created);
    }
    await this.#segment.add(block.bytes, summarize(block));
    if (this.#segment.rows >= segmentRows) await this.#endSegment();
    await this.pause();
  }

  async #endSegment(): Promise<void> {
    const segment = this.#segment;
    if (segment === null) return;
    const meta = await segment.finish();
    this.#segment = null;
    this.#finished.push({ meta, path: segment.path });
  }
}

interface Lane extends Part {
  /** Of the source, when the merge began. */
  readonly rows: number;
  /** Next row. */
  row: number;
  readonly slice: RowSlice;
  /** Rows [sliceFrom, sliceTo) of the source are in the slice. */
  sliceFrom: number;
  sliceTo: number;
}

const EVERYTHING = { received: true };

async function merge(parts: readonly Part[], writer: SortedWriter): Promise<void> {
  let lanes: Lane[] = parts.map((part) => ({
    ...part,
    rows: part.source.rows,
    row: part.from,
    slice: new RowSlice(),
    sliceFrom: 0,
    sliceTo: 0,
  }));
  for (;;) {
    lanes = lanes.filter((lane) => lane.row < lane.to);
    if (lanes.length === 0) return;
    for (const { source, rows } of lanes) checkRows(source, rows);
    let next = 0;
    let bound = Infinity;
    let boundLane = 0;
    let nextTime = timeOf(lanes[0]!);
    for (let i = 1; i < lanes.length; i++) {
      const time = timeOf(lanes[i]!);
      if (time < nextTime) {
        [bound, boundLane] = [nextTime, next];
        [next, nextTime] = [i, time];
      } else if (time < bound) {
        [bound, boundLane] = [time, i];
      }
    }
    const lane = lanes[next]!;
    // Rows at the bound itself arrived before those of a later lane.
    const before = (time: number) => time < bound || (time === bound && next < boundLane);
    if (!(await copyBlock(lane, before, writer))) await copyRows(lane, before, writer);
  }
}

function timeOf(lane: Lane): number {
  if (lane.row >= lane.sliceFrom && lane.row < lane.sliceTo)
    return lane.slice.times[lane.row - lane.sliceFrom]!;
  return lane.source.timeAt(lane.row);
}

async function copyBlock(
  lane: Lane,
  before: (time: number) => boolean,
  writer: SortedWriter,
): Promise<boolean> {
  const { source } = lane;
  if (!(source instanceof Run)) return false;
  const { table } = source;
  const index = table.blockOf(lane.row);
  const rows = table.rowsOf(index);
  if (table.rowsBefore(index) !== lane.row || lane.row + rows > lane.to || !before(table.lastOf(index)))
    return false;
  // A lone small block is copied too: packing it again would change nothing.
  if (rows < COPY_ROWS && (writer.pending > 0 || lane.row + rows < lane.to)) return false;
  if (source instanceof Segment) await source.prefetch(index, PREFETCH_BYTES);
  checkRows(source, lane.rows);
  await writer.block(source.block(index));
  lane.row += rows;
  return true;
}

async function copyRows(lane: Lane, before: (time: number) => boolean, writer: SortedWriter): Promise<void> {
  const { source, slice } = lane;
  if (lane.row < lane.sliceFrom || lane.row >= lane.sliceTo) {
    if (source instanceof Segment) await source.prefetch(source.table.blockOf(lane.row), PREFETCH_BYTES);
    checkRows(source, lane.rows);
    const stretch = source.stretch(lane.row);
    lane.sliceFrom = lane.row;
    lane.sliceTo = Math.min(stretch.to, lane.to);
    source.readInto(slice, lane.sliceFrom, lane.sliceTo, EVERYTHING);
    // Where rows have thousands of keys, one slice takes about as long as others may wait.
    await writer.pause();
  }
  while (lane.row < lane.sliceTo && before(slice.times[lane.row - lane.sliceFrom]!)) {
    const full = writer.row(slice, lane.row - lane.sliceFrom);
    lane.row++;
    if (full) await writer.cut();
  }
}

export function wholeParts(sources: readonly SortedRows[]): Part[] {
  return sources.map((source) => ({ source, from: 0, to: source.rows }));
}
