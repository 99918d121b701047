import { createDraft, current, finishDraft, isDraft } from 'immer';
import { Low } from 'lowdb';
import type { Clock } from '../../clock.ts';
import { badRequest, StoreError } from '../../errors.ts';
import { startError } from '../../disk/errors.ts';
import { nodeFiles, type Files } from '../../disk/files.ts';
import { MetadataFile } from './metadata-file.ts';
import { firstMetadata, type Metadata, type MetadataDraft } from './metadata-schema.ts';
import { checkChanges } from './metadata-text.ts';

export { nextSequence } from './metadata-schema.ts';
export type {
  Metadata,
  MetadataDraft,
  PendingDeletion,
  StoredAccount,
  StoredDevice,
  StoredFunction,
  StoredKey,
  StoredProject,
  StoredWidget,
} from './metadata-schema.ts';

/** Accounts, projects, devices, keys: the small things, all of them in memory and on disk in metadata.json. */
export interface MetadataStore {
  /** The committed state: what is on disk. Every update makes a new one; what did not change stays the same object. */
  readonly state: Metadata;
  /**
   * Changes the state and resolves with what `change` returns once the change is on disk. `change` may throw, or make a
   * state that cannot be written, which rejects this update alone; it may run twice, so it must touch nothing but the
   * draft. Updates that wait together share one write; when it fails (StoreError), all of them reject and the state stays
   * as it was.
   */
  update<T>(change: (draft: MetadataDraft) => T): Promise<T>;
  /** What was found and mended, for the log and the service screen. */
  readonly notes: readonly string[];
  /** Finishes the updates that wait; later ones reject with StoreError `closed`. */
  close(): Promise<void>;
}

interface Update {
  readonly change: (draft: MetadataDraft) => unknown;
  result?: unknown;
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Opens the metadata of a data folder, which the caller has locked (core/disk/lock.ts); makes both where there is none.
 * Throws StartError: `metadata-damaged`, `metadata-newer`, `read-only`, `disk-full`.
 */
export async function openMetadata({
  directory,
  clock,
  files = nodeFiles,
}: {
  readonly directory: string;
  readonly clock: Clock;
  readonly files?: Files;
}): Promise<MetadataStore> {
  const file = new MetadataFile(directory, clock, files);
  const unread = firstMetadata(clock.now());
  const db = new Low<Metadata>(file, unread);
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
  let waiting: Update[] = [];
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

  async function commit(updates: readonly Update[]): Promise<void> {
    const { next, done, refused } = applyAll(committed, updates);
    for (const [update, reason] of refused) update.reject(isTooDeep(reason) ? tooDeep() : reason);
    try {
      if (next !== committed) {
        db.data = next;
        await db.write();
        committed = next;
      }
      for (const update of done) update.resolve(update.result);
    } catch (error) {
      db.data = committed;
      for (const update of done) update.reject(error);
    }
  }

  return {
    get state() {
      return committed;
    },
    notes: file.notes,
    update<T>(change: (draft: MetadataDraft) => T): Promise<T> {
      if (closed)
        return Promise.reject(new StoreError('closed', 'The service is stopping: nothing was changed.'));
      return new Promise<T>((resolve, reject) => {
        waiting.push({ change, resolve: resolve as Update['resolve'], reject });
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

interface Applied {
  readonly next: Metadata;
  readonly done: readonly Update[];
  readonly refused: ReadonlyMap<Update, unknown>;
}

/**
 * The state after the updates. One that throws, or that would make a state that cannot be written, is refused by itself:
 * those that only share its write are none the worse for it.
 */
function applyAll(base: Metadata, updates: readonly Update[]): Applied {
  try {
    const applied = apply(base, updates);
    checkChanges(applied.next, base);
    return applied;
  } catch {
    return applyEach(base, updates);
  }
}

/** The same at a draft, and a look at what is to be written, for each: only then it is known whose fault it is. */
function applyEach(base: Metadata, updates: readonly Update[]): Applied {
  const refused = new Map<Update, unknown>();
  let next = base;
  for (const update of updates) {
    try {
      const after = apply(next, [update]);
      for (const reason of after.refused.values()) throw reason;
      checkChanges(after.next, next);
      next = after.next;
    } catch (error) {
      refused.set(update, error);
    }
  }
  return { next, done: updates.filter((update) => !refused.has(update)), refused };
}

/** What is nested deeper than the stack can neither be kept nor written. */
const isTooDeep = (error: unknown) => error instanceof RangeError;
const tooDeep = () => badRequest('The body is nested too deep to be kept: nothing was changed.');

/**
 * Runs the updates, in order, on one draft: a draft each would copy the table of devices each time. One that throws is
 * refused, and its draft, which it may have touched, is made again from those before it.
 */
function apply(base: Metadata, updates: readonly Update[]): Applied {
  const refused = new Map<Update, unknown>();
  let next = base;
  let draft = draftOf(next);
  let onDraft: Update[] = [];
  for (const update of updates) {
    try {
      run(update, draft);
      onDraft.push(update);
    } catch (error) {
      refused.set(update, error);
      draft = draftOf(next);
      for (const earlier of onDraft) run(earlier, draft);
      if (onDraft.length > 0) next = stateOf(draft);
      draft = draftOf(next);
      onDraft = [];
    }
  }
  if (onDraft.length > 0) next = stateOf(draft);
  return { next, done: updates.filter((update) => !refused.has(update)), refused };
}

/** A part of the draft as a result would be void after the update: its present value is taken. */
function run(update: Update, draft: MetadataDraft): void {
  const result = update.change(draft);
  update.result = isDraft(result) ? current(result) : result;
}

// Through `object`, because immer's own types for these recurse too deeply into the JSON values of a state.
const draftOf = (state: Metadata) => createDraft<object>(state) as MetadataDraft;
const stateOf = (draft: MetadataDraft) => finishDraft<object>(draft) as Metadata;
