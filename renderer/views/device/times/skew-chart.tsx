import { useMemo } from 'react';
import type { Times } from '#shared/operations/records/times.ts';
import { parseInstant } from '#shared/values/time.ts';
import { spanText } from '../../../components/facts/span-words.ts';
import { formatDay } from '../../../time.ts';
import { skewText } from './finding-words.ts';
import classes from './times-panel.module.css';

interface SkewChartProps {
  readonly times: Times;
  /** Goes to a part of the span, in µs, where it is seen better. */
  readonly onOpen: (from: number, to: number) => void;
}

const HEIGHT = 100;

/** Chart of the skew: the delay of receipt after records' own time, least and most of each column of the span. */
export function SkewChart({ times, onOpen }: SkewChartProps) {
  const { skew, start, end } = times;
  const width = skew.counts.length;
  const drawn = useMemo(() => areaOf(skew), [skew]);
  if (!drawn) return null;
  const [from, to] = [parseInstant(start) ?? 0, parseInstant(end) ?? 0];
  const { least, most } = drawn;
  return (
    <figure className={classes['skew']}>
      <figcaption className={classes['caption']}>
        Receipt against the record’s own time: <b>{skewText(least)}</b>
        {least !== most && (
          <>
            {' – '}
            <b>{skewText(most)}</b>
          </>
        )}
      </figcaption>
      <div className={classes['plot']}>
        <div className={classes['labels']} aria-hidden>
          <span>{skewText(drawn.top)}</span>
          <span>{skewText(drawn.bottom)}</span>
        </div>
        <svg
          viewBox={`0 0 ${width} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`Receipt against the record’s own time, ${spanText(from, to)}: ${skewText(least)} to ${skewText(most)}`}
          onClick={(event) => {
            const { left, width: wide } = event.currentTarget.getBoundingClientRect();
            const share = Math.max(0, Math.min(1, (event.clientX - left) / wide));
            // A twentieth of the span around the place.
            const at = from + share * (to - from);
            const half = Math.max(1, (to - from) / 40);
            onOpen(Math.round(at - half), Math.round(at + half));
          }}
        >
          {drawn.zero !== null && (
            <line x1={0} x2={width} y1={drawn.zero} y2={drawn.zero} className={classes['zero']} />
          )}
          <path d={drawn.path} className={classes['area']} />
        </svg>
      </div>
      <div className={classes['ends']} aria-hidden>
        <span>{formatDay(from)}</span>
        <span>{formatDay(to)}</span>
      </div>
    </figure>
  );
}

/** The path of all columns that have records, each a bar from its least to its most, in a box of HEIGHT. */
function areaOf({ counts, min, max }: Times['skew']) {
  let least = Infinity;
  let most = -Infinity;
  for (const [column, count] of counts.entries()) {
    if (count === 0) continue;
    least = Math.min(least, min[column] ?? Infinity);
    most = Math.max(most, max[column] ?? -Infinity);
  }
  if (least > most) return null;
  // A skew that never changes is a line in the middle.
  const room = Math.max((most - least) * 0.08, 1_000);
  const [bottom, top] = [least - room, most + room];
  const y = (skew: number) => (HEIGHT * (top - skew)) / (top - bottom);
  const parts: string[] = [];
  for (const [column, count] of counts.entries()) {
    if (count === 0) continue;
    const [high, low] = [y(max[column] ?? 0), y(min[column] ?? 0)];
    const middle = (high + low) / 2;
    // At least a stroke high, so that a column of one skew is seen.
    const half = Math.max((low - high) / 2, 0.9);
    parts.push(`M${column} ${(middle - half).toFixed(2)}h1V${(middle + half).toFixed(2)}h-1z`);
  }
  return {
    path: parts.join(''),
    least,
    most,
    top: most,
    bottom: least,
    zero: top > 0 && bottom < 0 ? y(0) : null,
  };
}
