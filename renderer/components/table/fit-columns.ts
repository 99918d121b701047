interface Tracked {
  /** A CSS grid track: "minmax(150px, 2fr)", "180px"; one that shrinks with the table: "minmax(min(180px, 40%), 2fr)". */
  readonly width: string;
  /** The lowest is left out first, of equal ones the last; absent: never. */
  readonly rank?: number;
  /** Least widths that it would rather have, px, ascending: the largest that the others leave room for counts. */
  readonly wishes?: readonly number[];
}

/** The least width of a track, px. */
const leastOf = ({ width }: Tracked) => Number(/[\d.]+(?=px)/.exec(width)?.[0] ?? 0);

const sumOf = (columns: readonly Tracked[]) => columns.reduce((sum, column) => sum + leastOf(column), 0);

/** Returns the least width of columns, px. */
export const leastWidth = (columns: readonly Tracked[]) =>
  sumOf(columns.filter(({ width }) => !width.includes('%')));

/**
 * The columns that so many px have room for: nothing is scrolled sideways for the ones that matter least. A room of 0 is
 * not measured yet: all are shown.
 */
export function fitTracks<Column extends Tracked>(
  columns: readonly Column[],
  room: number,
): readonly Column[] {
  const leaving = columns
    .filter(({ rank }) => rank !== undefined)
    .toReversed()
    .toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0));
  let shown = columns;
  for (const column of leaving) {
    if (room === 0 || sumOf(shown) <= room) break;
    shown = shown.filter((other) => other !== column);
  }
  return shown;
}

/** Columns that fit, those with wishes as wide as the room that is left allows, the first of them first. */
export function widenTracks<Column extends Tracked>(
  columns: readonly Column[],
  room: number,
): readonly Column[] {
  let left = room - sumOf(columns);
  return columns.map((column) => {
    const least = leastOf(column);
    const wish = column.wishes?.findLast((px) => px > least && px - least <= left);
    if (wish === undefined) return column;
    left -= wish - least;
    return { ...column, width: column.width.replace(/[\d.]+(?=px)/, String(wish)) };
  });
}

const GROWS = /\dfr\b/;

/**
 * Tracks of columns, of which those of texts share what is left over by their widths where none grows: what is centred is a
 * mark or a button, and stays beside what it belongs to.
 */
export function spreadTracks(
  columns: readonly (Pick<Tracked, 'width'> & { readonly align?: 'end' | 'center' })[],
): readonly string[] {
  const grows = columns.some(({ width }) => GROWS.test(width));
  return columns.map(({ width, align }) => {
    if (grows || align === 'center') return width;
    const [, least = width, most = width] = /^minmax\((.+), ([^,]+)\)$/.exec(width) ?? [];
    return `minmax(${least}, ${Number.parseFloat(most)}fr)`;
  });
}
