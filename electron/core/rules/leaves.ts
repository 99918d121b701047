import type { Leaf } from '#shared/domain/rules.ts';
import type { Micros } from '#shared/values/time.ts';
import type { TakeReadings, Value } from '../store/store.ts';
import { IsFold, SilenceFold } from './cell-folds.ts';
import { ChangeFold } from './change.ts';
import type { LeafFold, LeafState, Stretch } from './leaf-fold.ts';
import { LevelFold, type Level } from './level.ts';
import { EMPTY, SlidingWindow } from './sliding-window.ts';

/* The leaves of a rule as they are judged for one device: limits as numbers, times in µs. They cross to other threads. */

/** Normal range of a key; null where that end is open. */
export interface NormalRange {
  readonly low: number | null;
  readonly high: number | null;
}
/** Normal ranges of a device, by key. */
export type NormalRanges = ReadonlyMap<string, NormalRange>;

/** Leaf that reads the numbers of a key. */
export type NumberLeaf =
  | { readonly kind: 'level'; readonly key: string; readonly level: Level }
  | { readonly kind: 'change'; readonly key: string; readonly change: number; readonly width: Micros };
/** Leaf that reads all values of a key, or the times of all records. */
export type CellLeaf =
  | { readonly kind: 'is'; readonly key: string; readonly values: readonly Value[] }
  | { readonly kind: 'silence'; readonly key: string | null; readonly silent: Micros };
export type JudgedLeaf = NumberLeaf | CellLeaf;

export const isOfNumbers = (leaf: JudgedLeaf): leaf is NumberLeaf =>
  leaf.kind === 'level' || leaf.kind === 'change';

/** Seconds of a rule as whole µs; times above 0 s are at least one. */
export const microsOf = (seconds: number): Micros =>
  seconds === 0 ? 0 : Math.max(1, Math.round(seconds * 1e6));

/** Returns a leaf for a device of these normal ranges: beyond one that is not set nothing lies. */
export function judgedLeaf(leaf: Leaf, ranges: NormalRanges): JudgedLeaf {
  if ('silent_s' in leaf) return { kind: 'silence', key: leaf.key ?? null, silent: microsOf(leaf.silent_s) };
  const { key } = leaf;
  if ('is' in leaf) return { kind: 'is', key, values: Array.isArray(leaf.is) ? leaf.is : [leaf.is] };
  if ('change' in leaf) return { kind: 'change', key, change: leaf.change, width: microsOf(leaf.within_s) };
  const { hysteresis = 0 } = leaf;
  if ('above' in leaf) return { kind: 'level', key, level: levelOf(-Infinity, leaf.above, hysteresis) };
  if ('below' in leaf) return { kind: 'level', key, level: levelOf(leaf.below, Infinity, hysteresis) };
  const { low, high } = leaf.outside === 'normal' ? (ranges.get(key) ?? OPEN) : leaf.outside;
  return { kind: 'level', key, level: levelOf(low ?? -Infinity, high ?? Infinity, hysteresis) };
}

const OPEN: NormalRange = { low: null, high: null };

const levelOf = (low: number, high: number, hysteresis: number): Level => ({
  low,
  high,
  innerLow: low + hysteresis,
  innerHigh: high - hysteresis,
});

/** The window of a change as a state has it; null where its readings are to be read again. */
export const windowOf = (
  { width }: { readonly width: Micros },
  { window }: LeafState,
): SlidingWindow | null => (window === null ? null : new SlidingWindow(width, window));

/** Returns a fold over the numbers of a key; `window`: of a change, behind the state. */
export function numberFold(
  leaf: NumberLeaf,
  window: SlidingWindow | null,
  state: LeafState,
  stretch: Stretch,
): LeafFold & TakeReadings {
  if (leaf.kind === 'level') return new LevelFold(leaf.level, state, stretch);
  return new ChangeFold(leaf.change, window ?? new SlidingWindow(leaf.width, EMPTY), state, stretch);
}

export const cellFold = (leaf: CellLeaf, state: LeafState, stretch: Stretch): LeafFold =>
  leaf.kind === 'is' ? new IsFold(leaf.values, state, stretch) : new SilenceFold(leaf.silent, state, stretch);
