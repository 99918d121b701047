interface Ranked {
  /** The lowest is left out first, of equal ones the last; absent: never. */
  readonly rank?: number;
}

interface Tracked extends Ranked {
  /** A CSS grid track: "minmax(150px, 2fr)", "180px". */
  readonly width: string;
}

/** The least width of a track, px. */
const leastOf = ({ width }: Tracked) => Number(/[\d.]+(?=px)/.exec(width)?.[0] ?? 0);

/** How much room columns need at least, px. */
export const leastWidth = (columns: readonly Tracked[]) => sumOf(columns, leastOf);

/** The columns that so many px have room for: nothing is scrolled sideways for the ones that matter least. */
export const fitTracks = <Column extends Tracked>(columns: readonly Column[], room: number) =>
  fitColumns(columns, room, leastOf);

/** The same of columns whose least width (px) `least` says. A room of 0 is not measured yet: all are shown. */
export function fitColumns<Column extends Ranked>(
  columns: readonly Column[],
  room: number,
  least: (column: Column) => number,
): readonly Column[] {
  const leaving = columns
    .filter(({ rank }) => rank !== undefined)
    .toReversed()
    .toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0));
  let shown = columns;
  for (const column of leaving) {
    if (room === 0 || sumOf(shown, least) <= room) break;
    shown = shown.filter((other) => other !== column);
  }
  return shown;
}

function sumOf<Column>(columns: readonly Column[], least: (column: Column) => number): number {
  return columns.reduce((sum, column) => sum + least(column), 0);
}
