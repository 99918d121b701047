import type { View } from '../domain/corrections.ts';
import type { CorrectionVersion, ShownCorrection } from '../operations/metadata/corrections.ts';
import type { SettingsOfKey } from '../operations/metadata/key-settings.ts';
import type { Note } from '../operations/metadata/notes.ts';
import type { Excursions } from '../operations/records/excursions.ts';
import type { KeyStatistics } from '../operations/records/statistics.ts';
import type { Micros } from '../values/time.ts';

/*
 * What a page that is handed over says of its devices, as JSON in it; beside it stand their records, packed. The service writes it
 * (core/handover/page/), its viewer reads it (renderer/handover/), which is in the page itself: the two are always of one version.
 */

/** Ids of the elements that have it: the facts, and the records of each device by its place. */
export const FACTS_ID = 'facts';
export const recordsId = (place: number): string => `records-${place}`;

export interface PageFacts {
  /** Such as `Fieldbench 0.1.0`. */
  readonly made_with: string;
  /** What is shown first of devices that were corrected. */
  readonly view: View;
  readonly devices: readonly PageDevice[];
}

export interface PageDevice {
  readonly id: string;
  readonly name: string;
  readonly project: string;
  /** Name and text of what else is known of it. */
  readonly facts: readonly (readonly [name: string, text: string])[];
  readonly keys: readonly PageKey[];
  readonly notes: readonly Note[];
  /** Those of the corrected view; absent where they are the same. */
  readonly corrected_notes?: readonly Note[];
  readonly corrections: readonly ShownCorrection[];
  readonly history: readonly CorrectionVersion[];
  /** Absent where nothing was corrected. */
  readonly corrected?: PageView;
  readonly raw: PageView;
}

export type PageKey = Omit<SettingsOfKey, 'device_id'>;

export interface PageView {
  readonly records: number;
  readonly first: Micros | null;
  readonly last: Micros | null;
  readonly statistics: readonly KeyStatistics[];
  readonly excursions: readonly Excursions[];
  /** Lines of the records' element, from 0: of the times, and of each key that has values. Both views may name the same. */
  readonly times: number;
  readonly columns: readonly (readonly [key: string, line: number])[];
}
