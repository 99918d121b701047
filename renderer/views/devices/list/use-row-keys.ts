import { useEffect, useRef, useState, type FocusEvent, type KeyboardEvent, type RefObject } from 'react';
import type { Ticked } from './use-ticked.ts';

interface RowKeys {
  readonly frame: RefObject<HTMLElement | null>;
  readonly count: number;
  readonly ticked: Ticked;
  readonly scrollTo: (index: number) => void;
  readonly onLeave: () => void;
}

const PAGE = 15;
const rowOf = (target: EventTarget) => (target as HTMLElement).closest<HTMLElement>('[data-row]');

/**
 * The keyboard in a list: arrows walk, with Shift they tick on the way; Space ticks, Ctrl+A ticks all, Escape none. Enter
 * is the row's link's own. One row at a time takes part in the order of Tab.
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
    setActive(awaited.current);
    if (focusAwaited()) return;
    // The row that has the focus may go before the other one is there, and keys that are pressed meanwhile would be lost.
    frame.current?.focus({ preventScroll: true });
    scrollTo(awaited.current);
  }
  function onKeyDown(event: KeyboardEvent): void {
    // A row's menu lies elsewhere in the document, and has its own keys.
    if (!frame.current?.contains(event.target as Node)) return;
    if (event.key === 'a' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      return ticked.all();
    }
    if (event.key === 'Escape' && ticked.ids.size > 0) return ticked.none();
    const row = rowOf(event.target);
    const index = awaited.current ?? (row && Number(row.dataset['row']));
    if (index === null || event.altKey || event.ctrlKey || event.metaKey) return;
    const isOnButton = (event.target as HTMLElement).closest('button, input') !== null;
    if (event.key === ' ' && !isOnButton) {
      event.preventDefault();
      return ticked.toggle(index);
    }
    const to = { ArrowDown: index + 1, ArrowUp: index - 1, PageDown: index + PAGE, PageUp: index - PAGE }[
      event.key
    ];
    const end = { Home: 0, End: count - 1 }[event.key];
    const next = to ?? end;
    if (next === undefined) return;
    event.preventDefault();
    if (next < 0 && event.key === 'ArrowUp') {
      awaited.current = null;
      return onLeave();
    }
    const reached = Math.max(0, Math.min(count - 1, next));
    if (event.shiftKey) {
      if (!ticked.ids.size) ticked.startAt(index);
      ticked.extendTo(reached);
    }
    goTo(reached);
  }

  function onFocus(event: FocusEvent): void {
    const row = rowOf(event.target);
    if (row) setActive(Number(row.dataset['row']));
  }
  return { active: Math.min(active, Math.max(0, count - 1)), onKeyDown, onFocus, goTo };
}
