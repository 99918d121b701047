import type { ChartLine } from '../../draw/chart-line.ts';
import type { AxisRanges } from '../../scale/axis-ranges.ts';
import type { ChartColors } from '../palette.ts';
import classes from './overlay.module.css';
import { down, percent } from './place.ts';

/** The normal range of a line; an end that is null is open. */
export interface NormalRange {
  readonly low: number | null;
  readonly high: number | null;
}

interface BandsProps {
  readonly lines: readonly ChartLine[];
  readonly ranges: AxisRanges;
  readonly colors: ChartColors;
  readonly normalOf: (line: ChartLine) => NormalRange;
}

/** Where a line should be: a band in its colour. */
export function Bands({ lines, ranges, colors, normalOf }: BandsProps) {
  return lines.map((line) => {
    const { low, high } = normalOf(line);
    const span = ranges[line.axis];
    if (!span || (low === null && high === null)) return null;
    const [top, bottom] = [high === null ? 0 : down(high, span), low === null ? 1 : down(low, span)];
    if (top >= 1 || bottom <= 0) return null;
    return (
      <div
        key={line.id}
        className={classes['band']}
        data-band={line.id}
        style={{
          top: percent(top),
          bottom: percent(1 - bottom),
          color: colors.line(line.look),
        }}
      />
    );
  });
}
