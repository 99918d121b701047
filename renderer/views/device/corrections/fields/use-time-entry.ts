import { useState } from 'react';
import type { Micros } from '#shared/values/time.ts';
import { parseTimeEntry, TIME_ENTRY_RULE } from '../../../../chart/time/time-entry.ts';
import { formatTime, nowMicros, type Zone } from '../../../../time.ts';

export interface TimeEntry {
  readonly text: string;
  readonly set: (text: string) => void;
  /** Null for nothing, and for what is no time. */
  readonly at: Micros | null;
  /** What is wrong with it; null for nothing. */
  readonly problem: string | null;
}

/** A time that is typed in the zone that is shown. What stood there at first keeps its last µs, and its hour of two that are called alike. */
export function useTimeEntry(first: Micros | null, zone: Zone, side: 'from' | 'to'): TimeEntry {
  const [shown] = useState(first === null ? '' : formatTime(first, zone));
  const [text, set] = useState(shown);
  const isEmpty = text.trim() === '';
  const read = isEmpty ? null : parseTimeEntry(text, { now: nowMicros(), zone, side });
  const at = text === shown ? first : read;
  return { text, set, at, problem: at === null && !isEmpty ? TIME_ENTRY_RULE : null };
}
