import { useLayoutEffect, useRef } from 'react';
import type { ChartChange } from './use-chart-address.ts';

interface HiddenLines {
  /** The lines of the legend. */
  readonly keys: readonly string[];
  /** Those of them that are not drawn. */
  readonly hidden: readonly string[];
  readonly change: (change: ChartChange) => void;
}

/**
 * Hides and shows the lines of a chart. The legend is drawn later than the plot: what it calls goes by what is hidden by
 * now, or the second click of a double one would undo the first.
 */
export function useHiddenLines({ keys, hidden, change }: HiddenLines) {
  const latest = useRef({ keys, hidden });
  useLayoutEffect(() => {
    latest.current = { keys, hidden };
  });
  // With the keys, so that the address says what is drawn: an export of the chart, a report and a saved view read it there.
  const show = (next: readonly string[]) =>
    change({ hidden: next.length > 0 ? next : null, keys: latest.current.keys });
  return {
    toggle: (id: string) => {
      const { hidden: left } = latest.current;
      show(left.includes(id) ? left.filter((key) => key !== id) : [...left, id]);
    },
    /** This one alone; where it is that already, all of them. */
    only: (id: string) => {
      const { hidden: left, keys: all } = latest.current;
      const others = all.filter((key) => key !== id);
      const isAlone = !left.includes(id) && others.every((key) => left.includes(key));
      show(isAlone ? [] : others);
    },
  };
}
