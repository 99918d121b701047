import { timesText } from '../../../chart/controls/legend/legend.tsx';
import type { Write } from '../../../chart/controls/legend/figures.ts';
import type { Readout } from '../../../chart/controls/legend/readings.ts';
import type { ChartLine } from '../../../chart/draw/chart-line.ts';
import type { Zone } from '../../../time.ts';

/** Lines that are read aloud at most. */
const MOST = 4;

/** Returns the readings at the cursor, for screen readers. */
export function spokenText(
  { from, to, values }: Readout,
  lines: readonly ChartLine[],
  hidden: ReadonlySet<string>,
  writeOf: (line: ChartLine) => Write,
  zone: Zone,
): string {
  const read = lines.flatMap((line, index) => {
    const { numbers = [] } = values[index] ?? {};
    if (hidden.has(line.id) || numbers.length === 0) return [];
    const write = writeOf(line);
    return [`${line.label} ${numbers.map((number) => write(number)).join(' to ')} ${line.unit}`.trim()];
  });
  return [timesText(from, to, zone), ...read.slice(0, MOST)].join(', ');
}
