/*
 * Numbers in groups of 128, each group as small as it gets without losing a bit (docs/storage-format.md, "Numbers").
 * A group whose doubles are all `integer / 10^k` or `integer * 10^k` is kept as those integers, by the cheapest of
 * constant, frame of reference, delta and distance from a line; any other group (-0, 1e308, noise) is kept raw.
 * Every group says its min and max up front, so that a chart need not decode it.
 */

export const GROUP = 128;

/** Modes of a group, in the low three bits of its first byte; the scale is above them. */
export const CONSTANT = 0;
export const FRAME = 1;
export const DELTA = 2;
export const LINE = 3;
export const RAW = 4;

/** Scales 0 to 12: value = integer / 10^scale. 13 and 14: value = integer * 10^3, * 10^6 (times in µs). */
export const MAX_DECIMALS = 12;
export const MAX_SCALE = 14;
export const POWERS = Float64Array.from({ length: MAX_DECIMALS + 1 }, (_, k) => 10 ** k);
