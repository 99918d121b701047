import type { Micros } from '../values/time.ts';

/*
 * Corrections: what people know better of the records of a device than its sensor, its clock or its sender did. Stored records
 * are never changed; the corrected view of a device is its records read through its corrections. Spans are of stored times, both
 * ends inclusive, so that a correction stays with its records whatever else is corrected. Words are those of metrology (VIM) and
 * of QARTOD's quality flags.
 */

/** Records as they were stored, or read through the corrections of their device. */
export const VIEWS = ['raw', 'corrected'] as const;
export type View = (typeof VIEWS)[number];

/** In the order in which they are applied. */
export const CORRECTION_KINDS = ['time', 'replaced', 'calibration', 'derived', 'quality'] as const;
export type CorrectionKind = (typeof CORRECTION_KINDS)[number];

/** Quality flags; a value with one of `LEFT_OUT` is in no statistics, overview, export or report. */
export const QUALITIES = ['pass', 'suspect', 'fail', 'test'] as const;
export type Quality = (typeof QUALITIES)[number];
export const LEFT_OUT: ReadonlySet<Quality> = new Set<Quality>(['fail', 'test']);

/** A reading and what it should have been. */
export type CalibrationPoint = readonly [raw: number, true: number];
/** A moment of the device's clock and what it should have said. */
export type ClockPoint = readonly [raw: Micros, true: Micros];

/**
 * A straight line between each two neighbouring points, beyond the ends the last line on; one point is an offset. Absent ends
 * reach as far as there are records.
 */
export interface Calibration {
  readonly kind: 'calibration';
  readonly key: string;
  readonly from?: Micros;
  readonly to?: Micros;
  /** In order of the readings, strictly monotone in both; or a line. */
  readonly points: readonly CalibrationPoint[] | { readonly gain: number; readonly offset: number };
}

/** Flags values of some keys, or with null of all of them. */
export interface QualityFlag {
  readonly kind: 'quality';
  readonly keys: readonly string[] | null;
  readonly from: Micros;
  readonly to: Micros;
  readonly quality: Quality;
}

/** Moves records in time: all by as much, or as a clock that ran evenly between two known moments. */
export interface ClockCorrection {
  readonly kind: 'time';
  readonly from: Micros;
  readonly to: Micros;
  readonly by: { readonly shift: Micros } | { readonly at: readonly [ClockPoint, ClockPoint] };
}

/** Puts the history of another device, up to and with `until` of its corrected time, before this one's. */
export interface Replacement {
  readonly kind: 'replaced';
  readonly device_id: string;
  readonly until: Micros;
}

/** A key that is computed from others (`derived-formula.ts`) and never stored. */
export interface DerivedKey {
  readonly kind: 'derived';
  readonly key: string;
  readonly of: string;
  /** How old an operand may be that a record itself lacks; 0 for operands of the record alone. */
  readonly within_s: number;
}

/** A correction as far as a reader of records needs to know it. */
export type Correction = Calibration | QualityFlag | ClockCorrection | Replacement | DerivedKey;

/** What a certificate says beside its points; `uncertainty` in the unit of the key. */
interface CalibrationFacts {
  readonly unit?: string;
  readonly certificate?: string;
  readonly uncertainty?: number;
  readonly calibrated_by?: string;
}

/** A correction as it is kept. */
export type KeptCorrection =
  | (Calibration & CalibrationFacts)
  | QualityFlag
  | ClockCorrection
  | Replacement
  | DerivedKey;

/** What became of a correction by each of its versions. */
export const CORRECTION_ACTS = ['created', 'changed', 'removed', 'restored'] as const;
export type CorrectionAct = (typeof CORRECTION_ACTS)[number];

/** Corrections of a device, and versions in the history of them, at most. */
export const MOST_CORRECTIONS = 1000;
export const MOST_FORMER_VERSIONS = 10_000;
