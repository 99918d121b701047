import { dirname } from 'node:path';
import { Low } from 'lowdb';
import type { Chances } from '../../../base/chance.ts';
import type { Clock } from '../../../base/clock.ts';
import { UnconfirmedWrite } from '../../../disk/atomic-file.ts';
import { changeError, startError } from '../../../disk/errors.ts';
import { nodeFiles, type Files } from '../../../disk/files.ts';
import { StoreError } from '../../../base/errors.ts';
import { BY_ITSELF, type Origin } from '../../trail/entry.ts';
import type { TrailBounds } from '../../trail/trail-files.ts';
import { BUDGET, type Budget } from '../budget.ts';
import { changeQueue, makeChanges, type PendingChange } from '../tables/change-queue.ts';
import { DraftTables } from '../tables/draft-tables.ts';
import { MetadataFile } from './metadata-file.ts';
import { firstMetadata } from '../metadata-schema.ts';
import type { Metadata } from '../metadata.ts';
import { MetadataSnapshots } from '../tables/metadata-snapshots.ts';
import type { NetChange } from '../tables/net-change.ts';
import { weigh } from '../weights.ts';

/**
 * Opens the metadata of a data folder, which the caller has locked (core/disk/lock/lock.ts); makes both where there is none.
 * All of it is in memory, so that reads have their values at once, and on disk in metadata.json and its journal, a line of
 * which is what a change costs. Changes that wait together share a line; when it fails, all of them reject. Throws
 * StartError: `metadata-damaged`, `metadata-newer`, `metadata-unreadable`, `read-only`, `disk-full`.
 */
export async function openFolderMetadata({
  directory,
  clock,
  chance,
  files = nodeFiles,
  leastJournalBytes,
  mostBytesAtStop,
  trail,
  budget = BUDGET,
}: {
  readonly directory: string;
  readonly clock: Clock;
  readonly chance: Pick<Chances, 'of'>;
  readonly files?: Files;
  /** Up to how many bytes a journal goes on where metadata.json has fewer. */
  readonly leastJournalBytes?: number | undefined;
  /** How large both may be together for a stop to write metadata.json anew. */
  readonly mostBytesAtStop?: number | undefined;
  /** How large the audit trail's files become. */
  readonly trail?: TrailBounds;
  readonly budget?: Budget;
}): Promise<Metadata> {
  const file = new MetadataFile({ directory, clock, files, leastJournalBytes, mostBytesAtStop, trail });
  const first = firstMetadata(clock.now(), chance);
  const unread = new MetadataSnapshots(first, weigh(first));
  const db = new Low<MetadataSnapshots>(file, unread);
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

  /** Whether the last change may be on disk or not: then the state before it is written as a whole first. */
  let isUnsettled = false;
  /** Whether each of the last changes is of an operation that goes on. */
  let areFollowed = false;

  async function write(changes: readonly PendingChange[]): Promise<void> {
    areFollowed = changes.every(({ origin }) => origin?.isFollowed === true);
    const draft = new DraftTables(state, budget, () => clock.now());
    await makeChanges(changes, draft);
    const net = draft.net();
    if (!net) {
      if (isUnsettled) await settle();
      return;
    }
    await append(net);
    state.apply(net);
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

  /** Writes the file as a whole, later where an operation goes on. A failure loses nothing: the journal goes on. */
  async function writeAnew(): Promise<void> {
    if (!file.isDue || (areFollowed && !file.isOverdue)) return writeTrail();
    try {
      await db.write();
    } catch (error) {
      isUnsettled = error instanceof UnconfirmedWrite;
      file.postpone(error);
    }
  }

  /** Writes lines of the audit trail to its own file, where there are many. A failure loses nothing: the journal has them. */
  async function writeTrail(): Promise<void> {
    if (!file.isTrailDue) return;
    try {
      await file.writeTrail(state.trail);
    } catch (error) {
      file.postponeTrail(error);
    }
  }

  const changes = changeQueue(write, writeAnew);
  if (file.setBackTo !== null) {
    const facts = { entries_known: file.setBackTo };
    try {
      await changes.change((tables) => tables.tell({ outcome: 'done', facts }), SET_BACK);
    } catch (error) {
      throw startError(error, directory);
    }
  }
  let closed = false;
  return {
    notes: file.notes,
    trail: file.trail(() => state.trail),
    read: (look) => state.read(look),
    change: changes.change,
    async close() {
      if (closed) return;
      closed = true;
      await changes.close();
      if (isUnsettled) await settle();
      await file.close(state);
    },
  };
}

/** The metadata that were found are older than the audit trail: what it tells of between is not there. */
const SET_BACK: Origin = { ...BY_ITSELF, operation: 'metadata.set-back' };

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
