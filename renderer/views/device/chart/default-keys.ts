const FIRST_KEYS = 4;

/**
 * The keys to draw while nobody has picked any: the first few. Those drawn already stay, in their order and so their
 * colours, when a device begins to send others.
 */
export function defaultKeys(before: readonly string[], numeric: readonly string[]): readonly string[] {
  const staying = before.filter((key) => numeric.includes(key));
  const coming = numeric.filter((key) => !before.includes(key));
  return [...staying, ...coming].slice(0, FIRST_KEYS);
}
