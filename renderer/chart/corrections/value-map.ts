import type { Calibration } from '#shared/domain/corrections.ts';
import type { TrendColumns } from '../draw/trend-path.ts';

/**
 * A calibration as a function of readings: straight between neighbouring points, beyond the ends the last line on; one point is
 * an offset. As the service reads it, for a preview. Points in order of their readings.
 */
export function valueMap(points: Calibration['points']): (reading: number) => number {
  if ('gain' in points) return (reading) => reading * points.gain + points.offset;
  const [first] = points;
  if (!first) return (reading) => reading;
  if (points.length === 1) return (reading) => reading + first[1] - first[0];
  return (reading) => {
    const after = points.findIndex(([raw]) => raw > reading);
    const place = after === -1 ? points.length - 1 : Math.max(1, after);
    const [low, high] = [points[place - 1] ?? first, points[place] ?? first];
    return low[1] + ((reading - low[0]) * (high[1] - low[1])) / (high[0] - low[0]);
  };
}

/** Columns of a curve as a calibration makes them where `isIn` says so; a falling one swaps least and most. */
export function mappedColumns(
  { min, max }: TrendColumns,
  map: (reading: number) => number,
  isIn: (column: number) => boolean,
): TrendColumns {
  const ends = min.map((least, column): readonly [number | null, number | null] => {
    const most = max[column] ?? null;
    if (least === null || most === null || !isIn(column)) return [least, most];
    const [a, b] = [map(least), map(most)];
    return [Math.min(a, b), Math.max(a, b)];
  });
  return { min: ends.map(([least]) => least), max: ends.map(([, most]) => most) };
}
