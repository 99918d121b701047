import type { KeySettings } from '#shared/operations/key-settings.ts';
import type { ChartLine } from '../../draw/chart-line.ts';
import { fixedNumber, readNumber } from '../../scale/numbers.ts';
import type { Pane } from '../../scale/panes.ts';
import type { Write } from './columns.ts';

/** Ticks that stand beside a plot, or about as many. */
const TICKS = 6;

/** How the numbers of each line are written: with the digits that its settings ask for, else one more than its axis has. */
export function writerOf(
  panes: readonly Pane[],
  settingsOf: (device_id: string, key: string) => Pick<KeySettings, 'decimals'>,
): (line: ChartLine) => Write {
  const steps = new Map<string, number>();
  for (const { lines, ranges, drawing } of panes)
    for (const [index, { id, axis }] of lines.entries()) {
      const [low, high] = ranges[axis] ?? [Number.NaN, Number.NaN];
      const { min = 0, max = 0 } = drawing[index] ?? {};
      // A line that is flat beside another one on its axis still has digits of its own.
      const span = max > min ? Math.min(high - low, max - min) : high - low;
      steps.set(id, span / TICKS);
    }
  return ({ id, device_id, key, unit }) => {
    const { decimals } = settingsOf(device_id, key);
    if (decimals !== null) return (value) => fixedNumber(value, decimals);
    return (value) => readNumber(value, steps.get(id) ?? Number.NaN, unit);
  };
}
