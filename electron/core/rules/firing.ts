import type { Micros } from '#shared/values/time.ts';

/** Firings that one judgement tells: the newest. */
export const MOST_FIRINGS = 500;

/** One firing of a rule on a device (docs/functions.md, "Firings"). Times in µs. */
export interface Firing {
  /** When the condition became true. */
  readonly start: Micros;
  /** When it had been true for as long as the rule asks for. */
  readonly fired: Micros;
  /** When it ceased to be true; null while it holds. */
  readonly end: Micros | null;
}

/** Where a `change` may be missed: its window had more readings than are compared. */
export interface CutWindow {
  readonly key: string;
  readonly width: Micros;
  /** Newest instant of it. */
  readonly at: Micros;
}

/** Verdict of a rule on a device at a moment. */
export interface Judgement {
  /** The newest ones, oldest first; those that ended before the asked moment are left out. */
  readonly firings: readonly Firing[];
  /** When the time alone may change it, with no record coming; null for never. */
  readonly next: Micros | null;
  /** Null where all readings of all windows were compared. */
  readonly cut: CutWindow | null;
}
