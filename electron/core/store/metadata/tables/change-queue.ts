import type { Awaitable } from '../../../base/awaitable.ts';
import { machineClock, type MonotonicMs } from '../../../base/machine-clock.ts';
import { StoreError } from '../../../base/errors.ts';
import { coalesce } from '../../../turns/coalesce.ts';
import { tooDeep } from '../budget.ts';
import type { Origin } from '../../trail/entry.ts';
import type { Metadata, WritableTables } from '../metadata.ts';
import type { NetChange } from './net-change.ts';

/** Tables that changes are made on, one after the other, before any is written. */
export interface Draft extends WritableTables {
  /** The next change comes from there; undefined: the service makes it by itself. */
  begin(origin: Origin | undefined): void;
  /**
   * Makes what the present change did part of what is to be written. Rejects where it could not be read again, or is more
   * than the budget allows.
   */
  keep(): Promise<void>;
  /** Undoes what the present change did. */
  takeBack(): void;
  /** The changes that were kept; null where there is none. */
  net(): NetChange | null;
}

/** Waiting change, and the outcome of its last run. */
export interface PendingChange {
  readonly work: (tables: WritableTables) => unknown;
  readonly origin?: Origin | undefined;
  /** Since when somebody waits for it. */
  readonly sinceMs: MonotonicMs;
  outcome: { readonly result: unknown } | { readonly refusal: unknown } | null;
}

/**
 * The changes of a service: those that wait together are written together (`write`), and where that fails all of them reject
 * with it, as what one was refused for may be a change that was not kept. `rest`: as `coalesce` has it.
 */
export function changeQueue(
  write: (changes: readonly PendingChange[]) => Promise<void>,
  rest?: () => Promise<void>,
): Pick<Metadata, 'change' | 'close'> {
  const queue = coalesce(write, rest);
  let closed = false;
  return {
    async change<T>(work: (tables: WritableTables) => Awaitable<T>, origin?: Origin): Promise<T> {
      if (closed) throw new StoreError('closed', 'The service is stopping: nothing was changed.');
      const change: PendingChange = { work, origin, sinceMs: machineClock.monotonicMs(), outcome: null };
      await queue.add(change);
      if (!change.outcome) throw new TypeError('a change was written before it was made');
      if ('refusal' in change.outcome) throw change.outcome.refusal;
      return change.outcome.result as T;
    },
    async close() {
      closed = true;
      await queue.settled();
    },
  };
}

/** Makes changes one after the other, each of which is kept or refused. Rejects with what fails all of them. */
export async function makeChanges(
  changes: readonly PendingChange[],
  draft: Draft,
  failsAll: (error: unknown) => boolean = () => false,
): Promise<void> {
  for (const change of changes) {
    try {
      draft.begin(change.origin);
      const result = await change.work(draft);
      await draft.keep();
      change.outcome = { result };
    } catch (error) {
      if (failsAll(error)) throw error;
      draft.takeBack();
      change.outcome = { refusal: isTooDeep(error) ? tooDeep() : error };
    }
  }
}

/** As V8 says that it lacks the stack, or that a text would be too long. */
const isTooDeep = (error: unknown) => error instanceof RangeError;
