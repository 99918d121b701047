import type { View } from '#shared/domain/corrections.ts';
import type { CorrectionVersion, ShownCorrection } from '#shared/operations/metadata/corrections.ts';
import type { SettingsOfKey } from '#shared/operations/metadata/key-settings.ts';
import type { Note } from '#shared/operations/metadata/notes.ts';
import type { Excursions } from '#shared/operations/records/excursions.ts';
import type { KeyStatistics } from '#shared/operations/records/statistics.ts';
import type { Micros, TimeRange } from '#shared/values/time.ts';
import type { PackAsked, PackedView } from './page/pack-view.ts';

/*
 * Content of a hand-over: the chosen devices, as they are at one moment. No time of its making is in it, so that the same
 * data is the same content. What people wrote (names, notes, reasons, values) is text, and never to be taken for markup or a path.
 */

export interface HandoverContent {
  /** The span that was asked for, both ends included; an end that is absent reaches as far as there are records. */
  readonly range: TimeRange;
  /** In the order in which they were asked for. */
  readonly devices: readonly HandedDevice[];
}

export interface HandedDevice {
  readonly facts: DeviceFacts;
  /** Every key of either view, in UTF-16 code unit order. */
  readonly keys: readonly HandedKey[];
  /** Notes that touch the span, earliest first, at the times of the device's clock. */
  readonly notes: readonly Note[];
  /** Those of the corrected view, at the corrected times of their moments; absent where no clock was put right. */
  readonly correctedNotes?: readonly Note[];
  /** Corrections in force, in the order in which they are applied; none: both views are the same. */
  readonly corrections: readonly ShownCorrection[];
  /** Versions of these and of removed corrections, latest first. */
  readonly history: readonly CorrectionVersion[];
  readonly views: Readonly<Record<View, HandedView>>;
  /** Keys of the corrected view that may have other values than in the raw one; null where its records may be others. */
  readonly touched: ReadonlySet<string> | null;
}

export interface DeviceFacts {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly project: { readonly id: string; readonly name: string };
  readonly brand: string;
  readonly model: string;
  readonly source: string;
  readonly tags: readonly string[];
  /** Facts that somebody or the device itself gave: an object of JSON. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** How often it stores, in seconds; null where nobody said it. */
  readonly interval_s: number | null;
  readonly created_at: string;
}

/** A key, how it is shown, and its normal range (both ends included; null: open). */
export type HandedKey = Pick<
  SettingsOfKey,
  'key' | 'shown_as' | 'unit' | 'decimals' | 'colour' | 'dash' | 'axis' | 'low' | 'high' | 'longest_gap_s'
>;

/** A device's records of the span, as a view shows them. */
export interface HandedView {
  readonly view: View;
  readonly keys: readonly string[];
  /** How many there are, and the times of the first and the last one, in µs; null without records. */
  readonly records: number;
  readonly first: Micros | null;
  readonly last: Micros | null;
  /** Of each key with numbers. */
  readonly statistics: readonly KeyStatistics[];
  /** Of each key with a normal range. */
  readonly excursions: readonly Excursions[];
  /**
   * Packs the records with their values of some keys, oldest first (of equal times the earliest arrival first). May be called
   * again. Rejects with StoreError or ThreadError, or as the signal's reason.
   */
  readonly pack: (what: PackAsked, signal?: AbortSignal) => Promise<PackedView>;
}
