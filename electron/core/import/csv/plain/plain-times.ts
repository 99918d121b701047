import { digitOf } from '../../../ingest/number.ts';
import { EPOCH_SHIFT, EPOCH_UNITS, ELAPSED_MICROS, type TimeFormat } from '../../time/time-format.ts';
import type { PlainTimes } from '../../time/row-time.ts';
import { readPlainNumber } from './number.ts';
import { cellEnd, COLON, found, ODD, QUOTE } from './place.ts';
import {
  hasTimeOfDay,
  readPlainDate,
  readPlainEpoch,
  readPlainSeconds,
  readPlainTimeOfDay,
  readSecondsInUtc,
  readTwo,
  type EpochShape,
} from './time.ts';

/** Well inside the years that a record may carry, so that no zone leads out of them. */
const FIRST = Date.UTC(1701, 0) * 1000;
const LAST = Date.UTC(2199, 0) * 1000;

/** Bytes of a time up to its seconds: `2026-11-26T08:15:`. */
const MINUTE_BYTES = 17;
const MINUTE_MICROS = 60_000_000;
const HOUR_AT = 11;
const MINUTE_AT = 14;
/** No byte of UTF-8. */
const NO_BYTE = 255;

/** Reads the times of ordinary rows from bytes. `take` follows the cells of a row that it belongs to. */
export class PlainTimeColumns {
  /** The column of a row's time, and that of its time of day, or -1. */
  readonly index: number;
  readonly clock: number;
  readonly #times: PlainTimes;
  readonly #format: TimeFormat;
  readonly #epoch: EpochShape | null;
  readonly #delimiter: number;
  /** One number. */
  readonly #elapsed = new Float64Array(1);
  /** The last date and minute that were read, as they were written: most rows have those of the row before. */
  readonly #minute = new Uint8Array(MINUTE_BYTES).fill(NO_BYTE);
  #minuteDate = 0;
  /** The time of that minute, where it has an hour of the 24. */
  #minuteTime = NaN;
  /** Whether a date has yet to say whether the order was guessed rightly. */
  #isUnsure = false;
  #date = 0;
  #timeOfDay = 0;
  #zoned = false;

  constructor(times: PlainTimes, delimiter: number) {
    const { column } = times;
    this.index = column.index;
    this.clock = column.clock ?? -1;
    this.#times = times;
    this.#format = column.format;
    this.#epoch = column.format.kind === 'epoch' ? shapeOf(column.format) : null;
    this.#delimiter = delimiter;
  }

  /** Learns what is known of the times by now. */
  refresh(): void {
    this.#isUnsure = this.#times.unsure();
  }

