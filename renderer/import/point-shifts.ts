/** Characters that a cell of the table of rows has room for. */
const ROOM = 24;

/** Characters from the decimal point on. */
const tailOf = (text: string) => (text.includes('.') ? text.length - text.indexOf('.') : 0);

/**
 * Characters by which each number of a column stands further left than the edge, so that its decimal point lies below
 * those above it. Null for what is no number. A long one is shifted as far as there is room.
 */
export function pointShifts(texts: readonly (string | null)[]): readonly number[] {
  const tail = Math.max(0, ...texts.map((text) => (text === null ? 0 : tailOf(text))));
  return texts.map((text) =>
    text === null ? 0 : Math.max(0, Math.min(tail - tailOf(text), ROOM - text.length)),
  );
}
