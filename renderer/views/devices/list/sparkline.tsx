import { memo, useEffect, useMemo } from 'react';
import type { FoundDevice } from '#shared/operations/metadata/devices.ts';
import type { KeySettings } from '#shared/operations/metadata/key-settings.ts';
import { nameOfKey, shortValue } from '../../../components/facts/key-words.ts';
import classes from './device-cells.module.css';
import { COLUMNS, trendName, useTrends, wantTrend, type Trend } from './sparklines.ts';
import { trendPath } from '../../../chart/draw/trend-path.ts';

const HEIGHT = 22;

interface SparklineProps {
  readonly project_id: string;
  readonly device: FoundDevice;
  readonly keyName: string;
  readonly settings: KeySettings;
}

/** The last day of a key: its course, not its values, which hovering tells. */
export const Sparkline = memo(function Sparkline({ project_id, device, keyName, settings }: SparklineProps) {
  const { id: device_id, newest } = device;
  const trend = useTrends(({ kept }) => kept.get(trendName({ device_id, key: keyName }))?.trend ?? null);
  useEffect(
    () => wantTrend({ project_id, device_id, key: keyName, newest }),
    [project_id, device_id, keyName, newest],
  );
  const path = useMemo(() => (trend ? trendPath(trend, HEIGHT) : ''), [trend]);
  if (!trend || path === '') return null;
  return (
    <svg
      className={classes['trend']}
      viewBox={`0 0 ${COLUMNS} ${HEIGHT}`}
      width={COLUMNS}
      height={HEIGHT}
      role="img"
      aria-label={words(trend, keyName, settings)}
    >
      <title>{words(trend, keyName, settings)}</title>
      <path d={path} vectorEffect="non-scaling-stroke" />
    </svg>
  );
});

function words({ min, max }: Trend, key: string, settings: KeySettings): string {
  const numbers = [...min, ...max].filter((number) => number !== null);
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  return `${nameOfKey(key, settings)}, last day: ${shortValue(least, settings)} to ${shortValue(most, settings)}`;
}
