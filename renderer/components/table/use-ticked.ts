import { useCallback, useEffect, useMemo, useRef, useState } from 'react';

interface Row {
  readonly id: string;
}

/** Selection of rows of a list. */
export interface Ticked {
  readonly ids: ReadonlySet<string>;
  /** Ticks a row, or not any more. */
  readonly toggle: (index: number) => void;
  /** Ticks every row from the one that was ticked or left last to this one. */
  readonly extendTo: (index: number) => void;
  /** From where the next `extendTo` goes. */
  readonly startAt: (index: number) => void;
  /** Ticks every row that is found. */
  readonly all: () => void;
  readonly none: () => void;
}

/** `rows` are those that are found now; what is ticked and not among them stays so. */
export function useTicked(rows: readonly Row[]): Ticked {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const latest = useRef(rows);
  useEffect(() => void (latest.current = rows));
  const anchor = useRef(0);
  const toggle = useCallback((index: number) => {
    const id = latest.current[index]?.id;
    if (id === undefined) return;
    anchor.current = index;
    setIds((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  }, []);
  const extendTo = useCallback((index: number) => {
    const [from, to] = [Math.min(anchor.current, index), Math.max(anchor.current, index)];
    const more = latest.current.slice(from, to + 1).map(({ id }) => id);
    setIds((before) => new Set([...before, ...more]));
  }, []);
  const startAt = useCallback((index: number) => void (anchor.current = index), []);
  const all = useCallback(
    () => setIds((before) => new Set([...before, ...latest.current.map(({ id }) => id)])),
    [],
  );
  const none = useCallback(() => setIds(new Set()), []);
  return useMemo(
    () => ({ ids, toggle, extendTo, startAt, all, none }),
    [ids, toggle, extendTo, startAt, all, none],
  );
}
