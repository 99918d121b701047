import { useLayoutEffect, useMemo, useRef, useState, type FocusEvent, type RefObject } from 'react';

interface Anchored<Row> {
  readonly frame: RefObject<HTMLElement | null>;
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** Pixels of a row. */
  readonly height: number;
  /** Order of the rows: in another one nothing has a place that could be kept. */
  readonly order: string;
  readonly isOn: boolean;
}

/**
 * Keeps what is looked at in its place while rows come in front of it: the row with the focus, else the first one in sight
 * where the table is scrolled. At its top a table shows what comes. `index` is of the row with the focus, which has to stay in
 * the document wherever it is; -1 for none.
 */
export function useAnchor<Row>({ frame, rows, rowKey, height, order, isOn }: Anchored<Row>) {
  const [focused, setFocused] = useState<string | null>(null);
  const placeIn = (all: readonly Row[], key: string) => all.findIndex((row) => rowKey(row) === key);
  const index = useMemo(
    () => (focused === null ? -1 : rows.findIndex((row) => rowKey(row) === focused)),
    [rows, rowKey, focused],
  );
  const drawn = useRef({ rows, order });
  useLayoutEffect(() => {
    const before = drawn.current;
    drawn.current = { rows, order };
    const scroller = frame.current;
    if (!isOn || !scroller || before.rows === rows || before.order !== order) return;
    if (focused === null && scroller.scrollTop === 0) return;
    const first = before.rows[Math.floor(scroller.scrollTop / height)];
    const key = focused ?? (first === undefined ? null : rowKey(first));
    if (key === null) return;
    const [was, is] = [placeIn(before.rows, key), placeIn(rows, key)];
    if (was >= 0 && is >= 0) scroller.scrollBy({ top: (is - was) * height, behavior: 'instant' });
  });
  return {
    index,
    onFocus: ({ target }: FocusEvent<HTMLElement>): void => {
      const at = target.closest<HTMLElement>('[data-row]')?.dataset['row'];
      const row = at === undefined ? undefined : rows[Number(at)];
      if (isOn) setFocused(row === undefined ? null : rowKey(row));
    },
    onBlur: ({ relatedTarget }: FocusEvent<HTMLElement>): void => {
      if (isOn && !frame.current?.contains(relatedTarget)) setFocused(null);
    },
  };
}
