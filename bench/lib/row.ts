import type { RecordStore } from '../../electron/core/store/store.ts';
import type { Filled, Kind } from './fixture.ts';
import type { Sample } from './measure.ts';

/** One line of the table. */
export interface Figure {
  readonly figure: string;
  readonly measured: Sample;
  /** "µs", "ms", "records/s", "bytes", "MB", "pages/s" … */
  readonly unit: string;
  /** The design's figure as text, and whether it holds; absent where nothing is demanded. */
  readonly must?: { readonly text: string; readonly holds: boolean };
  readonly peer?: { readonly name: string; readonly measured: Sample };
  /** Ours against the peer, as many times better (above 1 is better). */
  readonly ratio?: number;
}

/** A row of the bench: what `--only` names. One row may give several lines. */
export interface Row {
  readonly name: string;
  /** What the person who waits reads. */
  readonly title: string;
  run(bench: Bench): Promise<readonly Figure[]>;
}

/** What a row works with. */
export interface Bench {
  /** Records of the large store. */
  readonly records: number;
  /** Where there are many. */
  readonly devices: number;
  /** Whether figures count for nothing: it is tried whether the rows run. */
  readonly isSmall: boolean;
  openStore(directory: string): Promise<RecordStore>;
  /** A folder that goes when the row ends. */
  folder(): Promise<string>;
  /** The same, already made. */
  madeFolder(): Promise<string>;
  /** A service's folder with one device of so many records: made once, for all rows, which leave it as it is. */
  filled(records: number, kind?: Kind): Promise<Filled>;
  /** The same, for this row to spoil. */
  copyOfFilled(records: number): Promise<Filled>;
  /** A line under the table. */
  note(text: string): void;
}

/** Where more is better: how many times ours is the peer's. */
export const timesMore = (ours: Sample, peer: Sample) => ours.median / peer.median;
/** Where less is better: how many times the peer's is ours. */
export const timesLess = (ours: Sample, peer: Sample) => peer.median / ours.median;

export const atLeast = (value: number, limit: number, text: string) => ({ text, holds: value >= limit });
export const atMost = (value: number, limit: number, text: string) => ({ text, holds: value <= limit });

/** 1000000 → "1 M". */
export function short(count: number): string {
  if (count >= 1e6) return `${count / 1e6} M`;
  return count >= 1e4 ? `${count / 1e3} k` : count.toLocaleString('en');
}
