import type { Micros } from '#shared/values/time.ts';
import type { KeyReading } from '../../store.ts';
import { ABSENT, NUMBER, TEXT } from '../block/cell-kind.ts';
import { CorrectedRows } from '../corrections/corrected-rows.ts';
import { DerivedRows } from '../corrections/derived-rows.ts';
import { MergedRows } from '../corrections/merged-rows.ts';
import type { CellRule } from '../corrections/cell-rules.ts';
import { GROUP } from '../codec/number-format.ts';
import { RowSlice } from '../block/row-slice.ts';
import { Run } from '../query/run.ts';
import type { SortedRows } from '../query/sorted-rows.ts';

/* The numbers on either side of a picture. The index answers; only the block that an edge divides is looked into. */

const slice = new RowSlice();

/** The newest number of a key before `time`, of equal ones the latest arrival. */
export function newestBefore(source: SortedRows, key: string, time: Micros): KeyReading | null {
  if (source.first >= time) return null;
  if (source instanceof CorrectedRows) return correctedBefore(source, key, time);
  const many = partsOf(source, key);
  if (many !== null) return newestOf(many.map((part) => newestBefore(part, key, time)));
  if (!(source instanceof Run)) return lastIn(source, key, 0, source.rowsBefore(time, false));
  const keyTable = source.keyTable(key);
  if (keyTable === undefined) return null;
  const { table } = source;
  const divided = table.blockEnding(time, false);
  let entry = keyTable.entryFrom(divided);
  if (entry < keyTable.count && keyTable.blockOf(entry) === divided && keyTable.numericOf(entry) > 0) {
    if (keyTable.firstTimeOf(entry) < time) {
      const block = source.block(divided);
      return lastIn(block, key, 0, block.rowsBefore(time, false));
    }
  }
  while (--entry >= 0)
    if (keyTable.numericOf(entry) > 0)
      return { instant: keyTable.lastTimeOf(entry), value: keyTable.lastOf(entry) };
  return null;
}

/** The oldest number of a key after `time`, of equal ones the earliest arrival. */
export function oldestAfter(source: SortedRows, key: string, time: Micros): KeyReading | null {
  if (source.last <= time) return null;
  if (source instanceof CorrectedRows) return correctedAfter(source, key, time);
  const many = partsOf(source, key);
  if (many !== null) return oldestOf(many.map((part) => oldestAfter(part, key, time)));
  if (!(source instanceof Run)) return firstIn(source, key, source.rowsBefore(time, true), source.rows);
  const keyTable = source.keyTable(key);
  if (keyTable === undefined) return null;
  const divided = source.table.blockEnding(time, true);
  let entry = keyTable.entryFrom(divided);
  if (entry < keyTable.count && keyTable.blockOf(entry) === divided && keyTable.numericOf(entry) > 0) {
    if (keyTable.firstTimeOf(entry) <= time && keyTable.lastTimeOf(entry) > time) {
      const block = source.block(divided);
      return firstIn(block, key, block.rowsBefore(time, true), block.rows);
    }
    if (keyTable.lastTimeOf(entry) <= time) entry++;
  }
  for (; entry < keyTable.count; entry++)
    if (keyTable.numericOf(entry) > 0)
      return { instant: keyTable.firstTimeOf(entry), value: keyTable.firstOf(entry) };
  return null;
}

/** The sources that a source of several is made of, as far as they say all of a key; null for any other. */
function partsOf(source: SortedRows, key: string): readonly SortedRows[] | null {
  if (source instanceof DerivedRows && source.derived.has(key)) return null;
  return source instanceof MergedRows ? source.sources : null;
}

/** Of equal instants that of the later source arrived later. */
const newestOf = (readings: readonly (KeyReading | null)[]) =>
  readings.reduce((newest, reading) =>
    reading !== null && reading.instant >= (newest?.instant ?? -Infinity) ? reading : newest,
  );

const oldestOf = (readings: readonly (KeyReading | null)[]) =>
  readings.reduce((oldest, reading) =>
    reading !== null && reading.instant < (oldest?.instant ?? Infinity) ? reading : oldest,
  );

/** The newest cell of a key before `time`, whatever it holds. */
export interface HeldCell {
  readonly instant: Micros;
  readonly kind: number;
  readonly number: number;
  /** "" where it is no text. */
  readonly text: string;
}

/** Returns the last reading before, over several sources: of equal instants that of the later source arrived later. */
export function heldBefore(sources: readonly SortedRows[], key: string, time: Micros): HeldCell | null {
  let held: HeldCell | null = null;
  for (const source of sources) {
    if (source.rows === 0 || source.first >= time) continue;
    const cell = heldIn(source, key, time);
    if (cell !== null && cell.instant >= (held?.instant ?? -Infinity)) held = cell;
  }
  return held;
}

/** The newest cell of a key in one source before `time`, whatever it holds. */
export function heldIn(source: SortedRows, key: string, time: Micros): HeldCell | null {
  if (source instanceof CorrectedRows) return correctedHeld(source, key, time);
  const many = partsOf(source, key);
  if (many !== null) return heldBefore(many, key, time);
  return source instanceof Run
    ? cellOfRun(source, key, time)
    : cellIn(source, key, source.rowsBefore(time, false));
}

