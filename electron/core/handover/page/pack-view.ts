import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import { ByteWriter } from '#shared/handover/bytes.ts';
import { KINDS, packColumn, packTimes, PART_ROWS, type ColumnPart } from '#shared/handover/packed-columns.ts';
import type { Micros } from '#shared/values/time.ts';
import { BufferColumn } from '../../store/blocks/block/buffer-column.ts';
import { NUMBER, TEXT } from '../../store/record-columns.ts';
import { ROW, type StoredRecord } from '../../store/store.ts';
import { surveyDevice } from '../../survey/survey-device.ts';
import type { Fold, Survey, SurveyMessage, SurveyQuery, SurveyStart } from '../../survey/survey.ts';
import type { TaskKind } from '../../threads/task-kind.ts';
import { Pace } from '../../turns/pace.ts';
import { FairSemaphore } from '../../turns/semaphore.ts';

const deflated = promisify(deflate);

/** Columns that are deflated at a time: each takes a quarter of a megabyte meanwhile. */
const DEFLATED_AT_ONCE = 4;

/** Records as columns: base64 of deflated bytes (shared/handover/packed-columns.ts). */
export interface PackedView {
  readonly records: number;
  /** Times of the first and the last one; null without any. */
  readonly first: Micros | null;
  readonly last: Micros | null;
  readonly times: string;
  /** In the order of the keys; of those that have values. */
  readonly columns: readonly (readonly [key: string, column: string])[];
}

export interface PackAsked {
  readonly keys: readonly string[];
  /** Whether records without any of the keys are there, too. */
  readonly bare: boolean;
}

type PackQuery = SurveyQuery & PackAsked;

/** Records of a view as columns of a page. */
export const PACKED_VIEW = {
  kind: { name: 'packed view' } as TaskKind<SurveyStart<PackQuery>, never, SurveyMessage, PackedView>,
  held: false,
  rows: true,
  begin: (query) => new ViewPacker(query),
} satisfies Survey<PackQuery, PackedView>;

/** Packs records that are at hand, in the order in which they come. Rejects as the scan does, or as the signal's reason. */
export const packView = (
  scan: AsyncIterable<readonly StoredRecord[]>,
  keys: readonly string[],
  signal?: AbortSignal,
): Promise<PackedView> =>
  surveyDevice(
    PACKED_VIEW,
    { range: {}, keys, bare: true },
    {
      records: { scan: () => scan, threadWork: null },
      device: '',
      semaphore: new FairSemaphore(1).of(null),
      signal,
    },
  );

class ViewPacker implements Fold<PackedView> {
  readonly isOver = false;
  readonly #keys: readonly string[];
  readonly #bare: boolean;
  readonly #pace = new Pace();
  readonly #times = new ByteWriter();
  readonly #columns: readonly PackedColumn[];
  #part: Part;
  /** A part that is to be packed, and one whose memory is to be used again. */
  #full: Part | null = null;
  #spare: Part | null = null;
  #records = 0;
  #first: Micros | null = null;
  #last: Micros | null = null;
  /** The record whose cells come, unless it is in the part already. */
  #waiting: Micros | null = null;

  constructor({ keys, bare }: PackQuery) {
    this.#keys = keys;
    this.#bare = bare;
    this.#columns = keys.map(() => ({ bytes: new ByteWriter(), hasValues: false }));
    this.#part = new Part(keys);
  }

  readonly take = (place: number, time: Micros, kind: number, number: number, text: string): void => {
    if (place === ROW) {
      if (this.#bare) this.#addRow(time);
      else this.#waiting = time;
      return;
    }
    if (this.#waiting !== null) this.#addRow(time);
    this.#waiting = null;
    const { rows, cells } = this.#part;
    cells[place]!.put(rows - 1, kind, number, text);
  };

  readonly settle = async (): Promise<void> => {
    for (const pack of this.#due()) {
      pack();
      await this.#pace.pause();
    }
  };

  async result(): Promise<PackedView> {
    await this.settle();
    if (this.#part.rows > 0) {
      this.#full = this.#part;
      await this.settle();
    }
    const few = new FairSemaphore(DEFLATED_AT_ONCE).of(null);
    const packed = (bytes: ByteWriter) => few.run(() => base64Of(bytes.take()));
    const withValues = this.#columns.flatMap(({ bytes, hasValues }, place) =>
      hasValues ? [packed(bytes).then((text) => [this.#keys[place]!, text] as const)] : [],
    );
    const [times, columns] = await Promise.all([packed(this.#times), Promise.all(withValues)]);
    return { records: this.#records, first: this.#first, last: this.#last, times, columns };
  }

  #addRow(time: Micros): void {
    if (this.#part.rows === PART_ROWS) {
      // A full part that `settle` has not packed yet.
      for (const pack of this.#due()) pack();
      this.#full = this.#part;
      this.#part = this.#spare ?? new Part(this.#keys);
      this.#spare = null;
    }
    this.#part.add(time);
    this.#records++;
    this.#first ??= time;
    this.#last = time;
  }

  /** Steps in which the part that is full is packed, if one is. */
  *#due(): Generator<() => void> {
    const part = this.#full;
    if (part === null) return;
    const { rows, times, cells } = part;
    yield () => packTimes(times.subarray(0, rows), this.#times);
    for (const [place, column] of this.#columns.entries())
      yield () => {
        column.hasValues ||= cells[place]!.count > 0;
        packColumn(partOf(cells[place]!, rows), column.bytes);
      };
    part.reset();
    this.#spare = part;
    this.#full = null;
  }
}

interface PackedColumn {
  readonly bytes: ByteWriter;
  hasValues: boolean;
}

/** Up to PART_ROWS records. */
class Part {
  rows = 0;
  readonly times = new Float64Array(PART_ROWS);
  readonly cells: readonly BufferColumn[];

  constructor(keys: readonly string[]) {
    this.cells = keys.map((key) => new BufferColumn(key, FIRST_CELLS));
  }

  add(time: Micros): void {
    this.times[this.rows++] = time;
  }

  reset(): void {
    this.rows = 0;
    for (const cells of this.cells) {
      cells.texts.length = 0;
      cells.reset(cells.key);
    }
  }
}

/** Cells of a key that there is room for before the first one came. */
const FIRST_CELLS = 64;

/** Uses up the cells: their numbers move together. */
function partOf(cells: BufferColumn, rows: number): ColumnPart {
  const { count, numbers, texts } = cells;
  const kinds = new Uint8Array(rows);
  let length = 0;
  for (let cell = 0; cell < count; cell++) {
    const kind = cells.kindOf(cell);
    const number = numbers[cell]!;
    kinds[cells.rowOf(cell)] = packedKind(kind, number);
    if (kind === NUMBER) numbers[length++] = number;
  }
  const some = cells.texts.length === 0 ? [] : texts.filter((_, cell) => cells.kindOf(cell) === TEXT);
  return { kinds, numbers: numbers.subarray(0, length), texts: some };
}

function packedKind(kind: number, number: number): number {
  if (kind === NUMBER) return KINDS.number;
  if (kind === TEXT) return KINDS.text;
  return number === 1 ? KINDS.true : KINDS.false;
}

/** Zlib's format has a checksum: a page that came damaged says so. */
async function base64Of(bytes: Uint8Array): Promise<string> {
  return (await deflated(bytes)).toString('base64');
}
