import { join } from 'node:path';
import type { Files } from '../../../disk/files.ts';
import { headAfter } from '../../trail/chain.ts';
import { FormerTrails } from '../../trail/former-trails.ts';
import { TrailFiles, type KnownLines } from '../../trail/trail-files.ts';
import { TRAIL_FOLDER } from '../../trail/trail-names.ts';
import type { StoredLine, Trail } from '../../trail/trail.ts';

/** The audit trail of a data directory that no service uses. */
interface FolderTrail {
  readonly trail: Trail;
  readonly former: FormerTrails;
  /** Whether it has no file. */
  readonly isEmpty: boolean;
}

/**
 * Reads it, and changes nothing: the lines of its own files, and behind them those that only the metadata's journal has. Rejects with
 * Node's errors.
 */
export async function folderTrail(directory: string, files: Files, known: KnownLines): Promise<FolderTrail> {
  const own = new TrailFiles(directory, files);
  const { pending } = await own.read(known);
  const inJournal = pending.map((text): StoredLine => ({ text, place: 'metadata.journal' }));
  async function* lines(): AsyncGenerator<StoredLine> {
    yield* own.lines();
    yield* inJournal;
  }
  async function* linesBack(before?: number): AsyncGenerator<StoredLine> {
    yield* inJournal.toReversed();
    yield* own.linesBack(before);
  }
  const former = await FormerTrails.open(join(directory, TRAIL_FOLDER), files);
  const head = headAfter(known.head, known.lines);
  return { trail: { head: () => head, first: 1, lines, linesBack }, former, isEmpty: own.isEmpty };
}
