import type { KeySettings } from '#shared/operations/metadata/key-settings.ts';
import type { KeyStatistics } from '#shared/operations/records/statistics.ts';
import type { KeyReading } from '#shared/bridge/wire.ts';
import { NUMBER_ROOM } from '../../../components/facts/key-words.ts';
import { decimalsOf, formatNumber } from '../../../numbers.ts';
import type { ChartLine } from '../../draw/chart-line.ts';
import type { Bounds } from '../../records/columns.ts';
import type { Write } from './figures.ts';

/** What is known of a line's numbers, whether or not it is shown. */
export interface KnownNumbers {
  readonly line: ChartLine;
  readonly statistics: KeyStatistics | undefined;
  /** Others of its numbers. */
  readonly numbers: readonly number[];
}

/** The numbers that a chart knows of a key beside its statistics. */
export function numbersOf(
  bounds: Bounds | undefined,
  newest: KeyReading | null | undefined,
): readonly number[] {
  return [...(bounds ? [bounds.min, bounds.max] : []), ...(newest ? [newest.value] : [])];
}

/** Means and deviations tell apart about so many steps between the least and the largest number. */
const STEPS = 60;

/**
 * How the numbers of each line are written: with the decimals that its settings ask for, else with those of its key. What
 * is drawn has no part in it: hiding a line leaves its numbers as they are.
 */
export function writerOf(
  known: readonly KnownNumbers[],
  settingsOf: (device_id: string, key: string) => Pick<KeySettings, 'decimals'>,
): (line: ChartLine) => Write {
  const decimals = new Map(known.map((one) => [one.line.id, digitsOf(one)]));
  return ({ id, device_id, key }) => {
    const { decimals: given } = settingsOf(device_id, key);
    const { stored = 0, computed = 0 } = decimals.get(id) ?? {};
    return (value, kind) =>
      formatNumber(value, { given, alike: kind === 'computed' ? computed : stored, room: NUMBER_ROOM });
  };
}

function digitsOf({ statistics, numbers }: KnownNumbers): { stored: number; computed: number } {
  const { min = null, max = null, p5, p95, first, last } = statistics ?? {};
  const stored = decimalsOf(
    [...numbers, min, max, p5, p95, first, last].filter((one) => typeof one === 'number'),
  );
  const step = ((max ?? 0) - (min ?? 0)) / STEPS;
  const telling = step > 0 && step < 1 ? Math.min(20, Math.ceil(-Math.log10(step))) : 0;
  return { stored, computed: Math.max(stored, telling) };
}
