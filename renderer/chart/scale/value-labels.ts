import { notationFor, writeNumber } from './notation.ts';

/**
 * Labels of a value axis: as many digits as its ticks have, so that steps of 2.5 read 37.5 and 40.0. Large and tiny ones
 * are written in steps of three where that is shorter: a counter's 12,345,680 and 12,345,685 stay as they are.
 */
export function valueLabels(ticks: readonly number[], unit = ''): string[] {
  const [first = 0, second = 2 * first || 1] = ticks;
  const largest = Math.max(...ticks.map(Math.abs), 0);
  const notation = notationFor(largest, Math.abs(second - first));
  return ticks.map((tick) => writeNumber(tick, notation, unit));
}
