import type { Note } from '#shared/operations/metadata/notes.ts';
import type { KeyStatistics } from '#shared/operations/records/statistics.ts';
import { parseInstant } from '#shared/values/time.ts';
import { FIGURES, type Write } from '../controls/legend/figures.ts';
import type { ChartLine } from '../draw/chart-line.ts';
import type { SceneLegend, SceneNote } from './scene.ts';

/** The legend of a picture: what the legend on the screen says of the lines that are drawn. */
export function legendOf(
  lines: readonly ChartLine[],
  hidden: ReadonlySet<string>,
  statistics: readonly (KeyStatistics | undefined)[],
  writeOf: (line: ChartLine) => Write,
): SceneLegend {
  const rows = lines.flatMap((line, index) => {
    const { id, label, unit, look } = line;
    if (hidden.has(id)) return [];
    const known = statistics[index];
    const write = writeOf(line);
    const cells = FIGURES.map(({ text }) => (known ? text(known, write) : ''));
    return { look, label: unit === '' ? label : `${label} (${unit})`, cells };
  });
  // Figures that are not there yet would be a table of blanks.
  const isKnown = statistics.some((one) => one !== undefined);
  if (!isKnown) return { columns: [], rows: rows.map(({ look, label }) => ({ look, label, cells: [] })) };
  return { columns: FIGURES.map(({ label }) => label), rows };
}

export function sceneNotes(notes: readonly Note[]): readonly SceneNote[] {
  return notes.map(({ start, end, text, author }) => ({
    start: parseInstant(start) ?? 0,
    end: end === null ? null : parseInstant(end),
    text,
    author,
  }));
}
