import { useLayoutEffect, useRef } from 'react';

interface HiddenLines {
  /** The lines of the legend. */
  readonly ids: readonly string[];
  /** Those of them that are not drawn. */
  readonly hidden: readonly string[];
  /** Hides these of all lines; null: none. */
  readonly onHide: (hidden: readonly string[] | null, ids: readonly string[]) => void;
}

/**
 * Hides and shows the lines of a chart. The legend is drawn later than the plot: what it calls goes by what is hidden by
 * now, or the second click of a double one would undo the first.
 */
export function useHiddenLines(lines: HiddenLines) {
  const latest = useRef(lines);
  useLayoutEffect(() => {
    latest.current = lines;
  });
  const hide = (next: readonly string[]) =>
    latest.current.onHide(next.length > 0 ? next : null, latest.current.ids);
  return {
    onToggle: (id: string) => {
      const { hidden } = latest.current;
      hide(hidden.includes(id) ? hidden.filter((other) => other !== id) : [...hidden, id]);
    },
    /** This one alone; where it is that already, all of them. */
    onOnly: (id: string) => {
      const { hidden, ids } = latest.current;
      const others = ids.filter((other) => other !== id);
      const isAlone = !hidden.includes(id) && others.every((other) => hidden.includes(other));
      hide(isAlone ? [] : others);
    },
  };
}
