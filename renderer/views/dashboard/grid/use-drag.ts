import { useCallback, useEffect, useRef, useState, type PointerEvent, type RefObject } from 'react';
import type { WidgetPlace } from '#shared/domain/dashboard.ts';
import { isSamePlace, putAt, stepped, type Placed } from './places.ts';

/** Pixels between two cells, as grid.module.css has it. */
export const GAP = 8;

interface Asked {
  readonly places: readonly Placed[];
  readonly scroll: RefObject<HTMLElement | null>;
  /** Pixels of a column and of a row. */
  readonly cell: { readonly width: number; readonly height: number };
  readonly onPut: (places: readonly Placed[]) => void;
}

interface Drag {
  readonly id: string;
  readonly how: 'move' | 'size';
  readonly pointer: number;
  readonly from: { readonly x: number; readonly y: number };
  readonly place: WidgetPlace;
  readonly before: readonly Placed[];
}

interface Dragged {
  /** The widget under the pointer; null for none. */
  readonly moving: string | null;
  /** The places as they would be; null without a drag. */
  readonly shown: readonly Placed[] | null;
  readonly begin: (event: PointerEvent<HTMLElement>, id: string, how: 'move' | 'size') => void;
}

/** Moves and sizes widgets by the pointer, from cell to cell. Escape leaves all where it was. */
export function useDrag({ places, scroll, cell, onPut }: Asked): Dragged {
  const [drag, setDrag] = useState<Drag | null>(null);
  const [shown, setShown] = useState<readonly Placed[] | null>(null);
  const latest = useRef({ shown, cell, onPut });
  useEffect(() => {
    latest.current = { shown, cell, onPut };
  });
  const begin = useCallback(
    (event: PointerEvent<HTMLElement>, id: string, how: Drag['how']) => {
      const place = places.find((one) => one.id === id)?.place;
      if (event.button !== 0 || !event.isPrimary || !place) return;
      // Buttons in the head are pressed, not dragged.
      if (event.target instanceof Element && event.target.closest('button, a')) return;
      // Nothing is selected on the way, and the keyboard goes on from there.
      event.preventDefault();
      event.currentTarget.closest<HTMLElement>('[data-widget]')?.focus({ preventScroll: true });
      const top = scroll.current?.scrollTop ?? 0;
      const from = { x: event.clientX, y: event.clientY + top };
      setDrag({ id, how, pointer: event.pointerId, from, place, before: places });
    },
    [places, scroll],
  );
  useEffect(() => {
    if (drag === null) return;
    const end = () => {
      setDrag(null);
      setShown(null);
    };
    const placeAt = (event: globalThis.PointerEvent) => {
      const { width, height } = latest.current.cell;
      const top = scroll.current?.scrollTop ?? 0;
      const across = Math.round((event.clientX - drag.from.x) / (width + GAP));
      const down = Math.round((event.clientY + top - drag.from.y) / (height + GAP));
      return stepped(drag.place, drag.how === 'move' ? { x: across, y: down } : { w: across, h: down });
    };
    const move = (event: globalThis.PointerEvent) => {
      if (event.pointerId !== drag.pointer) return;
      const to = placeAt(event);
      const now = latest.current.shown?.find(({ id }) => id === drag.id)?.place ?? drag.place;
      if (isSamePlace(now, to)) return;
      setShown(putAt(drag.before, drag.id, to));
      // Beyond the edge of what is in sight the page goes along.
      const widget = scroll.current?.querySelector(`[data-widget="${drag.id}"]`);
      requestAnimationFrame(() => widget?.scrollIntoView({ block: 'nearest' }));
    };
    const drop = (event: globalThis.PointerEvent) => {
      if (event.pointerId !== drag.pointer) return;
      // The drawn place may be a move behind.
      const to = placeAt(event);
      if (!isSamePlace(drag.place, to)) latest.current.onPut(putAt(drag.before, drag.id, to));
      end();
    };
    const leave = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      end();
    };
    document.addEventListener('pointermove', move);
    document.addEventListener('pointerup', drop);
    document.addEventListener('pointercancel', end);
    document.addEventListener('keydown', leave, true);
    return () => {
      document.removeEventListener('pointermove', move);
      document.removeEventListener('pointerup', drop);
      document.removeEventListener('pointercancel', end);
      document.removeEventListener('keydown', leave, true);
    };
  }, [drag, scroll]);
  return { moving: drag?.id ?? null, shown, begin };
}
