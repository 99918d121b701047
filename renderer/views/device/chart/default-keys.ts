export const FIRST_KEYS = 4;

/**
 * Default keys to draw: the first few. Those drawn already stay, in their order and so their colours, when a device begins
 * to send others.
 */
export function defaultKeys(before: readonly string[], numeric: readonly string[]): readonly string[] {
  const staying = before.filter((key) => numeric.includes(key));
  const coming = numeric.filter((key) => !before.includes(key));
  return [...staying, ...coming].slice(0, FIRST_KEYS);
}

/** Returns the relative variation of numbers from `least` to `most`, from 0 to 2. */
export function variationBetween(least: number, most: number): number {
  // A switch: it varies as much as anything can, and says more as a strip below the chart.
  if (least === 0 && most === 1) return 0;
  const size = Math.max(Math.abs(least), Math.abs(most));
  return size === 0 ? 0 : most / size - least / size;
}
