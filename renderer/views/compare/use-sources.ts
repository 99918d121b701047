import { useCallback, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { createChartSource, type ChartSource } from '../../chart/load/data.ts';
import type { ChartData } from '../../chart/load/loader.ts';

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

/**
 * What has come of each of them: once all of it is there, and what there is in the meantime no oftener than it is painted.
 */
export function useData(sources: readonly ChartSource[]): readonly ChartData[] {
  const last = useRef<readonly ChartData[]>([]);
  const subscribe = useCallback(
    (changed: () => void) => {
      let frame: number | null = null;
      const tell = () => {
        if (frame !== null) cancelAnimationFrame(frame);
        frame = null;
        changed();
      };
      const hear = () => {
        if (sources.every(({ useData: store }) => store.getState().state !== 'loading')) tell();
        else frame ??= requestAnimationFrame(tell);
      };
      const stops = sources.map(({ useData: store }) => store.subscribe(hear));
      return () => {
        stops.forEach((stop) => stop());
        if (frame !== null) cancelAnimationFrame(frame);
      };
    },
    [sources],
  );
  const read = () => {
    const now = sources.map(({ useData: store }) => store.getState());
    const isSame = now.length === last.current.length && now.every((data, i) => data === last.current[i]);
    if (!isSame) last.current = now;
    return last.current;
  };
  return useSyncExternalStore(subscribe, read);
}
