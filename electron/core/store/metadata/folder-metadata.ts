import { Low } from 'lowdb';
import type { Awaitable } from '../../awaitable.ts';
import type { Clock } from '../../clock.ts';
import { startError } from '../../disk/errors.ts';
import { nodeFiles, type Files } from '../../disk/files.ts';
import { badRequest, StoreError } from '../../errors.ts';
import { DraftTables } from './draft-tables.ts';
import { MetadataFile } from './metadata-file.ts';
import { firstMetadata, type MetadataState } from './metadata-schema.ts';
import type { Metadata, WritableTables } from './metadata.ts';
import { tablesOf } from './state-tables.ts';

interface Change {
  readonly work: (tables: WritableTables) => unknown;
  result?: unknown;
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Opens the metadata of a data folder, which the caller has locked (core/disk/lock.ts); makes both where there is none.
 * All of it is in memory, so that reads have their values at once, and on disk in metadata.json. Changes that wait
 * together share one write; when it fails, all of them reject. Throws StartError: `metadata-damaged`, `metadata-newer`,
 * `read-only`, `disk-full`.
 */
export async function openFolderMetadata({
  directory,
  clock,
  files = nodeFiles,
}: {
  readonly directory: string;
  readonly clock: Clock;
  readonly files?: Files;
}): Promise<Metadata> {
  const file = new MetadataFile(directory, clock, files);
  const unread = firstMetadata(clock.now());
  const db = new Low<MetadataState>(file, unread);
  await db.read();
  if (db.data === unread) {
    try {
      await files.makeDirectory(directory, 0o700);
      await db.write();
    } catch (error) {
      throw startError(error, directory);
    }
  }

  let committed = db.data;
  let waiting: Change[] = [];
  let draining: Promise<void> | null = null;
  let closed = false;

  async function drain(): Promise<void> {
    // Lets everything that was called in the same turn ride the first write.
    await Promise.resolve();
    while (waiting.length > 0) {
      const together = waiting;
      waiting = [];
      await commit(together);
    }
    draining = null;
  }

  async function commit(changes: readonly Change[]): Promise<void> {
    const draft = new DraftTables(committed);
    const done: Change[] = [];
    for (const change of changes) {
      try {
        change.result = await change.work(draft);
        draft.keep();
        done.push(change);
      } catch (error) {
        draft.takeBack();
        change.reject(isTooDeep(error) ? tooDeep() : error);
      }
    }
    try {
      const next = draft.state();
      if (next !== committed) {
        db.data = next;
        await db.write();
        committed = next;
      }
      for (const change of done) change.resolve(change.result);
    } catch (error) {
      db.data = committed;
      for (const change of done) change.reject(error);
    }
  }

  return {
    notes: file.notes,
    read: (look) => look(tablesOf(committed)),
    change<T>(work: (tables: WritableTables) => Awaitable<T>): Promise<T> {
      if (closed)
        return Promise.reject(new StoreError('closed', 'The service is stopping: nothing was changed.'));
      return new Promise<T>((resolve, reject) => {
        waiting.push({ work, resolve: resolve as Change['resolve'], reject });
        draining ??= drain();
      });
    },
    async close() {
      closed = true;
      await draining;
      await file.close();
    },
  };
}

/** What is nested deeper than the stack can neither be kept nor written. */
const isTooDeep = (error: unknown) => error instanceof RangeError;
const tooDeep = () => badRequest('The body is nested too deep to be kept: nothing was changed.');
