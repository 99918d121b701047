// localeCompare would make one of these at every comparison: thousands of rows would be felt.
const { compare } = new Intl.Collator(undefined, { numeric: true });

/** Orders names as people look for them: `PT-9` before `PT-10`. */
export function compareNames(a: string, b: string): number {
  return compare(a, b);
}

/** Orders times of the service by their texts: all are written alike, so that these are in their order. */
export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
