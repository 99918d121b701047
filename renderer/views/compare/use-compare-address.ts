import { useCallback, useEffect, useRef, useState } from 'react';
import { changed, type ChartChange } from '../../chart/address.ts';
import { hearAddress, keepAddress } from '../../router.ts';
import type { CompareShown } from './compare-address.ts';

interface Kept {
  readonly shown: CompareShown;
  readonly change: (part: Partial<CompareShown>) => void;
  readonly changeChart: (part: ChartChange) => void;
}

/**
 * What the screen compares, and how to change it. The address follows a little later, and leads when it is changed from
 * outside: the way back, a link.
 */
export function useCompareAddress(told: CompareShown): Kept {
  const [shown, setShown] = useState(told);
  const latest = useRef(told);
  const show = useCallback((next: CompareShown) => {
    latest.current = next;
    setShown(next);
  }, []);
  useEffect(
    () =>
      hearAddress((route) => {
        if (route.screen === 'compare') show(route);
      }),
    [show],
  );
  const change = useCallback(
    (part: Partial<CompareShown>) => {
      const next = { ...latest.current, ...part };
      show(next);
      keepAddress({ screen: 'compare', ...next });
    },
    [show],
  );
  const changeChart = useCallback(
    (part: ChartChange) => change({ chart: changed(latest.current.chart, part) }),
    [change],
  );
  return { shown, change, changeChart };
}
