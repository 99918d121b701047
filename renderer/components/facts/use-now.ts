import { useEffect, useState } from 'react';
import type { Micros } from '#shared/values/time.ts';
import { useLostAt } from '../../bridge/connection.ts';
import { useClockReads } from '../../stores/rig.ts';
import { isApart, nowMicros } from '../../time.ts';

const TICK_MS = 15_000;

/** Listeners of one clock for all: each row of a list is one. */
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

/**
 * The present in µs; while `ticking` it is looked at again now and then. Where the service is out of reach time stands
 * still: nobody knows how a device is since.
 */
export function useNow(ticking: boolean): Micros {
  const lostAt = useLostAt();
  const [now, setNow] = useState(nowMicros);
  const isSet = useClockReads(({ reads }) => reads);
  useEffect(() => {
    const look = () => setNow(nowMicros());
    // Once the service's clock is known it may be another one than the machine's.
    if (isSet > 1 || isApart()) look();
    return ticking ? watchClock(look) : undefined;
  }, [ticking, isSet]);
  return lostAt ?? (ticking ? nowMicros() : now);
}
