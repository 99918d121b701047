import { useRef, type MouseEvent, type PointerEvent } from 'react';

/** Less is a click. */
const FARTHEST_CLICK = 4;

/**
 * Lets a line be dragged to the place of another one, which `data-line` names. By the pointer itself: the browser's own
 * dragging means files to the whole window.
 */
export function useLineDrag(id: string, onMove: ((id: string, to: string) => void) | undefined) {
  const began = useRef<{ readonly x: number; readonly y: number } | null>(null);
  const isDragged = useRef(false);
  if (!onMove) return {};
  return {
    onPointerDown({ button, clientX: x, clientY: y, currentTarget, pointerId }: PointerEvent<HTMLElement>) {
      isDragged.current = false;
      began.current = button === 0 ? { x, y } : null;
      // Wherever it goes, it is heard of here.
      if (button === 0) currentTarget.setPointerCapture(pointerId);
    },
    onPointerMove({ clientX, clientY }: PointerEvent) {
      const { current: from } = began;
      if (from && Math.hypot(clientX - from.x, clientY - from.y) > FARTHEST_CLICK) isDragged.current = true;
    },
    onPointerUp({ clientX, clientY }: PointerEvent) {
      began.current = null;
      const over = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>('[data-line]');
      const to = over?.dataset['line'];
      if (isDragged.current && to !== undefined && to !== id) onMove(id, to);
    },
    onPointerCancel() {
      began.current = null;
    },
    // What ends a drag is no click.
    onClickCapture(event: MouseEvent) {
      if (isDragged.current) event.stopPropagation();
      isDragged.current = false;
    },
  };
}
