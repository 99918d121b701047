import { lowerBound } from '#shared/values/lower-bound.ts';
import { LEFT_OUT, type Correction, type QualityFlag } from '#shared/domain/corrections.ts';
import type { Micros } from '#shared/values/time.ts';
import { ABSENT } from '../block/cell-kind.ts';
import type { RowSlice } from '../block/row-slice.ts';
import { valueMapOf, type ValueMap } from './value-map.ts';

/** What becomes of the cells of a stretch of stored time. */
export interface CellRule {
  /** Stored times, both ends inclusive. */
  readonly from: Micros;
  readonly to: Micros;
  readonly maps: ReadonlyMap<string, ValueMap>;
  /** Whether a key is left out by the newest flag that names it. */
  readonly leavesOut: (key: string) => boolean;
  /** Whether the cells are as they were stored. */
  readonly isPlain: boolean;
}

const KEEPS = () => false;

/** Calibrations and flags of a device as rules for stretches of stored time that follow one another without a gap. */
export class CellRules {
  readonly rules: readonly CellRule[];
  /** Where each rule begins; the first at -Infinity. */
  readonly #starts: Float64Array;

  constructor(corrections: readonly Correction[]) {
    const calibrations = corrections.filter((each) => each.kind === 'calibration');
    const flags = corrections.filter((each) => each.kind === 'quality');
    const maps = new Map(calibrations.map((each) => [each, valueMapOf(each)]));
    const edges = new Set([-Infinity]);
    for (const { from, to } of [...calibrations, ...flags]) {
      if (from !== undefined) edges.add(from);
      if (to !== undefined) edges.add(to + 1);
    }
    this.#starts = Float64Array.from(edges).toSorted();
    this.rules = Array.from(this.#starts, (from, i) => {
      const to = (this.#starts[i + 1] ?? Infinity) - 1;
      const here = calibrations.filter((each) => covers(each, from));
      const flagged = flags.filter((each) => covers(each, from));
      return {
        from,
        to,
        maps: new Map(here.map((each) => [each.key, maps.get(each)!])),
        leavesOut: leavesOutOf(flagged),
        isPlain: here.length === 0 && !flagged.some(({ quality }) => LEFT_OUT.has(quality)),
      };
    });
  }

  /** Whether it leaves all cells as they were stored. */
  get arePlain(): boolean {
    return this.rules.every(({ isPlain }) => isPlain);
  }

  /** The place of the rule for a stored time. */
  placeOf(stored: Micros): number {
    return lowerBound(this.#starts, 0, this.#starts.length, stored + 1) - 1;
  }

  at(stored: Micros): CellRule {
    return this.rules[this.placeOf(stored)]!;
  }

  /** The rules that speak of some of a span, in order of time. */
  *between({ from, to }: { readonly from: Micros; readonly to: Micros }): Generator<CellRule> {
    if (from > to) return;
    for (let place = this.placeOf(from); place < this.rules.length; place++) {
      const rule = this.rules[place]!;
      if (rule.from > to) return;
      yield rule;
    }
  }

  /** Corrects the cells of a slice whose times are stored ones, in order. */
  apply(slice: RowSlice): void {
    for (let from = 0; from < slice.size;) {
      const rule = this.at(slice.times[from]!);
      const to = rule.to === Infinity ? slice.size : lowerBound(slice.times, from, slice.size, rule.to + 1);
      if (!rule.isPlain) applyRule(rule, slice, from, to);
      from = to;
    }
  }
}

function applyRule({ maps, leavesOut }: CellRule, slice: RowSlice, from: number, to: number): void {
  for (const { key, kinds, numbers } of slice.columns) {
    if (leavesOut(key)) {
      kinds.fill(ABSENT, from, to);
      continue;
    }
    maps.get(key)?.apply(kinds, numbers, from, to);
  }
}

/** Whether a correction speaks of a stretch that begins at `from`: none begins or ends within it. */
const covers = (each: { readonly from?: Micros; readonly to?: Micros }, from: Micros) =>
  (each.from ?? -Infinity) <= from && from <= (each.to ?? Infinity);

function leavesOutOf(flags: readonly QualityFlag[]): (key: string) => boolean {
  if (flags.length === 0) return KEEPS;
  const newestFirst = flags.toReversed();
  return (key) => {
    const flag = newestFirst.find(({ keys }) => keys === null || keys.includes(key));
    return flag !== undefined && LEFT_OUT.has(flag.quality);
  };
}
