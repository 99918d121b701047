import type { Lens, StoredRecord, Value } from '#core/store/store.ts';
import { lensOf } from '../excursions/draw-lens.ts';
import { Random } from '../files/random.ts';
import { drawRanges, drawRule, KEYS, type DrawnRanges, type DrawnRule } from './draw-rule.ts';

/* Random streams: what becomes of a device while a rule watches it. */

export type Device = 'd' | 'e';
interface Span {
  readonly start: number;
  readonly end: number;
}
/** What happens to what is stored. */
export type Act =
  | { readonly do: 'append' | 'import'; readonly device: Device; readonly records: readonly StoredRecord[] }
  | { readonly do: 'delete'; readonly range: Span }
  | { readonly do: 'keep'; readonly name: string; readonly range: Span | null }
  | { readonly do: 'restore'; readonly name: string }
  | {
      readonly do: 'replace';
      readonly name: string;
      readonly range: Span;
      readonly records: readonly StoredRecord[];
    };
export interface Step {
  readonly acts: readonly Act[];
  /** Call of the store, counted within the look, before which the acts are done; null: before the look. */
  readonly at: number | null;
  readonly now: number;
  readonly after: number;
  /** Place of the lens through which it is read; null: as stored. */
  readonly lens: number | null;
  /** Whether the watch is a new one. */
  readonly isRestart: boolean;
}
export interface Stream {
  readonly rule: DrawnRule;
  readonly ranges: DrawnRanges;
  readonly lenses: readonly Lens[];
  readonly limits: { readonly scanned: number; readonly edges: number };
  readonly steps: readonly Step[];
}

const BASES = [0, 1_772_483_421_202_946] as const;

export function drawStream(seed: number): Stream {
  const random = new Random(seed);
  const step = random.of([10, 1000, 1_000_000, 60_000_000]);
  const source = new Source(random, step, random.of(BASES));
  const rule = drawRule(random, step);
  const ranges = drawRanges(random);
  const length = random.of([3, 8, 8, 15, 25]);
  const wild = random.of([0, 0.1, 0.5]);
  const isCorrected = random.chance(1 / 3);
  let lens: number | null = null;
  const steps: Step[] = [];
  for (let n = 0; n < length; n++) {
    const acts = Array.from({ length: random.of([0, 1, 1, 1, 2]) }, () => source.act(n > 0 ? wild : 0));
    if (isCorrected && random.chance(1 / 4)) lens = random.of([null, 0, 1]);
    steps.push({
      acts,
      at: acts.length > 0 && random.chance(1 / 5) ? random.int(0, 12) : null,
      now: source.now(),
      after: random.chance(1 / 4) ? source.instant() : -Infinity,
      lens,
      isRestart: random.chance(1 / 10),
    });
  }
  const lenses = [0, 1].map(() => lensOf(random, source.times, 'e'));
  return {
    rule,
    ranges,
    lenses,
    limits: { scanned: random.of([0, 0, 3, 4096]), edges: random.of([1, 2, 5, 65_536]) },
    steps,
  };
}

class Source {
  readonly times: number[] = [];
  readonly #random: Random;
  readonly #step: number;
  #time: number;
  #level = 0;
  #last: StoredRecord | null = null;
  #names = 0;

  constructor(random: Random, step: number, base: number) {
    this.#random = random;
    this.#step = step;
    this.#time = base;
  }

  /** About a time of a record. */
  instant(): number {
    const random = this.#random;
    const { length } = this.times;
    const time = length === 0 ? this.#time : this.times[random.int(0, length - 1)]!;
    return time + random.of([0, 0, -1, 1, this.#step]);
  }

  now(): number {
    const random = this.#random;
    return this.#time + random.of([0, 1, -5, 0.5, 1, 2, 10, 100]) * this.#step;
  }

  act(wild: number): Act {
    const random = this.#random;
    if (!random.chance(wild)) return this.#append();
    const range = { start: this.instant(), end: this.instant() };
    if (range.start > range.end) [range.start, range.end] = [range.end, range.start];
    const fresh = () => `kept-${this.#names++}`;
    switch (random.int(0, 5)) {
      case 0:
        return { do: 'import', device: 'd', records: this.#records(random.int(1, 6)) };
      case 1:
        return { do: 'delete', range };
      case 2:
        return { do: 'keep', name: fresh(), range };
      case 3:
        return { do: 'keep', name: fresh(), range: null };
      case 4:
        return { do: 'replace', name: fresh(), range, records: this.#records(random.int(0, 3)) };
      default:
        return { do: 'restore', name: `kept-${random.int(0, Math.max(0, this.#names - 1))}` };
    }
  }

  #append(): Act {
    const random = this.#random;
    const records = this.#records(random.of([1, 1, 1, 2, 5, 12]));
    return { do: 'append', device: random.chance(1 / 12) ? 'e' : 'd', records };
  }

  #records(length: number): StoredRecord[] {
    return Array.from({ length }, () => this.#record());
  }

  /** In order, at the same instant, late, of the future, or the same once more. */
  #record(): StoredRecord {
    const random = this.#random;
    if (this.#last !== null && random.chance(1 / 12)) return { ...this.#last };
    let timestamp = (this.#time += random.of([1, 1, 1, 1, 0, 3, 7]) * this.#step);
    if (random.chance(1 / 8)) timestamp = this.instant() - random.of([0, 0, 3 * this.#step]);
    else if (random.chance(1 / 40)) timestamp += 200 * this.#step;
    this.#level += random.of([0, 0, 0.5, -0.5, 1, -1]);
    if (Math.abs(this.#level) > 4) this.#level = 0;
    const fields: [string, Value][] = [];
    for (const key of KEYS) {
      if (random.chance(1 / 3)) continue;
      const odd: Value[] = ['on', 'off', true, false, 0, 1];
      fields.push([key, key === 'm' || random.chance(1 / 12) ? random.of(odd) : this.#level]);
    }
    if (fields.length === 0) fields.push(['z', 1]);
    this.times.push(timestamp);
    const received = this.#time;
    this.#last = {
      timestamp,
      received,
      keys: fields.map(([key]) => key),
      values: fields.map(([, value]) => value),
    };
    return this.#last;
  }
}