function cellOfRun(run: Run, key: string, time: Micros): HeldCell | null {
  const keyTable = run.keyTable(key);
  if (keyTable === undefined) return null;
  const divided = run.table.blockEnding(time, false);
  let entry = keyTable.entryFrom(divided);
  if (entry === keyTable.count || keyTable.blockOf(entry) > divided) entry--;
  for (; entry >= 0; entry--) {
    const block = run.block(keyTable.blockOf(entry));
    const cell = cellIn(block, key, block.rowsBefore(time, false));
    if (cell !== null) return cell;
  }
  return null;
}

function cellIn(rows: Rows, key: string, to: number): HeldCell | null {
  for (let end = to; end > 0; end -= GROUP) {
    const from = Math.max(0, end - GROUP);
    readCells(rows, key, from, end);
    const [cells] = slice.columns;
    if (cells === undefined) continue;
    for (let row = end - from - 1; row >= 0; row--) {
      const kind = cells.kinds[row]!;
      if (kind === ABSENT) continue;
      const text = kind === TEXT ? cells.texts[row]! : '';
      return { instant: slice.times[row]!, kind, number: cells.numbers[row]!, text };
    }
  }
  return null;
}

/** Rows of a source or a block, read a group at a time: mostly the first one has a number. */
type Rows = Pick<SortedRows, 'readInto'>;

function lastIn(rows: Rows, key: string, from: number, to: number): KeyReading | null {
  for (let end = to; end > from; end = Math.max(from, end - GROUP)) {
    const size = Math.min(GROUP, end - from);
    readCells(rows, key, end - size, end);
    for (let row = size - 1; row >= 0; row--) {
      const found = numberAt(row);
      if (found !== null) return found;
    }
  }
  return null;
}

function firstIn(rows: Rows, key: string, from: number, to: number): KeyReading | null {
  for (let start = from; start < to; start += GROUP) {
    const size = Math.min(GROUP, to - start);
    readCells(rows, key, start, start + size);
    for (let row = 0; row < size; row++) {
      const found = numberAt(row);
      if (found !== null) return found;
    }
  }
  return null;
}

function readCells(rows: Rows, key: string, from: number, to: number): void {
  rows.readInto(slice, from, to, { keys: new Set([key]), received: false });
}

/** Returns the reading of the one key in a row. */
function numberAt(row: number): KeyReading | null {
  const [cells] = slice.columns;
  if (cells === undefined || cells.kinds[row] === ABSENT || cells.kinds[row] === TEXT) return null;
  return { instant: slice.times[row]!, value: cells.numbers[row]! };
}

/*
 * The same through corrections: what a stored source answers is mapped, and where its key is left out there the search goes on
 * beyond that.
 */

function correctedBefore(source: CorrectedRows, key: string, time: Micros): KeyReading | null {
  const { from, to } = source.storedWithin(-Infinity, time - 1);
  for (let end = to; end >= from;) {
    const reading = newestBefore(source.inner, key, end + 1);
    if (reading === null || reading.instant < from) return null;
    const rule = source.rules.at(reading.instant);
    if (!rule.leavesOut(key)) return correctedReading(source, rule, key, reading, 'last');
    end = rule.from - 1;
  }
  return null;
}

function correctedAfter(source: CorrectedRows, key: string, time: Micros): KeyReading | null {
  const { from, to } = source.storedWithin(time + 1, Infinity);
  for (let start = from; start <= to;) {
    const reading = oldestAfter(source.inner, key, start - 1);
    if (reading === null || reading.instant > to) return null;
    const rule = source.rules.at(reading.instant);
    if (!rule.leavesOut(key)) return correctedReading(source, rule, key, reading, 'first');
    start = rule.to + 1;
  }
  return null;
}

function correctedHeld(source: CorrectedRows, key: string, time: Micros): HeldCell | null {
  const { from, to } = source.storedWithin(-Infinity, time - 1);
  for (let end = to; end >= from;) {
    const cell = heldIn(source.inner, key, end + 1);
    if (cell === null || cell.instant < from) return null;
    const rule = source.rules.at(cell.instant);
    if (!rule.leavesOut(key)) {
      const map = cell.kind === NUMBER ? rule.maps.get(key) : undefined;
      const number = map?.of(cell.number) ?? cell.number;
      return { ...cell, instant: source.correctedTime(cell.instant), number };
    }
    end = rule.from - 1;
  }
  return null;
}

/** `which`: of those at its instant. */
function correctedReading(
  source: CorrectedRows,
  { maps }: CellRule,
  key: string,
  { instant, value }: KeyReading,
  which: 'first' | 'last',
): KeyReading {
  const map = maps.get(key);
  const time = source.correctedTime(instant);
  // A boolean is 0 or 1, and no reading that is calibrated.
  const isMapped =
    map !== undefined && ((value !== 0 && value !== 1) || isNumberAt(source.inner, key, instant, which));
  return { instant: time, value: isMapped ? map.of(value) : value };
}

function isNumberAt(source: SortedRows, key: string, instant: Micros, which: 'first' | 'last'): boolean {
  const kinds: number[] = [];
  const to = source.rowsBefore(instant, true);
  for (let row = source.rowsBefore(instant, false); row < to;) {
    const end = Math.min(to, source.stretch(row).to);
    readCells(source, key, row, end);
    for (const kind of slice.columns[0]?.kinds.subarray(0, end - row) ?? [])
      if (kind !== ABSENT && kind !== TEXT) kinds.push(kind);
    row = end;
  }
  return (which === 'first' ? kinds[0] : kinds.at(-1)) === NUMBER;
}
