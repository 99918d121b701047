import type { TimeEntry } from './use-time-entry.ts';

interface Problems {
  readonly from: string | null;
  readonly to: string | null;
}

const NEEDED = 'A time is needed here.';

/** What is wrong with the ends of a span; `isOpen`: an empty end is one, too. */
export function spanProblems(from: TimeEntry, to: TimeEntry, isOpen = false): Problems {
  const missing = (entry: TimeEntry) => (entry.at === null && !isOpen ? NEEDED : null);
  const isTurned = from.at !== null && to.at !== null && to.at < from.at;
  return {
    from: from.problem ?? missing(from),
    to: to.problem ?? missing(to) ?? (isTurned ? 'Not before its beginning.' : null),
  };
}
