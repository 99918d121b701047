/**
 * Returns what a start says of a file that it brings to the format of this version: what it does, and the way back
 * (docs/install.md, "A new version and its data").
 */
export const upgradeNote = (what: string, from: number, to: number): string =>
  `${what} had format ${from}, of an earlier Fieldbench, and is brought to format ${to}. That one refuses this data directory from ` +
  'now on; the way back is a copy of the directory from before.';
