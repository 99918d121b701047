import { workFor, type ThreadTask } from '../../../threads/serve.ts';
import { nodeFiles } from '../../../disk/files.ts';
import { guardSyncs } from '../../../disk/guard-syncs.ts';
import { REWRITE, type RewriteEnd, type RewriteStart } from './rewrite-kind.ts';
import type { Segment } from './segment.ts';
import { createPool } from './segment-pool.ts';
import { damageOf, leaveOut, segmentsOf } from './segment-reference.ts';
import { Abandoned, writeSorted } from './sorted-writer.ts';

/** Segments are read once, from front to back. */
const LIMITS = { handles: 64, blockBytes: 1 << 20, summaryBytes: 1 << 20 };

class Unsynced extends Error {
  override readonly name = 'Unsynced';
}

/** The thread's side of rewriting.ts. */
export const rewriteWork = workFor(REWRITE, rewrite);

async function rewrite(start: RewriteStart, { input }: ThreadTask<'give-up', never>): Promise<RewriteEnd> {
  const files = guardSyncs(nodeFiles, (cause) => new Unsynced('Not synced.', { cause }));
  const pool = createPool(files, LIMITS);
  const segments = segmentsOf(pool, start.folder, start.parts);
  const origins = start.origins.values();
  const wanted = watch(input);
  try {
    leaveOut(segments, start.parts);
    const made = await writeSorted(
      start.parts.map(({ from, to }, i) => ({ source: segments[i]!, from, to })),
      {
        files,
        folder: start.folder,
        segmentRows: start.segmentRows,
        abandoned: () => !wanted(),
        origin() {
          const { value } = origins.next();
          if (value === undefined) throw new Error('Rewriting made more segments than it had numbers for.');
          return value;
        },
      },
    );
    return { kind: 'made', made };
  } catch (error) {
    return endOf(error, segments);
  } finally {
    for (const segment of segments) segment.close();
  }
}

/** Whether nothing has come yet. */
function watch(input: AsyncIterable<unknown>): () => boolean {
  const arrived = input[Symbol.asyncIterator]().next();
  let isWanted = true;
  const giveUp = () => void (isWanted = false);
  arrived.then(({ done }) => done === true || giveUp(), giveUp);
  return () => isWanted;
}

function endOf(error: unknown, segments: readonly Segment[]): RewriteEnd {
  if (error instanceof Abandoned) return { kind: 'abandoned' };
  if (error instanceof Unsynced) return { kind: 'unsynced', cause: error.cause };
  const damage = damageOf(error, segments);
  if (damage === null) throw error;
  return { kind: 'damaged', damage };
}
