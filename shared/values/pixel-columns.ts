import type { Micros } from './time.ts';

/*
 * How the instants from `start` to `end` (µs, both inclusive) fall into `width` columns of pixels: column c holds the
 * instants t with floor((t - start) * width / (end - start + 1)) = c. Whoever draws and whoever summarises must agree
 * to the microsecond, or a point on an edge shows up in the column beside its own.
 */

/** The first instant of each column, exactly. */
export function columnStarts(start: Micros, end: Micros, width: number): Float64Array {
  const starts = new Float64Array(width);
  const span = end - start + 1;
  if (Number.isSafeInteger(span)) {
    const whole = Math.floor(span / width);
    const rest = span - whole * width;
    for (let c = 0; c < width; c++) starts[c] = start + c * whole + Math.ceil((c * rest) / width);
  } else {
    // Over more than 285 years the length in µs is no safe integer.
    const [first, last, columns] = [BigInt(start), BigInt(end), BigInt(width)];
    for (let c = 0; c < width; c++)
      starts[c] = Number(first + (BigInt(c) * (last - first + 1n) + columns - 1n) / columns);
  }
  return starts;
}
