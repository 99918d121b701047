import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { TimeSpan } from '../time/window.ts';
import { movedTo, reachesNow } from './follow.ts';

interface Asked {
  /** What was chosen; null is all there is, which grows. */
  readonly window: TimeSpan | null;
  /** All there is; null while it is not known. */
  readonly whole: TimeSpan | null;
  /** Records of the device. */
  readonly records: number;
  /** Looks at a window; no step of the history. */
  readonly onMove: (window: TimeSpan | null) => void;
}

export interface Live {
  /** Whether what comes in is shown. */
  readonly isFollowing: boolean;
  /** Records that came since it was not. */
  readonly missed: number;
  /** Stops following, or goes to what is newest and follows again. */
  readonly toggle: () => void;
}

/**
 * Follows what comes in: a window that reached up to the newest record moves along with it, as wide as it is; any other one
 * stays, and says how much has come since.
 */
export function useLive({ window, whole, records, onMove }: Asked): Live {
  const newest = whole?.to ?? null;
  const before = useRef(newest);
  /** All there was when it was paused: what grows would not stay. */
  const [paused, setPaused] = useState<TimeSpan | null>(null);
  const isAtEnd = reachesNow(window, whole);
  const isFollowing = paused === null && isAtEnd;
  const [seen, setSeen] = useState(records);
  // What was removed was not missed.
  if (isFollowing ? seen !== records : seen > records) setSeen(records);

  const follow = useEffectEvent((now: number | null) => {
    const last = before.current;
    before.current = now;
    if (now === null || last === null || now <= last || window === null || paused !== null) return;
    if (reachesNow(window, { from: window.from, to: last })) onMove(movedTo(window, now));
  });
  useEffect(() => follow(newest), [newest]);

  const toggle = () => {
    if (isFollowing) {
      setPaused(whole);
      if (window === null && whole) onMove(whole);
      return;
    }
    setPaused(null);
    const isWhole =
      window !== null && paused !== null && window.from === paused.from && window.to === paused.to;
    if (isWhole) onMove(null);
    else if (window && newest !== null) onMove(movedTo(window, newest));
  };
  return { isFollowing, missed: isFollowing ? 0 : Math.max(0, records - seen), toggle };
}