  /** Reads the cell at `from`; returns where it ends, or ODD. */
  read(bytes: Buffer, from: number): number {
    const quoted = bytes[from] === QUOTE;
    return cellEnd(bytes, this.#read(bytes, quoted ? from + 1 : from), quoted);
  }

  /** The same for the time of day in its own column. */
  readClock(bytes: Buffer, from: number): number {
    const quoted = bytes[from] === QUOTE;
    return cellEnd(bytes, this.#readTimeOfDay(bytes, quoted ? from + 1 : from), quoted);
  }

  #read(bytes: Buffer, from: number): number {
    const format = this.#format;
    if (format.kind === 'calendar') {
      if (this.clock === -1 && !this.#isUnsure && this.#isMinute(bytes, from)) {
        const micros = readSecondsInUtc(bytes, from + MINUTE_BYTES);
        if (micros !== ODD && !Number.isNaN(this.#minuteTime)) {
          this.#date = this.#minuteTime;
          this.#timeOfDay = micros;
          this.#zoned = true;
          return found.end;
        }
        this.#date = this.#minuteDate;
        return this.#tookTimeOfDay(
          readPlainSeconds(
            bytes,
            from + MINUTE_BYTES,
            readTwo(bytes, from + HOUR_AT),
            readTwo(bytes, from + MINUTE_AT),
            this.#delimiter,
          ),
        );
      }
      const end = readPlainDate(bytes, from, format.order);
      if (end === ODD || (this.#isUnsure && tellsOrder(bytes, from))) return ODD;
      this.#date = found.time[0]!;
      if (this.clock !== -1) return end;
      if (hasTimeOfDay(bytes, end)) {
        if (format.order === 'year-first') this.#noteMinute(bytes, from);
        return this.#readTimeOfDay(bytes, end + 1);
      }
      this.#timeOfDay = 0;
      this.#zoned = false;
      return end;
    }
    this.#zoned = true;
    this.#timeOfDay = 0;
    if (this.#epoch !== null) {
      const end = readPlainEpoch(bytes, from, this.#epoch, this.#delimiter);
      this.#date = found.time[0]!;
      return end;
    }
    if (format.kind !== 'elapsed') return ODD;
    const mark = (format.mark ?? '.').charCodeAt(0);
    const end = readPlainNumber(bytes, from, mark === this.#delimiter ? 0 : mark, false, this.#elapsed, 0);
    this.#date = Math.round(this.#elapsed[0]! * ELAPSED_MICROS[format.unit]);
    return end;
  }

  /** Whether the date and minute are those of the row before. */
  #isMinute(bytes: Buffer, from: number): boolean {
    const minute = this.#minute;
    // Backwards: what differs most often stands last.
    for (let i = MINUTE_BYTES - 1; i >= 0; i--) if (bytes[from + i] !== minute[i]) return false;
    return true;
  }

  /** Notes the date that was read, and its minute where each part has two digits: else the colons stand elsewhere. */
  #noteMinute(bytes: Buffer, from: number): void {
    if (bytes[from + MINUTE_AT - 1] !== COLON || bytes[from + MINUTE_BYTES - 1] !== COLON) return;
    const hour = readTwo(bytes, from + HOUR_AT);
    const minute = readTwo(bytes, from + MINUTE_AT);
    if (hour > 99 || minute > 59) return;
    this.#minute.set(bytes.subarray(from, from + MINUTE_BYTES));
    this.#minuteDate = this.#date;
    this.#minuteTime = hour > 23 ? NaN : this.#date + (hour * 60 + minute) * MINUTE_MICROS;
  }

  #readTimeOfDay(bytes: Buffer, from: number): number {
    return this.#tookTimeOfDay(readPlainTimeOfDay(bytes, from, this.#delimiter));
  }

  #tookTimeOfDay(end: number): number {
    this.#timeOfDay = found.time[0]!;
    this.#zoned = found.zoned;
    return end;
  }

  /**
   * Puts the instant of the row whose cells were read at `times[row]`; says no where it must be read as text: outside of
   * what a record may carry, or the first of a kind that people are told of.
   */
  take(times: Float64Array, row: number): boolean {
    const time = this.#date + this.#timeOfDay;
    const { watch, start, toInstant } = this.#times;
    if (this.#format.kind === 'elapsed' && !this.#times.rises(time)) return false;
    if (!this.#zoned && !(time > FIRST && time < LAST && (watch?.mayPass(time) ?? true))) return false;
    const instant = this.#zoned ? time + start : toInstant(time);
    if (!(instant > FIRST && instant < LAST)) return false;
    times[row] = instant;
    return watch === null || watch.passes(instant, time);
  }
}

/** Whether the first or second number of a date is above 12, so that only one of them can be the month. */
function tellsOrder(bytes: Buffer, from: number): boolean {
  let at = from;
  let first = 0;
  for (let digit = digitOf(bytes[at]); digit < 10; digit = digitOf(bytes[++at])) first = first * 10 + digit;
  let second = 0;
  for (let digit = digitOf(bytes[++at]); digit < 10; digit = digitOf(bytes[++at]))
    second = second * 10 + digit;
  return first > 12 || second > 12;
}

function shapeOf({ unit, only }: Extract<TimeFormat, { readonly kind: 'epoch' }>): EpochShape {
  const shift = EPOCH_SHIFT[unit];
  const rank = EPOCH_UNITS.findIndex(([known]) => known === unit);
  const least = EPOCH_UNITS[rank]?.[1] ?? 0;
  return {
    unit,
    least: only ? least : 0,
    below: only ? (EPOCH_UNITS[rank - 1]?.[1] ?? Infinity) : Infinity,
    shift,
  };
}
