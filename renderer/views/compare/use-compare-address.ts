import { useCallback, useEffect, useRef, useState } from 'react';
import type { ChartAddress } from '../../chart/address.ts';
import { hearAddress, keepAddress } from '../../router.ts';
import type { CompareShown } from './compare-address.ts';

/** A part of the chart's view; null is as at first. */
export type ChartChange = { readonly [Part in keyof ChartAddress]?: ChartAddress[Part] | null };

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
    (part: ChartChange) => {
      const parts = Object.entries({ ...latest.current.chart, ...part });
      const chart: ChartAddress = Object.fromEntries(parts.filter(([, value]) => value !== null));
      change({ chart });
    },
    [change],
  );
  return { shown, change, changeChart };
}
