import { useCallback, useEffect, useRef, useState } from 'react';
import { changed, type ChartAddress, type ChartChange } from '../../../chart/address.ts';
import { currentRoute, hearAddress, keepAddress } from '../../../router.ts';

interface Place {
  readonly project_id: string;
  readonly device_id: string;
  /** Address at the opening of the chart. */
  readonly chart: ChartAddress;
}

/**
 * State of a chart, and its setter. The address follows a little later, and leads when it is changed from outside (the way
 * back, a link): it is no state of the screen's frame, which would be drawn anew with each step of a zoom.
 */
export function useChartAddress({
  project_id,
  device_id,
  chart,
}: Place): [ChartAddress, (change: ChartChange) => void] {
  const [shown, setShown] = useState(chart);
  const latest = useRef(chart);
  const show = useCallback((next: ChartAddress) => {
    latest.current = next;
    setShown(next);
  }, []);
  useEffect(
    () =>
      hearAddress((route) => {
        if (route.screen === 'device' && route.device_id === device_id) show(route.chart ?? {});
      }),
    [device_id, show],
  );
  const change = useCallback(
    (part: ChartChange) => {
      const next = changed(latest.current, part);
      show(next);
      const now = currentRoute();
      // The chart also stands beside what is tried on it.
      const isBeside = now.screen === 'device' && now.device_id === device_id && now.tab === 'rules';
      const here = isBeside ? now : ({ screen: 'device', project_id, device_id, tab: 'chart' } as const);
      keepAddress({ ...here, chart: next });
    },
    [project_id, device_id, show],
  );
  return [shown, change];
}
