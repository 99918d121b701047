import { useEffect, useRef, useState, type FocusEvent, type KeyboardEvent, type RefObject } from 'react';
import type { Ticked } from './use-ticked.ts';

interface RowKeys {
  readonly frame: RefObject<HTMLElement | null>;
  readonly count: number;
  /** Null in a table without ticks. */
  readonly ticked: Ticked | null;
  readonly scrollTo: (index: number) => void;
  /** Goes up from the first row. */
  readonly onLeave: (() => void) | undefined;
}

const PAGE = 15;
const rowOf = (target: EventTarget) => (target as HTMLElement).closest<HTMLElement>('[data-row]');

/**
 * The keyboard in a table: arrows, Home and End walk the rows' first links; Enter is the link's own. Where rows are ticked,
 * arrows with Shift do so on the way, Space ticks, Ctrl+A ticks all, Escape none; and one row at a time takes part in the
 * order of Tab: `active`, which is null where all do.
 */
export function useRowKeys({ frame, count, ticked, scrollTo, onLeave }: RowKeys) {
  const [active, setActive] = useState(0);
  /** The row that the keyboard has gone to, until it can have the focus. */
  const awaited = useRef<number | null>(null);

  /** Gives the focus to the row that waits for it; false while the row is too far away to be in the document. */
  function focusAwaited(): boolean {
    const link = frame.current?.querySelector<HTMLElement>(`[data-row="${awaited.current}"] a`);
    if (!link) return false;
    awaited.current = null;
    link.focus();
    return true;
  }
  // Scrolling to a row renders it, sooner or later.
  useEffect(() => void focusAwaited());

  function goTo(index: number): void {
    awaited.current = Math.max(0, Math.min(count - 1, index));
    if (ticked) setActive(awaited.current);
    if (focusAwaited()) return;
    // The row that has the focus may go before the other one is there, and keys that are pressed meanwhile would be lost.
    if (ticked) frame.current?.focus({ preventScroll: true });
    scrollTo(awaited.current);
  }
  function onKeyDown(event: KeyboardEvent): void {
    // A row's menu lies elsewhere in the document, and has its own keys.
    if (!frame.current?.contains(event.target as Node)) return;
    if (ticked && event.key === 'a' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      return ticked.all();
    }
    if (ticked && event.key === 'Escape' && ticked.ids.size > 0) return ticked.none();
    const row = rowOf(event.target);
    const index = awaited.current ?? (row && Number(row.dataset['row']));
    if (index === null || event.altKey || event.ctrlKey || event.metaKey) return;
    const isOnButton = (event.target as HTMLElement).closest('button, input') !== null;
    if (ticked && event.key === ' ' && !isOnButton) {
      event.preventDefault();
      return ticked.toggle(index);
    }
    const next = {
      ArrowDown: index + 1,
      ArrowUp: index - 1,
      Home: 0,
      End: count - 1,
      // Elsewhere they scroll.
      ...(ticked && { PageDown: index + PAGE, PageUp: index - PAGE }),
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    if (onLeave && next < 0 && event.key === 'ArrowUp') {
      awaited.current = null;
      return onLeave();
    }
    const reached = Math.max(0, Math.min(count - 1, next));
    if (ticked && event.shiftKey) {
      if (!ticked.ids.size) ticked.startAt(index);
      ticked.extendTo(reached);
    }
    goTo(reached);
  }

  function onFocus(event: FocusEvent): void {
    const row = rowOf(event.target);
    if (ticked && row) setActive(Number(row.dataset['row']));
  }
  return { active: ticked && Math.min(active, Math.max(0, count - 1)), onKeyDown, onFocus, goTo };
}
