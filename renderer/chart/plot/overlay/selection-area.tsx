import { useRef, type KeyboardEvent, type PointerEvent } from 'react';
import { formatTime, zoneOffset, type Zone } from '../../../time.ts';
import type { TimeSpan } from '../../time/window.ts';
import classes from './overlay.module.css';
import { across, percent } from './place.ts';

export type Edge = 'from' | 'to';

interface SelectionAreaProps {
  readonly selection: TimeSpan;
  readonly window: TimeSpan;
  readonly zone: Zone;
  /** An edge was dragged to an instant (µs). */
  readonly onMove: (edge: Edge, instant: number) => void;
  /** An edge is to go a record back (−1) or forward (1). */
  readonly onNudge: (edge: Edge, by: -1 | 1) => void;
}

/** The span that is selected, and its two ends, which can be dragged or moved by arrows. */
export function SelectionArea({ selection, window, zone, onMove, onNudge }: SelectionAreaProps) {
  const area = useRef<HTMLDivElement>(null);
  const [left, right] = [across(selection.from, window), across(selection.to, window)];
  const instantAt = (clientX: number) => {
    const plot = area.current?.parentElement?.getBoundingClientRect();
    if (!plot || plot.width === 0) return null;
    const share = Math.max(0, Math.min(1, (clientX - plot.left) / plot.width));
    return Math.round(window.from + share * (window.to - window.from));
  };
  const drag = (edge: Edge) => (event: PointerEvent<HTMLElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const instant = instantAt(event.clientX);
    if (instant !== null) onMove(edge, instant);
  };
  const nudge = (edge: Edge) => (event: KeyboardEvent) => {
    const by = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : null;
    if (by === null || event.altKey || event.ctrlKey) return;
    // The arrows move the window anywhere else.
    event.preventDefault();
    event.stopPropagation();
    event.nativeEvent.stopImmediatePropagation();
    onNudge(edge, by);
  };
  return (
    <>
      <div
        ref={area}
        className={classes['selection']}
        data-testid="selection"
        style={{ left: percent(left), right: percent(1 - right) }}
      />
      {(['from', 'to'] as const).map((edge) => {
        const share = edge === 'from' ? left : right;
        if (share < 0 || share > 1) return null;
        const instant = selection[edge];
        return (
          <div
            key={edge}
            role="slider"
            tabIndex={0}
            className={classes['edge']}
            style={{ left: percent(share) }}
            aria-label={edge === 'from' ? 'Beginning of the selection' : 'End of the selection'}
            aria-valuemin={0}
            aria-valuemax={100}
            aria-valuenow={Math.round(share * 100)}
            aria-valuetext={`${formatTime(instant, zone)} ${zoneOffset(instant, zone)}`}
            onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
            onPointerMove={drag(edge)}
            onKeyDown={nudge(edge)}
          />
        );
      })}
    </>
  );
}
