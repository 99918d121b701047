import { ThreadError } from '../base/errors.ts';
import { createFeed } from './feed.ts';
import type { TaskKind } from './task-kind.ts';
import { Thread, type Task } from './thread.ts';

/** Threads at a time for tasks of one sort: one more than that and requests would wait for a processor on small machines. */
const MOST_THREADS = 2;
/** For both sorts together: neither takes the last one from the other. */
const MOST_IN_ALL = 3;
/** A task that was cancelled should end with its next step; one that has not by then is not going to. */
const PATIENCE_MS = 5000;
/** On the busiest machine it has had its turn by then: it waits for what never comes. */
const HANG_MS = 300_000;
/** A thread without work costs memory; one that is needed again soon should not have to start. */
const IDLE_MS = 5000;
/** Many times what any work needs for its objects; three threads of it leave a machine of 4 GB alive. */
const HEAP_MB = 768;

export interface RunOptions<In, Out> {
  /** Messages for the task, asked for as it takes them. A Uint8Array moves to the thread: it is empty afterwards. */
  readonly input?: AsyncIterable<In>;
  /** Handles the task's messages one after the other. The task waits while some of them are not handled. */
  readonly output?: (message: Out) => void | Promise<void>;
  readonly signal?: AbortSignal;
}

/** Worker threads that run one script (`serveTasks`), started when there is work and ended when there is none. */
export interface Threads {
  /**
   * Runs a task in a thread; tasks share the threads evenly, foreign ones among themselves. Rejects as the task, `input` or `output` did, whichever was
   * first; with the signal's reason when that fires; with a ThreadError where the thread ended. By then no `output` runs.
   */
  run<Start, In, Out, Result>(
    kind: TaskKind<Start, In, Out, Result>,
    start: Start,
    options?: RunOptions<In, Out>,
  ): Promise<Result>;
  /**
   * Runs a task whose messages are what it is for: they come one after the other, and the task waits where none is asked
   * for. Ends and rejects as `run` does; the task is cancelled when no more is asked for. By then the task has ended.
   */
  stream<Start, Out>(
    kind: TaskKind<Start, never, Out, unknown>,
    start: Start,
    options?: { readonly signal?: AbortSignal | undefined },
  ): AsyncGenerator<Out, void, undefined>;
  /** Ends the threads. Tasks under way, and later ones, reject with a ThreadError. */
  close(): Promise<void>;
}

export interface ThreadsOptions {
  /** Absolute path of the script. */
  readonly script: string;
  /** ms after which a thread without a task is ended. */
  readonly idleMs?: number;
  /** ms of its thread's processor time within which a task that was cancelled must end; then the thread is ended. */
  readonly patienceMs?: number;
  /** ms within which it must end; then its thread is ended, once there is no other task in it. */
  readonly hangMs?: number;
  /** MB of objects that a thread may have. */
  readonly heapMb?: number;
}

/** Threads keep the process alive while they have a task, and no longer. */
export function createThreads({
  script,
  idleMs = IDLE_MS,
  patienceMs = PATIENCE_MS,
  hangMs = HANG_MS,
  heapMb = HEAP_MB,
}: ThreadsOptions): Threads {
  const threads = new Set<Thread>();
  let closed = false;

  /** A free thread, a new one, or the one with the fewest tasks of the same sort. */
  function choose(foreign: boolean): Thread {
    const same = [...threads].filter((thread) => thread.takes(foreign)).toSorted((a, b) => a.load - b.load);
    const [least] = same;
    const most = same.length === MOST_THREADS || threads.size === MOST_IN_ALL;
    if (least !== undefined && (least.load === 0 || most)) return least;
    const over = () => threads.delete(started);
    const started: Thread = new Thread({ script, idleMs, patienceMs, hangMs, heapMb, over });
    threads.add(started);
    return started;
  }

  function begin<Start, In, Out, Result>(
    kind: TaskKind<Start, In, Out, Result>,
    start: unknown,
    signal: AbortSignal | undefined,
  ): Task {
    signal?.throwIfAborted();
    if (closed) throw stopping();
    return choose(kind.foreign ?? false).begin(kind, start);
  }

  return {
    async run<Start, In, Out, Result>(
      kind: TaskKind<Start, In, Out, Result>,
      startWith: Start,
      { input, output = () => {}, signal }: RunOptions<In, Out> = {},
    ) {
      const task = begin(kind, startWith, signal);
      const handle = (message: unknown) => output(message as Out);
      return (await finish(task, input, handle, signal)) as Result;
    },
    async *stream<Start, Out>(
      kind: TaskKind<Start, never, Out, unknown>,
      startWith: Start,
      { signal }: { readonly signal?: AbortSignal | undefined } = {},
    ) {
      const task = begin(kind, startWith, signal);
      const giveUp = () => task.cancel(signal?.reason);
      signal?.addEventListener('abort', giveUp, { once: true });
      // Whoever reads the messages hears of its failure there.
      const over = task.result.catch(() => undefined);
      try {
        for await (const message of task.channel.incoming()) yield message as Out;
        await task.result;
      } finally {
        signal?.removeEventListener('abort', giveUp);
        task.cancel(new Error('Nobody asks for more.'));
        await over;
      }
    },
    async close() {
      closed = true;
      await Promise.all([...threads].map((thread) => thread.end(stopping())));
    },
  };
}

async function finish(
  task: Task,
  input: AsyncIterable<unknown> | undefined,
  output: (message: unknown) => void | Promise<void>,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const giveUp = () => reject(signal?.reason);
  signal?.addEventListener('abort', giveUp, { once: true });
  const feed = createFeed(task.channel, input);
  feed.over.catch(reject);
  const outputs = handleAll(task, output);
  Promise.all([task.result, outputs]).then(([result]) => resolve(result), reject);
  try {
    return await promise;
  } catch (error) {
    task.cancel(error);
    throw error;
  } finally {
    signal?.removeEventListener('abort', giveUp);
    // Its failure, if any, is what is being thrown.
    await Promise.allSettled([outputs]);
    await feed.stop();
  }
}

async function handleAll(task: Task, output: (message: unknown) => void | Promise<void>): Promise<void> {
  for await (const message of task.channel.incoming()) await output(message);
}

function stopping(): ThreadError {
  return new ThreadError('closed', 'The service stops, and this was not done yet.');
}
