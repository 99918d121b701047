import type { KeySettings } from '#shared/operations/metadata/key-settings.ts';
import { readNumber } from '../../../read-number.ts';
import { durationText, parseDuration } from '../../../components/facts/duration-words.ts';

/** Settings of a key as they are being typed: numbers may be half-written. */
export interface KeyDraft extends Omit<KeySettings, 'decimals' | 'low' | 'high' | 'longest_gap_s'> {
  readonly decimals: string;
  readonly low: string;
  readonly high: string;
  readonly gap: string;
}

export type DraftField = keyof KeyDraft;

const textOf = (value: number | null) => (value === null ? '' : String(value));

/** The fields in one order, whatever that of the settings: as texts, equal drafts are equal. */
export function draftOf(settings: KeySettings): KeyDraft {
  const { shown_as, unit, colour, dash, axis, decimals, low, high, longest_gap_s } = settings;
  return {
    shown_as,
    unit,
    colour,
    dash,
    axis,
    decimals: textOf(decimals),
    low: textOf(low),
    high: textOf(high),
    gap: longest_gap_s === null ? '' : durationText(longest_gap_s),
  };
}

/** The settings that a draft means, or what is wrong with its fields. */
export function settingsOf(
  draft: KeyDraft,
): { readonly settings: KeySettings } | { readonly problems: Partial<Record<DraftField, string>> } {
  const problems: Partial<Record<DraftField, string>> = {};
  const { shown_as, unit, colour, dash, axis } = draft;
  if (Array.from(shown_as).length > 100) problems.shown_as = 'At most 100 characters.';
  if (Array.from(unit).length > 16) problems.unit = 'At most 16 characters.';
  const digits = draft.decimals.trim();
  const decimals = digits === '' ? null : Number(digits);
  if (digits !== '' && !/^\d$/.test(digits)) problems.decimals = 'A whole number from 0 to 9, or nothing.';
  const [low, high] = [boundOf('low'), boundOf('high')];
  if (low !== null && high !== null && low > high) problems.high = `Not below ${draft.low.trim()}.`;
  const gap = draft.gap.trim() === '' ? null : parseDuration(draft.gap);
  if (draft.gap.trim() !== '' && (gap === null || gap <= 0 || gap > LONGEST_S))
    problems.gap = 'A time such as 30 s, 50 min or 2 h, of at most ten years, or nothing.';
  if (Object.keys(problems).length > 0) return { problems };
  const settings = { shown_as: shown_as.trim(), unit: unit.trim(), decimals, colour, dash, axis, low, high };
  return { settings: { ...settings, longest_gap_s: gap } };

  function boundOf(field: 'low' | 'high'): number | null {
    if (draft[field].trim() === '') return null;
    const read = readNumber(draft[field]);
    if ('number' in read) return read.number;
    problems[field] = read.problem;
    return null;
  }
}

const LONGEST_S = 315_360_000;

/** Unsaved settings of keys, by device and key. */
const unsaved = new Map<string, KeyDraft>();
const nameOf = (device_id: string, key: string) => JSON.stringify([device_id, key]);

export const unsavedDraft = (device_id: string, key: string): KeyDraft | null =>
  unsaved.get(nameOf(device_id, key)) ?? null;

/** Keeps what was typed while something else is looked at; null drops it. */
export function keepDraft(device_id: string, key: string, draft: KeyDraft | null): void {
  if (draft === null) unsaved.delete(nameOf(device_id, key));
  else unsaved.set(nameOf(device_id, key), draft);
}
