import { Text } from '@mantine/core';
import { formatMicros } from '#shared/time.ts';
import type { ChartColors } from '../../../chart/palette.ts';
import { KeyName } from '../../../components/facts/key-name.tsx';
import { formatClock, formatDay, formatLocal, zoneOffset } from '../../../time.ts';
import classes from './chart-panel.module.css';
import { LineSwatch } from './line-swatch.tsx';
import type { ReadoutWords } from './readout-words.ts';

interface ReadoutProps {
  readonly keys: readonly string[];
  readonly looks: readonly number[];
  readonly colors: ChartColors;
  readonly words: ReadoutWords | null;
  /** Whether they say what is newest, not what is under the cursor. */
  readonly isNewest: boolean;
}

/** The exact values and time of what is closest to the cursor, or what the column of pixels under it holds. */
export function Readout({ keys, looks, colors, words, isNewest }: ReadoutProps) {
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
        {isNewest && 'Newest: '}
        {formatLocal(from)}
        {to !== null && ` – ${formatDay(to) === formatDay(from) ? formatClock(to) : formatLocal(to)}`}{' '}
        {zoneOffset(from)}
      </Text>{' '}
      {keys.map((key, index) => {
        const { text, age } = words.values[index] ?? { text: '', age: null };
        return (
          <span key={key} className={classes['value']}>
            <LineSwatch look={looks[index] ?? index} colors={colors} />
            <KeyName name={key} />{' '}
            <Text span inherit fw={600} className="mono" {...(age !== null && { c: 'dimmed' })}>
              {text}
            </Text>{' '}
            {age !== null && (
              <Text span inherit c="dimmed">
                ({age})
              </Text>
            )}
          </span>
        );
      })}
    </div>
  );
}
