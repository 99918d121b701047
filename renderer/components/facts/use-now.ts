import { useEffect, useState } from 'react';
import type { Micros } from '#shared/time.ts';
import { nowMicros } from '../../time.ts';

const TICK_MS = 15_000;

/** Who looks at the clock: one for all of them, as each row of a list is one. */
const watchers = new Set<() => void>();
let clock: ReturnType<typeof setInterval> | undefined;

function watchClock(tick: () => void): () => void {
  watchers.add(tick);
  clock ??= setInterval(() => watchers.forEach((watcher) => watcher()), TICK_MS);
  return () => {
    watchers.delete(tick);
    if (watchers.size > 0) return;
    clearInterval(clock);
    clock = undefined;
  };
}

/** The present in µs; while `ticking` it is looked at again now and then. */
export function useNow(ticking: boolean): Micros {
  const [now, setNow] = useState(nowMicros);
  useEffect(() => (ticking ? watchClock(() => setNow(nowMicros())) : undefined), [ticking]);
  return Math.max(now, ticking ? nowMicros() : 0);
}
