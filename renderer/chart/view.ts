import type { View } from '#shared/domain/corrections.ts';

/** What a chart shows of a device with corrections: its records as stored, corrected, or both over one another. */
export const SHOWN_VIEWS = ['raw', 'corrected', 'both'] as const;
export type ShownView = (typeof SHOWN_VIEWS)[number];

/** The view that figures, states and counts are of. */
export const viewOf = (shown: ShownView): View => (shown === 'raw' ? 'raw' : 'corrected');

/** Through which view a device is read, and what tells a state of its corrections from the one before. */
export interface Through {
  readonly view: View;
  readonly revision: string;
}

/** What a figure of a device's records was read at: another string, another figure. */
export const versionOf = (records: number, revision: string): string => `${records} ${revision}`;
