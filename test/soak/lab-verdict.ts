import { median, megabytes, type Verdict } from './verdict.ts';

/** What a look at a lab under load found. */
export interface LabSample {
  /** Of each table with its indexes. */
  readonly bytes: Readonly<Record<string, number>>;
  /** Records of a device that wait to be sealed. */
  readonly longestTail: number;
  /** Notes of changes of two hours ago. */
  readonly oldNotes: number;
  /** ms until a record was acknowledged, since the look before. */
  readonly p99Ms: number;
}

const LONGEST_TAIL = 1024;
/** Tables of records, and the notes of this hour and the last: these may grow. */
const GROWING = new Set(['block', 'segment', 'segment_key', 'outcome']);
/** How far a table may be from where it was, as a share, and in bytes: vacuum comes and goes. */
const FLAT = 0.1;
const FLAT_BYTES = 8e6;
/** How much longer an answer may take. */
const SLOWER = 1.5;

/** Compares the second quarter of the samples, by which time everything is warm, with the last one, by medians. */
export function labVerdictOf(samples: readonly LabSample[]): Verdict {
  const quarter = Math.floor(samples.length / 4);
  const early = samples.slice(quarter, 2 * quarter);
  const late = samples.slice(-quarter);
  const faults: string[] = [];
  const figures: string[] = [];
  const tail = Math.max(...samples.map(({ longestTail }) => longestTail));
  figures.push(`longest tail: ${tail} records`);
  if (tail > LONGEST_TAIL) faults.push(`${tail} records of a device waited to be sealed`);
  const old = samples.at(-1)?.oldNotes ?? 0;
  if (old > 0) faults.push(`${old} notes of changes of two hours ago are still there`);
  for (const name of Object.keys(samples.at(-1)?.bytes ?? {}).toSorted()) {
    const [before = 0, after = 0] = [early, late].map((some) =>
      median(some.map(({ bytes }) => bytes[name] ?? 0)),
    );
    figures.push(`${name}: ${megabytes(before)} MB, at the end ${megabytes(after)} MB`);
    if (!GROWING.has(name) && after > before * (1 + FLAT) + FLAT_BYTES)
      faults.push(`${name} grew from ${megabytes(before)} to ${megabytes(after)} MB`);
  }
  const [before = 0, after = 0] = [early, late].map((some) => median(some.map(({ p99Ms }) => p99Ms)));
  figures.push(`p99 of a record: ${before.toFixed(0)} ms, at the end ${after.toFixed(0)} ms`);
  if (after > SLOWER * before) faults.push(`p99 went from ${before.toFixed(0)} to ${after.toFixed(0)} ms`);
  return { faults, figures };
}
