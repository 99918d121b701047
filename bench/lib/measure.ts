/** What several rounds of one measurement gave. */
export interface Sample {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export function sampleOf(values: readonly number[]): Sample {
  const sorted = values.toSorted((a, b) => a - b);
  const median = percentile(sorted, 0.5);
  return { median, min: sorted[0] ?? median, max: sorted.at(-1) ?? median };
}

/** `sorted` ascending; the nearest rank. */
export function percentile(sorted: readonly number[], fraction: number): number {
  const value = sorted[Math.max(0, Math.ceil(sorted.length * fraction) - 1)];
  if (value === undefined) throw new RangeError('There is nothing measured.');
  return value;
}

/** Runs a measurement `count` times, one after another, and once before, to warm up, which does not count. */
export async function rounds(
  count: number,
  measure: (round: number) => number | Promise<number>,
): Promise<Sample> {
  await measure(-1);
  const values: number[] = [];
  for (let round = 0; round < count; round++) values.push(await measure(round));
  return sampleOf(values);
}

/** ms that the work takes. */
export async function timed(work: () => unknown): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** µs of each of many short calls, after some to warm up; `n` counts from 0. Sorted ascending. */
export async function eachTimed(
  calls: number,
  warmUp: number,
  call: (n: number) => unknown,
): Promise<number[]> {
  for (let n = 0; n < warmUp; n++) await call(n);
  const times = new Float64Array(calls);
  for (let n = 0; n < calls; n++) {
    const began = performance.now();
    await call(n);
    times[n] = (performance.now() - began) * 1000;
  }
  return Array.from(times).toSorted((a, b) => a - b);
}

/**
 * Runs several measurements in turn, `count` rounds of all, so that what else the machine does meets them alike; once
 * before to warm up. The samples are in the order of the measurements.
 */
export async function inTurn(
  count: number,
  measurements: readonly (() => Promise<number>)[],
): Promise<Sample[]> {
  const values = measurements.map((): number[] => []);
  for (let round = -1; round < count; round++)
    for (const [i, measure] of measurements.entries()) {
      const value = await measure();
      if (round >= 0) values[i]?.push(value);
    }
  return values.map(sampleOf);
}
