import { IconArrowsHorizontal } from '@tabler/icons-react';
import { useMemo, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';
import type { View } from '#shared/domain/corrections.ts';
import type { ShownCorrection } from '#shared/operations/metadata/corrections.ts';
import type { Micros } from '#shared/values/time.ts';
import { across, down } from '../../../chart/plot/overlay/place.ts';
import type { ChartColors } from '../../../chart/plot/palette.ts';
import type { Pane } from '../../../chart/scale/panes.ts';
import { storedSpans } from '../../../chart/corrections/stored-time.ts';
import { isSameSpan, type TimeSpan } from '../../../chart/time/window.ts';
import { lengthText } from '#shared/values/length-text.ts';
import classes from './shift-span.module.css';

interface ShiftSpanProps {
  readonly span: TimeSpan;
  readonly corrections: readonly ShownCorrection[];
  readonly view: View;
  readonly window: TimeSpan;
  readonly pane: Pane;
  readonly colors: ChartColors;
  /** The span is to stand so many µs later; earlier below 0. */
  readonly onShift: (shift_us: Micros) => void;
}

const SECOND = 1_000_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** As far as keys go, in seconds. */
const FARTHEST_S = 366 * 86_400;

/** A handle that moves the selected span, where it stands as it was stored: a clock that was put right is changed in its dialog. */
export function ShiftSpan({ corrections, view, ...shown }: ShiftSpanProps) {
  const [stored, ...others] = storedSpans(corrections, shown.span, view);
  const isAsStored = stored !== undefined && others.length === 0 && isSameSpan(stored, shown.span);
  return isAsStored && <Handle {...shown} />;
}

/** Moves a span sideways, by hand or by keys, with its curve where it would stand. */
function Handle({ span, window, pane, colors, onShift }: Omit<ShiftSpanProps, 'corrections' | 'view'>) {
  const [shift, setShift] = useState(0);
  const begun = useRef<number | null>(null);
  const layer = useRef<HTMLDivElement>(null);
  const width = window.to - window.from;
  const ghosts = useMemo(() => ghostsOf(pane, span, window), [pane, span, window]);
  const middle = Math.max(0, Math.min(1, across((span.from + span.to) / 2, window)));
  const end = (isTaken: boolean) => {
    begun.current = null;
    setShift(0);
    if (isTaken && shift !== 0) onShift(shift);
  };
  const move = (event: PointerEvent<HTMLElement>) => {
    const pixels = layer.current?.clientWidth ?? 0;
    if (begun.current === null || pixels === 0) return;
    setShift(rounded(((event.clientX - begun.current) / pixels) * width, width / pixels));
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -SECOND, ArrowRight: SECOND, PageDown: -HOUR, PageUp: HOUR }[event.key];
    const isOwn = step !== undefined || ['Enter', 'Escape', 'Home'].includes(event.key);
    if (!isOwn || event.altKey || event.ctrlKey || event.metaKey) return;
    // Elsewhere in the chart they mean something else; without a shift Escape drops the selection.
    if (event.key === 'Escape' && shift === 0) return;
    event.preventDefault();
    event.stopPropagation();
    event.nativeEvent.stopImmediatePropagation();
    if (event.key === 'Enter') return end(true);
    if (step === undefined) return setShift(0);
    const by = event.shiftKey && Math.abs(step) === SECOND ? step * 60 : step;
    setShift((before) => Math.max(-FARTHEST_S * SECOND, Math.min(FARTHEST_S * SECOND, before + by)));
  };
  const words =
    shift === 0 ? 'not moved' : `${lengthText(Math.abs(shift))} ${shift < 0 ? 'earlier' : 'later'}`;
  return (
    <div ref={layer} className={classes['layer']}>
      {shift !== 0 && (
        <svg
          className={classes['ghost']}
          viewBox="0 0 1 1"
          preserveAspectRatio="none"
          style={{ transform: `translateX(${(shift / width) * 100}%)` }}
          aria-hidden
        >
          {ghosts.map(({ id, look, path }) => (
            <path key={id} d={path} stroke={colors.line(look)} />
          ))}
        </svg>
      )}
      <div
        role="slider"
        tabIndex={0}
        className={classes['handle']}
        style={{ left: `${Math.max(0, Math.min(1, middle + shift / width)) * 100}%` }}
        title="Drag to move the span in time; arrows move it by a second, with Shift by a minute, Page Up and Page Down by an hour, Enter goes on"
        aria-label="Shift of the selected span"
        aria-valuemin={-FARTHEST_S}
        aria-valuemax={FARTHEST_S}
        aria-valuenow={shift / SECOND}
        aria-valuetext={words}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          begun.current = event.clientX;
        }}
        onPointerMove={move}
        onPointerUp={() => end(true)}
        onPointerCancel={() => end(false)}
        onKeyDown={press}
        onBlur={() => begun.current === null && setShift(0)}
      >
        <IconArrowsHorizontal size={16} aria-hidden />
        {shift !== 0 && <span data-testid="shift-words">{words}</span>}
      </div>
    </div>
  );
}

/** The edges of pixels mean nothing in themselves: as many digits as tell two of them apart. */
function rounded(shift: number, pixel: number): Micros {
  const unit = pixel >= 2 * MINUTE ? MINUTE : pixel >= 2 * SECOND ? SECOND : pixel >= 2_000 ? 1_000 : 1;
  return Math.round(shift / unit) * unit;
}

/** The lines within the span, as paths in shares of the plot. */
function ghostsOf({ lines, drawing, ranges }: Pane, span: TimeSpan, window: TimeSpan) {
  return lines.flatMap(({ id, look, axis }, index) => {
    const [line, range] = [drawing[index], ranges[axis]];
    if (!line || !range) return [];
    const breaks = new Set(line.starts);
    let path = '';
    for (const [place, time] of line.times.entries()) {
      if (time < span.from || time > span.to) continue;
      const isNew = path === '' || breaks.has(place);
      path += `${isNew ? 'M' : 'L'}${across(time, window).toFixed(5)} ${down(line.values[place] ?? 0, range).toFixed(5)}`;
    }
    return { id, look, path };
  });
}
