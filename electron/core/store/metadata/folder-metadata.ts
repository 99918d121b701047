import { dirname } from 'node:path';
import { Low } from 'lowdb';
import type { Awaitable } from '../../base/awaitable.ts';
import type { Clock } from '../../base/clock.ts';
import { UnconfirmedWrite } from '../../disk/atomic-file.ts';
import { changeError, startError } from '../../disk/errors.ts';
import { nodeFiles, type Files } from '../../disk/files.ts';
import { StoreError } from '../../base/errors.ts';
import { BUDGET, tooDeep, type Budget } from './budget.ts';
import { DraftTables } from './draft-tables.ts';
import { MetadataFile } from './metadata-file.ts';
import { firstMetadata } from './metadata-schema.ts';
import type { Metadata, WritableTables } from './metadata.ts';
import { Moments } from './moments.ts';
import type { NetChange } from './net-change.ts';
import { weigh } from './weights.ts';

interface Change {
  readonly work: (tables: WritableTables) => unknown;
  result?: unknown;
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Opens the metadata of a data folder, which the caller has locked (core/disk/lock/lock.ts); makes both where there is none.
 * All of it is in memory, so that reads have their values at once, and on disk in metadata.json and its journal, a line of
 * which is what a change costs. Changes that wait together share a line; when it fails, all of them reject. Throws
 * StartError: `metadata-damaged`, `metadata-newer`, `metadata-unreadable`, `read-only`, `disk-full`.
 */
export async function openFolderMetadata({
  directory,
  clock,
  files = nodeFiles,
  leastJournalBytes,
  mostBytesAtStop,
  budget = BUDGET,
}: {
  readonly directory: string;
  readonly clock: Clock;
  readonly files?: Files;
  /** Up to how many bytes a journal goes on where metadata.json has fewer. */
  readonly leastJournalBytes?: number | undefined;
  /** How large both may be together for a stop to write metadata.json anew. */
  readonly mostBytesAtStop?: number | undefined;
  readonly budget?: Budget;
}): Promise<Metadata> {
  const file = new MetadataFile({ directory, clock, files, leastJournalBytes, mostBytesAtStop });
  const first = firstMetadata(clock.now());
  const unread = new Moments(first, weigh(first));
  const db = new Low<Moments>(file, unread);
  await db.read();
  const state = db.data;
  try {
    if (state === unread) {
      await files.makeDirectory(directory, 0o700);
      await db.write();
    }
    await syncName(files, directory);
  } catch (error) {
    throw startError(error, directory);
  }

  let waiting: Change[] = [];
  let draining: Promise<void> | null = null;
  let closed = false;
  /** Nobody knows what of the last change is on disk: all is written anew, as it was before, ahead of anything else. */
  let isUnsettled = false;

  async function drain(): Promise<void> {
    // Lets everything that was called in the same turn ride the first write.
    await Promise.resolve();
    while (waiting.length > 0) {
      const together = waiting;
      waiting = [];
      await commit(together);
      if (file.isDue) await writeAnew();
    }
    draining = null;
  }

  async function commit(changes: readonly Change[]): Promise<void> {
    const draft = new DraftTables(state, budget);
    const done: Change[] = [];
    for (const change of changes) {
      try {
        change.result = await change.work(draft);
        await draft.keep();
        done.push(change);
      } catch (error) {
        draft.takeBack();
        change.reject(isTooDeep(error) ? tooDeep() : error);
      }
    }
    try {
      const net = draft.net();
      if (net) {
        await append(net);
        state.apply(net);
      }
      for (const change of done) change.resolve(change.result);
    } catch (error) {
      for (const change of done) change.reject(error);
    }
  }

  async function append(net: NetChange): Promise<void> {
    if (isUnsettled) await settle();
    try {
      await file.append(net);
    } catch (error) {
      isUnsettled = error instanceof UnconfirmedWrite;
      // So that a change that failed is not found as done by the next start.
      if (isUnsettled) await settle();
      throw error;
    }
  }

  /** Throws StoreError, after which the same holds as before. */
  async function settle(): Promise<void> {
    try {
      await db.write();
      isUnsettled = false;
    } catch (error) {
      const failure = changeError(error);
      // A folder that is another's by now says so itself, and no check of the disk mends it.
      throw failure.code === 'poisoned' ? failure : new StoreError(failure.code, UNSETTLED, { cause: error });
    }
  }

  /** Nothing is lost where that fails: the journal goes on. */
  async function writeAnew(): Promise<void> {
    try {
      await db.write();
    } catch (error) {
      isUnsettled = error instanceof UnconfirmedWrite;
      file.postpone(error);
    }
  }

  return {
    notes: file.notes,
    read: (look) => state.read(look),
    change<T>(work: (tables: WritableTables) => Awaitable<T>): Promise<T> {
      if (closed)
        return Promise.reject(new StoreError('closed', 'The service is stopping: nothing was changed.'));
      return new Promise<T>((resolve, reject) => {
        waiting.push({ work, resolve: resolve as Change['resolve'], reject });
        draining ??= drain();
      });
    },
    async close() {
      if (closed) return;
      closed = true;
      await draining;
      if (isUnsettled) await settle();
      await file.close(state);
    },
  };
}

/** Makes a folder's own name durable, without which all that is in it may be gone. */
async function syncName(files: Files, directory: string): Promise<void> {
  try {
    await files.syncDirectory(dirname(directory));
  } catch (error) {
    // Whoever may make a folder there may not be allowed to open the one above.
    if (changeError(error).code !== 'read-only') throw error;
  }
}

const UNSETTLED =
  'The disk failed, and nobody can say whether it holds the last change. Nothing more is changed until ' +
  'metadata.json can be written again. Check the disk and its space, and try again.';

/** As V8 says that it lacks the stack, or that a text would be too long. */
const isTooDeep = (error: unknown) => error instanceof RangeError;
