import { useState, type KeyboardEvent, type PointerEvent } from 'react';
import { KeyName } from '../../components/facts/key-name.tsx';
import type { Zone } from '../../time.ts';
import type { ChartColors } from '../plot/palette.ts';
import type { TimeSpan } from '../time/window.ts';
import classes from './states.module.css';
import { StripBar } from './strip-bar.tsx';
import { BAR_HEIGHT, xOf } from './strip-paths.ts';
import { segmentAt, segmentWords, type Strip } from './strip.ts';

interface StateStripProps {
  readonly strip: Strip;
  /** What is said of it as a whole; null for nothing. */
  readonly facts: string | null;
  /** What people call its key. */
  readonly label: string;
  /** What it shows of the key, as a part of a sentence. */
  readonly what?: string;
  readonly window: TimeSpan;
  readonly width: number;
  readonly zone: Zone;
  readonly colors: ChartColors;
}

/** One key's states over time: each value in a colour and by its word, read by pointer or arrows. */
export function StateStrip({ strip, facts, label, what = '', window, width, zone, colors }: StateStripProps) {
  const [pointed, setPointed] = useState<number | null>(null);
  const [stepped, setStepped] = useState<number | null>(null);
  const { segments } = strip;
  const newest = segments.length - 1;
  // A window that moved on has other segments.
  const current = Math.min(stepped ?? newest, newest);
  const told = pointed === null ? stepped : Math.min(pointed, newest);
  const marked = told === null ? undefined : segments[Math.min(told, newest)];
  const read = marked ?? segments[newest];
  const x = xOf(window, width);
  const point = (event: PointerEvent<SVGSVGElement>) => {
    const { left } = event.currentTarget.getBoundingClientRect();
    setPointed(segmentAt(strip, window.from + ((event.clientX - left) / width) * (window.to - window.from)));
  };
  const step = (event: KeyboardEvent) => {
    const steps = new Map([
      ['ArrowLeft', current - 1],
      ['ArrowRight', current + 1],
      ['Home', 0],
      ['End', newest],
    ]);
    const next = steps.get(event.key);
    if (next === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    // The arrows move the chart's window anywhere else.
    event.preventDefault();
    event.nativeEvent.stopImmediatePropagation();
    setPointed(null);
    setStepped(Math.max(0, Math.min(newest, next)));
  };
  const left = marked && Math.max(0.75, x(marked.from));
  return (
    <div data-testid="state-strip" data-key={strip.key}>
      <div className={classes['caption']}>
        <KeyName name={label} />
        {facts !== null && (
          <span className={classes['share']} data-testid="state-share">
            {facts}
          </span>
        )}
        <span className={classes['read']} data-testid="state-words">
          {read && segmentWords(read, zone)}
        </span>
      </div>
      <svg
        width={width}
        height={BAR_HEIGHT}
        className={classes['bar'] ?? ''}
        role="slider"
        tabIndex={0}
        aria-label={`${label}${what} over time`}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, newest)}
        aria-valuenow={Math.max(0, current)}
        aria-valuetext={segments[current] ? segmentWords(segments[current], zone) : 'nothing'}
        onPointerMove={point}
        onPointerLeave={() => setPointed(null)}
        onKeyDown={step}
        onFocus={() => setStepped(current)}
        onBlur={() => setStepped(null)}
      >
        <StripBar strip={strip} window={window} width={width} colors={colors} />
        {marked && left !== undefined && (
          <rect
            className={classes['marked'] ?? ''}
            x={left}
            y={0.75}
            width={Math.max(2, Math.min(width - 0.75, x(marked.to)) - left)}
            height={BAR_HEIGHT - 1.5}
          />
        )}
      </svg>
    </div>
  );
}
