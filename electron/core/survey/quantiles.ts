/*
 * Quantiles of any number of numbers in little memory. All of them are kept while they are few. Beyond that every full
 * level is sorted and every second number of it goes on to the next, where it counts twice (Manku, Rajagopalan and
 * Lindsay, SIGMOD 1998, as Karnin, Lang and Liberty draw it): how far a rank may be off then is known, whatever the
 * numbers are like.
 */

/** Numbers kept for one key, where there are few keys; and for all keys of a survey together. */
const MOST_OF_KEY = 32_768;
const MOST_OF_ALL = 524_288;
const LEAST = 128;

/** Returns the numbers of a key kept on each level, in a survey of so many keys. */
export function roomOf(keys: number): number {
  const room = Math.floor(MOST_OF_ALL / Math.max(1, keys) / 2) * 2;
  return Math.max(LEAST, Math.min(MOST_OF_KEY, room));
}

interface Level {
  numbers: Float64Array;
  size: number;
  /** Whether the next time it is full the odd places go on; taking turns, the errors cancel. */
  odd: boolean;
}

export class Quantiles {
  readonly #room: number;
  readonly #levels: Level[] = [];
  #count = 0;

  /** `room` is even. */
  constructor(room: number) {
    this.#room = room;
  }

  /** Ranks may be off by at most this part of how many numbers there are; 0 is exact. */
  get error(): number {
    const passes = this.#levels.length - 1;
    return passes <= 0 ? 0 : passes / this.#room;
  }

  add(value: number): void {
    this.#count++;
    this.#push(0, value);
  }

  /** For each percentage the least number that at least so many of all are not above; NaN without numbers. */
  at(percents: readonly number[]): number[] {
    const levels = this.#levels.map(({ numbers, size }, level) => ({
      sorted: numbers.subarray(0, size).toSorted(),
      weight: 2 ** level,
      next: 0,
    }));
    const ascending = percents.toSorted((a, b) => a - b);
    const found = new Map<number, number>();
    let [counted, value] = [0, Number.NaN];
    for (const percent of ascending) {
      const rank = Math.max(1, Math.ceil((percent * this.#count) / 100));
      while (counted < rank) {
        const least = leastOf(levels);
        if (least === null) break;
        value = least.sorted[least.next++]!;
        counted += least.weight;
      }
      found.set(percent, value);
    }
    return percents.map((percent) => found.get(percent)!);
  }

  #push(index: number, value: number): void {
    const level = (this.#levels[index] ??= {
      numbers: new Float64Array(Math.min(64, this.#room)),
      size: 0,
      odd: false,
    });
    if (level.size === level.numbers.length) this.#makeRoom(level, index);
    level.numbers[level.size++] = value;
  }

  #makeRoom(level: Level, index: number): void {
    const { numbers } = level;
    if (numbers.length < this.#room) {
      level.numbers = new Float64Array(Math.min(this.#room, numbers.length * 2));
      level.numbers.set(numbers);
      return;
    }
    const sorted = index === 0 ? numbers.toSorted() : mergeHalves(numbers);
    level.size = 0;
    for (let i = level.odd ? 1 : 0; i < sorted.length; i += 2) this.#push(index + 1, sorted[i]!);
    level.odd = !level.odd;
  }
}

/** Numbers of a level in order, each of which counts `weight` times, up to `next`. */
interface SortedLevel {
  readonly sorted: Float64Array;
  readonly weight: number;
  next: number;
}

/** The level whose next number is the least; null where none has one. */
function leastOf(levels: readonly SortedLevel[]): SortedLevel | null {
  let least: SortedLevel | null = null;
  for (const level of levels) {
    if (level.next === level.sorted.length) continue;
    if (least === null || level.sorted[level.next]! < least.sorted[least.next]!) least = level;
  }
  return least;
}

/** Merges two sorted halves from the level below. */
function mergeHalves(numbers: Float64Array): Float64Array {
  const merged = new Float64Array(numbers.length);
  const half = numbers.length / 2;
  let [low, high] = [0, half];
  for (let i = 0; i < merged.length; i++) {
    const isLow = high === numbers.length || (low < half && numbers[low]! <= numbers[high]!);
    merged[i] = numbers[isLow ? low++ : high++]!;
  }
  return merged;
}
