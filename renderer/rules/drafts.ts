import { create } from 'zustand';
import type { RuleDraft } from './rule-draft.ts';

interface Drafts {
  /** By the place where they are written: `deviceOrProject/rule`, where `new` is one that is not saved yet. */
  readonly drafts: ReadonlyMap<string, RuleDraft>;
}

/** Drafts of rules that are not saved: a look elsewhere, as at the chart, does not lose them. */
const useDrafts = create<Drafts>(() => ({ drafts: new Map() }));

/** The draft at a place; null where nothing was written. */
export const useDraft = (place: string): RuleDraft | null =>
  useDrafts(({ drafts }) => drafts.get(place) ?? null);

/** Keeps a draft; null gives it up. */
export function keepDraft(place: string, draft: RuleDraft | null): void {
  const drafts = new Map(useDrafts.getState().drafts);
  if (draft === null) drafts.delete(place);
  else drafts.set(place, draft);
  useDrafts.setState({ drafts });
}
