import { useEffect, useEffectEvent } from 'react';
import { selected, zoom, type TimeSpan } from '../time/window.ts';

/** How long a window has been looked at before the next one is read. */
const REST_MS = 150;
/** Of one press of the key, or of the button. */
export const CLOSER = 0.5;

interface Looked {
  readonly isReady: boolean;
  /** The span of all records; null while it is not known. */
  readonly whole: TimeSpan | null;
  /** The span in sight; null while nothing is. */
  readonly window: TimeSpan | null;
  readonly selection?: TimeSpan | null;
  /** The cursor, and whether keys put it there. */
  readonly instant: number | null;
  readonly isByKeys?: boolean;
  readonly expect: (window: TimeSpan) => void;
}

/** Has the window read that one press leads to: the selection, else half of what is shown. */
export function useAhead(looked: Looked): void {
  const { isReady, whole, window, selection = null, instant, isByKeys = false } = looked;
  // A mouse on its way stands at another instant each moment.
  const isSteady = instant === null || isByKeys;
  const expect = useEffectEvent(looked.expect);
  useEffect(() => {
    if (!isReady || whole === null || window === null || !(selection || isSteady)) return;
    const middle = instant ?? (window.from + window.to) / 2;
    const next = selection
      ? selected(selection.from, selection.to, whole)
      : zoom(window, CLOSER, middle, whole);
    const timer = setTimeout(() => expect(next), REST_MS);
    return () => clearTimeout(timer);
  }, [isReady, whole, window, selection, instant, isSteady]);
}
