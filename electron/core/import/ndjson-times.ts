import { countOf } from '#shared/values/counts.ts';
import type { Doubt } from '#shared/operations/records/records.ts';
import { formatMicros, type Micros } from '#shared/values/time.ts';
import { quote } from '#shared/values/validate.ts';
import type { Value } from '../store/store.ts';
import { notSeen, see } from './text/seen.ts';
import { guessTime } from './time/guess-time.ts';
import { epochUnit } from './time/time-format.ts';
import { isTimeName } from './time/time-name.ts';
import { notesOf1970, TimeWatch } from './time/time-watch.ts';

/** What seconds since 1970, from 2000 on, are as milliseconds, in µs: some days in January 1970. */
const SECONDS_FROM = (Date.UTC(2000, 0) / 1000) * 1000;
/** A year after the present, the same way. */
const secondsTo = (now: Micros) => now / 1000 + 366 * 86_400_000;
const IN_1971 = Date.UTC(1971, 0) * 1000;
const NAME = 'timestamp';

/** Short names that many devices give their times. */
const SHORT_TIME_NAME = /(?:^|[._])(?:ts|t|datetime)$/i;

/** Watches the times of the records of NDJSON, in their order: what of them may be meant otherwise. */
export class NdjsonTimes {
  readonly #now: Micros;
  readonly #watch: TimeWatch;
  readonly #latestSecond: Micros;
  readonly #old = notSeen();
  #records = 0;
  #untimed = 0;
  #asSeconds: Micros | null = null;
  #seconds = 0;
  /** A key that seems to hold the times, of the first record that carries none. */
  #other: { readonly key: string; readonly value: Value } | null = null;

  constructor(now: Micros) {
    this.#now = now;
    this.#watch = new TimeWatch(true, now);
    this.#latestSecond = secondsTo(now);
  }

  /** Whether the keys of a record without a time are still to be looked at. */
  get wantsKeys(): boolean {
    return this.#untimed === 0;
  }

  /** A record that carries its time. */
  timed(instant: Micros): void {
    this.#records++;
    if (instant >= SECONDS_FROM && instant <= this.#latestSecond && instant % 1000 === 0) {
      this.#asSeconds ??= instant;
      this.#seconds++;
    } else if (instant >= 0 && instant < IN_1971) see(this.#old, formatMicros(instant), this.#records);
    if (!this.#watch.passes(instant, instant))
      this.#watch.see(instant, instant, formatMicros(instant), this.#records);
  }

  /** A record that carries none; its keys and values, where they are asked for. */
  untimed(keys: readonly string[] = [], values: readonly Value[] = []): void {
    this.#records++;
    if (this.#untimed++ > 0) return;
    const at = keys.findIndex((key, index) => maySayTime(key, values[index], this.#now));
    const [key, value] = [keys[at], values[at]];
    if (key !== undefined && value !== undefined) this.#other = { key, value };
  }

  doubts(): Doubt[] {
    return [...this.#doubtsOfNone(), ...this.#doubtsOfSeconds()];
  }

  /** What was noticed, doubts among it. */
  notes(): string[] {
    return [
      ...this.doubts().map(({ message }) => message),
      ...notesOf1970(NAME, this.#old, 'record'),
      ...this.#watch.notes(NAME, true, 'record'),
    ];
  }

  #doubtsOfNone(): Doubt[] {
    if (this.#untimed === 0) return [];
    const other = this.#other;
    const who =
      this.#untimed === this.#records
        ? 'The records carry'
        : `${this.#untimed} of ${countOf(this.#records, 'record')} ${this.#untimed === 1 ? 'carries' : 'carry'}`;
    const call = other
      ? ` ${quote(other.key)}, such as ${quote(other.value)}, may be their time: it is kept as a value, and has to be called ${quote(NAME)} to be one.`
      : '';
    return [
      {
        setting: 'time_column',
        options: [],
        columns: other ? [other.key] : [],
        message: `${who} no ${quote(NAME)}, so the time of the import counts for ${this.#untimed === this.#records ? 'all of them' : 'them'}.${call}`,
      },
    ];
  }

  #doubtsOfSeconds(): Doubt[] {
    if (this.#asSeconds === null || this.#seconds * 2 < this.#records - this.#untimed) return [];
    const number = this.#asSeconds / 1000;
    return [
      {
        setting: 'time_kind',
        options: ['epoch-ms'],
        columns: [NAME],
        message: `The times of ${quote(NAME)}, such as ${number}, are taken for milliseconds since 1970, by which they are of ${dayOf(this.#asSeconds)}. As seconds they would be of ${dayOf(number * 1e6)}; write them as milliseconds then.`,
      },
    ];
  }
}

const dayOf = (micros: Micros) => formatMicros(micros).slice(0, 10);

function maySayTime(key: string, value: Value | undefined, now: Micros): boolean {
  if (typeof value === 'string') return guessTime([value.trim()], { now })?.format.kind === 'calendar';
  if (typeof value !== 'number' || epochUnit(value) === null) return false;
  return isTimeName(key) || SHORT_TIME_NAME.test(key);
}
