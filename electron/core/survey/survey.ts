import type { Awaitable } from '../base/awaitable.ts';
import { DamagedSnapshot, type TakeCell, type WalkSnapshot } from '../store/store.ts';
import type { TaskKind } from '../threads/task-kind.ts';
import type { ThreadTask } from '../threads/serve.ts';
import type { TimeRange } from '#shared/values/time.ts';

/*
 * What the records of a span come to, whoever walks through them: this thread for few of them, another one for many. A
 * survey sees each cell once, in the order of time, and keeps little of what it saw.
 */

/** Options common to all surveys. */
export interface SurveyQuery {
  readonly range: TimeRange;
  readonly keys: readonly string[];
}

/** One survey under way. */
export interface Fold<Result> {
  /** Gets rows, too, where the survey asks for them: at the place `ROW`. */
  readonly take: TakeCell;
  /** Ends a walk; whether all of it is to be walked once more. */
  readonly again?: () => boolean;
  /** No further cell can change the result. */
  readonly isOver: boolean;
  /** Does what became due, in slices of time: called between batches of records. */
  readonly settle?: () => Promise<void>;
  result(): Awaitable<Result>;
}

export interface Survey<Query extends SurveyQuery, Result> {
  readonly kind: TaskKind<SurveyStart<Query>, never, SurveyMessage, Result>;
  /** Whether it wants the newest cell of each key before the range, too. */
  readonly held: boolean;
  /** Whether it is told of each row, before its cells, when that was received. */
  readonly rows?: boolean;
  readonly begin: (query: Query) => Fold<Result>;
}

export interface SurveyStart<Query> {
  /** Of a RecordSnapshot. */
  readonly parts: unknown;
  readonly query: Query;
}

/** Error that ended it early. */
export interface SurveyMessage {
  readonly damaged: unknown;
}

/** The thread's side of a survey. */
export function surveyWork<Query extends SurveyQuery, Result>(
  { held, rows = false, begin }: Survey<Query, Result>,
  walkSnapshot: WalkSnapshot,
) {
  return async (
    { parts, query }: SurveyStart<Query>,
    task: ThreadTask<never, SurveyMessage>,
  ): Promise<Result> => {
    const fold = begin(query);
    const { range, keys } = query;
    try {
      do
        for await (const _ of walkSnapshot(parts, { range, keys, held, rows }, fold.take)) {
          task.signal.throwIfAborted();
          if (fold.settle !== undefined) await fold.settle();
          if (fold.isOver) break;
        }
      while (fold.again?.() === true);
    } catch (error) {
      if (!(error instanceof DamagedSnapshot)) throw error;
      task.post({ damaged: error.what });
    }
    return fold.result();
  };
}
