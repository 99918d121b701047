import { Text } from '@mantine/core';
import { useMemo } from 'react';
import type { SeriesPicture } from '#shared/bridge/wire.ts';
import type { Calibration } from '#shared/domain/corrections.ts';
import { mappedColumns, valueMap } from '../../../../chart/corrections/value-map.ts';
import { trendPath, type TrendColumns } from '../../../../chart/draw/trend-path.ts';
import { formatNumber } from '../../../../numbers.ts';
import classes from './preview.module.css';

interface CalibrationPreviewProps {
  /** As stored; null until it is known. */
  readonly series: SeriesPicture | null;
  /** Null while it is not whole. */
  readonly points: Calibration['points'] | null;
  /** Where it holds, µs; null ends are open. */
  readonly from: number | null;
  readonly to: number | null;
  readonly unit: string;
}

const HEIGHT = 110;

/** What a calibration makes of a curve: as it was stored, pale, and over it as it will be. */
export function CalibrationPreview({ series, points, from, to, unit }: CalibrationPreviewProps) {
  const raw = useMemo(() => series && columnsOf(series), [series]);
  const shown = useMemo(() => {
    if (!raw || !series || !points) return raw;
    const { start, end, width } = series;
    const pixel = (end - start + 1) / width;
    const isIn = (column: number) => {
      const middle = start + (column + 0.5) * pixel;
      return middle >= (from ?? -Infinity) && middle <= (to ?? Infinity);
    };
    return mappedColumns(raw, valueMap(points), isIn);
  }, [raw, series, points, from, to]);
  if (!raw || !shown || !series) return null;
  const [before, after] = [endsOf(raw), endsOf(shown)];
  if (!before || !after)
    return (
      <Text size="sm" c="dimmed">
        Nothing was stored of this key in what the chart shows.
      </Text>
    );
  const scale = { least: Math.min(before.least, after.least), most: Math.max(before.most, after.most) };
  const words = `Stored ${endsText(before, unit)}, corrected ${endsText(after, unit)}`;
  return (
    <div>
      <svg
        className={classes['curve']}
        viewBox={`0 0 ${series.width} ${HEIGHT}`}
        height={HEIGHT}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Preview. ${words}`}
      >
        <path className={classes['stored']} d={trendPath(raw, HEIGHT, scale)} />
        <path className={classes['corrected']} d={trendPath(shown, HEIGHT, scale)} />
      </svg>
      <Text size="sm" c="dimmed" data-testid="calibration-preview">
        {words}.
      </Text>
    </div>
  );
}

function columnsOf({ keys: [key] }: SeriesPicture): TrendColumns {
  const of = (values: Float64Array | undefined) =>
    Array.from(values ?? [], (value, column) => (key?.counts[column] ? value : null));
  return { min: of(key?.min), max: of(key?.max) };
}

interface Ends {
  readonly least: number;
  readonly most: number;
}

function endsOf({ min, max }: TrendColumns): Ends | null {
  const [least, most] = [min.filter((one) => one !== null), max.filter((one) => one !== null)];
  if (least.length === 0 || most.length === 0) return null;
  return { least: Math.min(...least), most: Math.max(...most) };
}

const endsText = ({ least, most }: Ends, unit: string) =>
  `${formatNumber(least)} to ${formatNumber(most)}${unit === '' ? '' : ` ${unit}`}`;
