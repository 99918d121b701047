/* Counts for people. */

const grouped = new Intl.NumberFormat('en');

/** `22,695`. */
export function formatCount(count: number): string {
  return grouped.format(count);
}

/** `22,695 records`, `1 record`; `many` where it is not `one` with an s behind it. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}
