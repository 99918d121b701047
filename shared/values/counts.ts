/* Counts for people. */

/** Made at the first count: it takes longer than the rest of a module's load. */
let grouped: Intl.NumberFormat | undefined;

/** `22,695`. */
export function formatCount(count: number): string {
  grouped ??= new Intl.NumberFormat('en');
  return grouped.format(count);
}

/** `22,695 records`, `1 record`; `many` where it is not `one` with an s behind it. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}
