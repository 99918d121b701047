import { useEffect, useRef, useState, type FocusEvent, type KeyboardEvent, type RefObject } from 'react';

interface CellKeys {
  readonly frame: RefObject<HTMLElement | null>;
  readonly count: number;
  /** Cells beside one another. */
  readonly across: number;
  readonly scrollTo: (index: number) => void;
  /** Goes up from the first row. */
  readonly onLeave: () => void;
}

const cellOf = (target: EventTarget) => (target as HTMLElement).closest<HTMLElement>('[data-cell]');

/** The keyboard on a wall: arrows, Home and End walk its cells, one of which at a time takes part in the order of Tab. */
export function useCellKeys({ frame, count, across, scrollTo, onLeave }: CellKeys) {
  const [active, setActive] = useState(0);
  /** The cell that the keyboard has gone to, until it can have the focus. */
  const awaited = useRef<number | null>(null);

  function focusAwaited(): boolean {
    const cell = frame.current?.querySelector<HTMLElement>(`[data-cell="${awaited.current}"]`);
    if (!cell) return false;
    awaited.current = null;
    cell.focus();
    return true;
  }
  // Scrolling to a cell renders it, sooner or later.
  useEffect(() => void focusAwaited());

  function goTo(index: number): void {
    awaited.current = Math.max(0, Math.min(count - 1, index));
    setActive(awaited.current);
    if (focusAwaited()) return;
    // The cell that has the focus may go before the other one is there, and keys that are pressed meanwhile would be lost.
    frame.current?.focus({ preventScroll: true });
    scrollTo(awaited.current);
  }

  function onKeyDown(event: KeyboardEvent): void {
    const cell = cellOf(event.target);
    const index = awaited.current ?? (cell && Number(cell.dataset['cell']));
    if (index === null || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const next = {
      ArrowRight: index + 1,
      ArrowLeft: index - 1,
      ArrowDown: index + across,
      ArrowUp: index - across,
      Home: 0,
      End: count - 1,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    if (event.key === 'ArrowUp' && next < 0) {
      awaited.current = null;
      return onLeave();
    }
    // Below the last one there is nothing, however far the last row reaches.
    goTo(event.key === 'ArrowDown' && next >= count ? index : next);
  }

  function onFocus(event: FocusEvent): void {
    const cell = cellOf(event.target);
    if (cell) setActive(Number(cell.dataset['cell']));
  }
  return { active: Math.min(active, Math.max(0, count - 1)), onKeyDown, onFocus, goTo };
}
