import { Text } from '@mantine/core';
import { formatMicros } from '#shared/time.ts';
import type { Reading } from '../../chart/columns.ts';
import type { ChartColors } from '../../chart/palette.ts';
import type { Picture } from '../../chart/picture.ts';
import { formatClock, formatDay, formatLocal, zoneOffset } from '../../time.ts';
import classes from './chart-panel.module.css';
import { wordsOf } from './readout-words.ts';

interface ReadoutProps {
  readonly keys: readonly string[];
  readonly picture: Picture | null;
  readonly newest: Reading | null;
  /** The instant under the cursor in µs; null shows the newest record. */
  readonly cursor: number | null;
  readonly colors: ChartColors;
}

/** The exact values and time of the record closest to the cursor, or what the column of pixels under it holds. */
export function Readout({ keys, picture, newest, cursor, colors }: ReadoutProps) {
  const words = wordsOf(picture, newest, cursor);
  if (!words) return <div className={classes['readout']} data-testid="chart-readout" />;
  const { from, to } = words;
  return (
    <div className={classes['readout']} data-testid="chart-readout">
      <Text
        span
        inherit
        c="dimmed"
        title={to === null ? formatMicros(from) : `${formatMicros(from)} – ${formatMicros(to)}`}
      >
        {cursor === null && 'Newest: '}
        {formatLocal(from)}
        {to !== null && ` – ${formatDay(to) === formatDay(from) ? formatClock(to) : formatLocal(to)}`}{' '}
        {zoneOffset(from)}
      </Text>{' '}
      {keys.map((key, index) => (
        <span key={key} className={classes['value']}>
          <span className={classes['swatch']} style={{ background: colors.line(index) }} />
          {key}{' '}
          <Text span inherit fw={600} className="mono">
            {words.values[index]}
          </Text>
        </span>
      ))}
    </div>
  );
}
