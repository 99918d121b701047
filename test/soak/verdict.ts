import type { Held } from './service.ts';

/** How far memory may be from where it was, as a share. */
const FLAT = 0.05;
/** ms of one turn, in which nobody else is served. */
const LONGEST_TURN_MS = 250;
/** Descriptors and timers come and go with who is asking. */
const MORE_HANDLES = 40;

/** What a soak shows: what is wrong, and the figures behind it. */
export interface Verdict {
  readonly faults: readonly string[];
  readonly figures: readonly string[];
}

/**
 * Compares the second quarter of the samples, by which time everything is warm, with the last one. Memory is the median of
 * what is left after a collection. A turn counts as long only where the thread was at work in it, not the machine elsewhere.
 */
export function verdictOf(samples: readonly Held[]): Verdict {
  const quarter = Math.floor(samples.length / 4);
  const early = samples.slice(quarter, 2 * quarter);
  const late = samples.slice(-quarter);
  const faults: string[] = [];
  const figures: string[] = [];
  for (const field of ['heap', 'rss'] as const) {
    const [before = 0, after = 0] = [early, late].map((some) => median(some.map((sample) => sample[field])));
    const change = after / before - 1;
    figures.push(`${field}: ${megabytes(before)} MB, at the end ${megabytes(after)} MB (${percent(change)})`);
    if (change > FLAT) faults.push(`${field} grew by ${percent(change)}`);
  }
  for (const field of ['descriptors', 'resources'] as const) {
    const [before = 0, after = 0] = [early, late].map((some) => median(some.map((sample) => sample[field])));
    figures.push(`${field}: ${before}, at the end ${after}`);
    if (after > before + MORE_HANDLES) faults.push(`${field} grew from ${before} to ${after}`);
  }
  const stalls = samples.flatMap((sample) => sample.stalls);
  const own = stalls.filter(({ busyMs }) => busyMs > LONGEST_TURN_MS);
  const longest = Math.max(...samples.map(({ longestMs }) => longestMs));
  figures.push(
    `longest turn: ${longest} ms; over ${LONGEST_TURN_MS} ms: ${stalls.length}, at work: ${own.length}`,
  );
  if (own.length > 0)
    faults.push(
      `${own.length} turns kept everyone waiting, the longest ${Math.max(...own.map(({ busyMs }) => busyMs))} ms`,
    );
  const errors = samples.flatMap((sample) => sample.errors);
  if (errors.length > 0) faults.push(`the service logged errors: ${errors[0]}`);
  return { faults, figures };
}

/** Of the samples in order the one in the middle; 0 where there is none. */
export function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;
}

export const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1);
const percent = (share: number) => `${share < 0 ? '' : '+'}${(share * 100).toFixed(1)} %`;
