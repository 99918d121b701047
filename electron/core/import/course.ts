import type { Examination } from '#shared/operations/records/records.ts';
import { NUMBER, TEXT } from '../store/record-columns.ts';
import type { Columnar, StoredRecord } from '../store/store.ts';

type CourseOfFile = Examination['course'];

/** Stretches that a file is told in: at most so many, at least half of them once it has as many rows. */
const MOST_STRETCHES = 96;
/** Keys whose course is told: 300 are many, and each costs 2 numbers a stretch. */
const MOST_KEYS = 512;

/** Course of one key: the smallest and the largest number of each stretch, and how many values of each kind it has. */
class KeyCourse {
  readonly least = new Float64Array(MOST_STRETCHES).fill(Infinity);
  readonly most = new Float64Array(MOST_STRETCHES).fill(-Infinity);
  numbers = 0;
  texts = 0;
  text: string | null = null;

  number(stretch: number, value: number): void {
    this.numbers++;
    if (value < this.least[stretch]!) this.least[stretch] = value;
    if (value > this.most[stretch]!) this.most[stretch] = value;
  }

  word(text: string): void {
    this.texts++;
    this.text ??= text;
  }

  /** Joins each two stretches. */
  halve(): void {
    for (let at = 0; at < MOST_STRETCHES / 2; at++) {
      this.least[at] = Math.min(this.least[2 * at]!, this.least[2 * at + 1]!);
      this.most[at] = Math.max(this.most[2 * at]!, this.most[2 * at + 1]!);
    }
    this.least.fill(Infinity, MOST_STRETCHES / 2);
    this.most.fill(-Infinity, MOST_STRETCHES / 2);
  }
}

/**
 * Course of a file in the order of its rows, in bounded memory: stretches of as many rows each, which are joined by twos as
 * often as there are too many. A time that steps back, or a day and a month that are confused, show in the times.
 */
export class Course {
  readonly #times = new Float64Array(MOST_STRETCHES);
  readonly #keys = new Map<string, KeyCourse>();
  #rows = 0;
  /** Rows of a stretch. */
  #per = 1;

  addColumns({ size, times, columns }: Columnar): void {
    const courses = columns.map(({ key }) => this.#of(key));
    for (let row = 0; row < size;) {
      const stretch = this.#stretch(times[row]!);
      const end = Math.min(size, row + this.#per - (this.#rows % this.#per));
      for (const [at, { kinds, numbers, texts }] of columns.entries()) {
        const course = courses[at];
        if (!course) continue;
        for (let i = row; i < end; i++)
          if (kinds[i] === NUMBER) course.number(stretch, numbers[i]!);
          else if (kinds[i] === TEXT) course.word(texts[i]!);
      }
      this.#rows += end - row;
      row = end;
    }
  }

  add({ timestamp, keys, values }: StoredRecord): void {
    const stretch = this.#stretch(timestamp);
    for (const [at, key] of keys.entries()) {
      const value = values[at];
      if (typeof value === 'number') this.#of(key)?.number(stretch, value);
      else if (typeof value === 'string') this.#of(key)?.word(value);
    }
    this.#rows++;
  }

  /** The stretch of the next row, which has this time. */
  #stretch(time: number): number {
    if (this.#rows === this.#per * MOST_STRETCHES) {
      for (let at = 0; at < MOST_STRETCHES / 2; at++) this.#times[at] = this.#times[2 * at]!;
      for (const course of this.#keys.values()) course.halve();
      this.#per *= 2;
    }
    const stretch = Math.floor(this.#rows / this.#per);
    if (this.#rows % this.#per === 0) this.#times[stretch] = time;
    return stretch;
  }

  /** Undefined beyond the keys that are told. */
  #of(key: string): KeyCourse | undefined {
    const known = this.#keys.get(key);
    if (known || this.#keys.size === MOST_KEYS) return known;
    const course = new KeyCourse();
    this.#keys.set(key, course);
    return course;
  }

  tell(): CourseOfFile {
    const size = Math.ceil(this.#rows / this.#per);
    const told = (numbers: Float64Array) =>
      Array.from(numbers.subarray(0, size), (number) => (Number.isFinite(number) ? number : null));
    return {
      times: [...this.#times.subarray(0, size)],
      keys: [...this.#keys].map(([key, { least, most, numbers, texts, text }]) => ({
        key,
        least: told(least),
        most: told(most),
        numbers,
        texts,
        text: text === null ? null : text.slice(0, MOST_LETTERS),
      })),
    };
  }
}

/** Letters of a text that are told. */
const MOST_LETTERS = 100;
