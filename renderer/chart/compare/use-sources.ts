import { useCallback, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { createChartSource, type ChartSource } from '../load/data.ts';
import type { ChartData } from '../load/loader.ts';
import { listenTogether } from './listen-together.ts';

/** A chart's data for each device, which stays while the device is compared. */
export function useSources(ids: readonly string[]): readonly ChartSource[] {
  const [known] = useState(() => new Map<string, ChartSource>());
  const named = ids.join();
  return useMemo(
    () =>
      named === ''
        ? []
        : named.split(',').map((id) => {
            const source = known.get(id) ?? createChartSource();
            known.set(id, source);
            return source;
          }),
    [named, known],
  );
}

/** Runs work of one chart among others when its turn has come: of what waits, the latest alone. */
export type Pace = (work: () => void) => void;

/** What has come of each source, told together; `asked` are those that are loaded at all. */
export function useData(
  sources: readonly ChartSource[],
  asked: readonly ChartSource[],
  pace?: Pace,
): readonly ChartData[] {
  const last = useRef<readonly ChartData[]>([]);
  const subscribe = useCallback(
    (changed: () => void) => listenTogether(asked, pace ? () => pace(changed) : changed),
    [asked, pace],
  );
  // The same function for the same sources: with another one React looks again at once, and draws what has but begun.
  const read = useCallback(() => {
    const now = sources.map(({ useData: store }) => store.getState());
    const isSame = now.length === last.current.length && now.every((data, i) => data === last.current[i]);
    if (!isSame) last.current = now;
    return last.current;
  }, [sources]);
  return useSyncExternalStore(subscribe, read);
}
