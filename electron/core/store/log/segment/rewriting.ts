import { ThreadError } from '../../../base/errors.ts';
import { machineClock } from '../../../base/machine-clock.ts';
import type { Threads } from '../../../threads/threads.ts';
import { segmentPath } from './manifest.ts';
import type { Poison } from '../../../disk/poison.ts';
import { REWRITE, type RewriteEnd, type RewritePart } from './rewrite-kind.ts';
import { Segment } from './segment.ts';
import { damageError, referTo } from './segment-reference.ts';
import type { SegmentMeta } from './segment-writer.ts';
import { Abandoned, writeSorted, type Output, type Part } from './sorted-writer.ts';

/** Writes parts, in order of arrival, to new segments; all of them durable, or none left. */
export type Rewrite = (parts: readonly Part[], output: Output) => Promise<SegmentMeta[]>;

/** How often it is asked whether the work is still wanted, in ms. */
const ASK_MS = 20;

interface SegmentPart extends Part {
  readonly source: Segment;
}

/**
 * Makes the writer of a store: what has at least so many rows, or so many bytes (few rows may have thousands of keys),
 * and comes from segments alone is done by a thread.
 */
export function createRewrite({
  threads,
  poison,
  leastRows,
  leastBytes,
}: {
  readonly threads: Threads | null;
  readonly poison: Poison;
  readonly leastRows: number;
  readonly leastBytes: number;
}): Rewrite {
  return async (parts, output) => {
    const rows = parts.reduce((sum, { from, to }) => sum + to - from, 0);
    if (threads === null || !parts.every(isOfSegment)) return writeSorted(parts, output);
    const bytes = parts.reduce((sum, { source }) => sum + source.meta.bytes, 0);
    if (rows < leastRows && bytes < leastBytes) return writeSorted(parts, output);
    const origins = Array.from({ length: Math.ceil(rows / output.segmentRows) + 1 }, () => output.origin());
    const { folder, segmentRows } = output;
    const start = { folder, segmentRows, origins, parts: parts.map(describe) };
    const over = new AbortController();
    try {
      const end = await threads.run(REWRITE, start, { input: giveUp(output, over.signal) });
      return madeBy(end, parts, poison);
    } catch (error) {
      if (!(error instanceof ThreadError)) throw error;
      // The thread has ended before it could take its files away.
      for (const { id } of origins) await output.files.remove(segmentPath(folder, id));
      return await writeSorted(parts, output);
    } finally {
      over.abort();
    }
  };
}

function isOfSegment(part: Part): part is SegmentPart {
  return part.source instanceof Segment;
}

function describe({ source, from, to }: SegmentPart): RewritePart {
  return { ...referTo(source), from, to };
}

async function* giveUp(output: Output, over: AbortSignal): AsyncGenerator<'give-up'> {
  while (output.abandoned?.() !== true) {
    if (over.aborted) return;
    await machineClock.delay(ASK_MS, { ref: false });
  }
  yield 'give-up';
}

function madeBy(end: RewriteEnd, parts: readonly SegmentPart[], poison: Poison): SegmentMeta[] {
  switch (end.kind) {
    case 'made':
      return [...end.made];
    case 'abandoned':
      throw new Abandoned();
    case 'unsynced':
      throw poison.by(end.cause);
    case 'damaged':
      throw damageError(
        end.damage,
        parts.map(({ source }) => source),
      );
  }
}
