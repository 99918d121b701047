import { Worker } from 'node:worker_threads';
import { ThreadError } from '../base/errors.ts';
import { machineClock } from '../base/machine-clock.ts';
import { createChannel, type Channel } from './channel.ts';
import { toError } from './error-message.ts';
import type { FromThread, ToThread } from './task-kind.ts';

/** A task as the service sees it. */
export interface Task {
  readonly channel: Channel<unknown, unknown>;
  /** Result; rejects as the task did, or with a ThreadError where the thread ended before it. */
  readonly result: Promise<unknown>;
  /** Cancels the task: its promises reject with the reason, and the thread is told to stop. */
  cancel(reason: unknown): void;
}

interface Running {
  readonly channel: Task['channel'];
  readonly foreign: boolean;
  done(result: unknown): void;
  fail(error: unknown): void;
}

export interface ThreadOptions {
  readonly script: string;
  /** ms after which the thread ends when it has no task. */
  readonly idleMs: number;
  /** ms of the thread's processor time within which a task that was cancelled must end; otherwise the thread ends, and with it all that is in it. */
  readonly patienceMs: number;
  /** ms after which a task that was cancelled and has not ended hangs: the thread gets no more, and ends once there is no other in it. */
  readonly hangMs: number;
  /** MB of objects, in V8's heap of the thread: beyond them it ends alone. Bytes in buffers are not among them. */
  readonly heapMb: number;
  /** Called when it must get no more tasks, since it has ended or is about to; perhaps more than once. */
  readonly over: () => void;
}

/** MB of new objects: with V8's own 48 an import and an export are no quicker, and take some 60 MB more of memory. */
const YOUNG_MB = 8;

/** A worker thread and the tasks it has under way, which take turns in it. */
export class Thread {
  readonly #worker: Worker;
  readonly #options: ThreadOptions;
  readonly #tasks = new Map<number, Running>();
  /** Tasks cancelled long ago. */
  readonly #hanging = new Set<number>();
  #last = 0;
  #idle: NodeJS.Timeout | undefined;
  #error: unknown;

  constructor(options: ThreadOptions) {
    this.#options = options;
    this.#worker = new Worker(options.script, {
      resourceLimits: { maxOldGenerationSizeMb: options.heapMb, maxYoungGenerationSizeMb: YOUNG_MB },
    });
    this.#worker.on('message', (message: FromThread) => this.#receive(message));
    this.#worker.on('messageerror', (error) => void this.end(error));
    this.#worker.on('error', (error) => {
      this.#error ??= isOutOfMemory(error) ? outOfMemory(options.heapMb, error) : error;
      options.over();
    });
    this.#worker.on('exit', () => {
      options.over();
      this.#failAll();
    });
  }

  /** Tasks under way. */
  get load(): number {
    return this.#tasks.size;
  }

  /** Whether all its tasks are foreign ones, or none is; none where one hangs. */
  takes(foreign: boolean): boolean {
    return this.#hanging.size === 0 && [...this.#tasks.values()].every((task) => task.foreign === foreign);
  }

  begin(
    { name: kind, foreign = false }: { readonly name: string; readonly foreign?: boolean },
    start: unknown,
  ): Task {
    clearTimeout(this.#idle);
    // Who waits for a task alone would otherwise see the process end first; a thread without one holds nothing.
    this.#worker.ref();
    const number = ++this.#last;
    const controller = new AbortController();
    const { promise: result, resolve, reject } = Promise.withResolvers<unknown>();
    const channel = createChannel<unknown, unknown>(
      (part, transfer) => this.#post({ task: number, ...part }, transfer),
      controller.signal,
    );
    this.#post({ task: number, type: 'start', kind, start });
    this.#tasks.set(number, {
      done(value) {
        channel.receive({ type: 'end' });
        resolve(value);
      },
      fail(error) {
        controller.abort(error);
        reject(error);
      },
      channel,
      foreign,
    });
    return {
      channel,
      result,
      cancel: (reason) => {
        controller.abort(reason);
        if (!this.#tasks.has(number)) return;
        this.#post({ task: number, type: 'cancel' });
        this.#expectEnd(number);
      },
    };
  }

  /**
   * Work that is too busy to hear that it was cancelled would keep the thread for ever. Its own processor time counts: on a
   * busy machine a thread may get little of it for seconds, and others work in it.
   */
  #expectEnd(task: number): void {
    const { patienceMs, hangMs } = this.#options;
    machineClock.after(hangMs, () => this.#giveUp(task)).unref();
    const before = this.#usedMs();
    const look = async () => {
      const [since, now] = await Promise.all([before, this.#usedMs()]);
      if (!this.#tasks.has(task)) return;
      if (now - since < patienceMs) wait();
      else await this.end(new Error(DID_NOT_STOP));
    };
    const wait = () => void machineClock.after(patienceMs, () => void look()).unref();
    wait();
  }

  /** One that waits for what never comes takes no processor time. Nobody's work ends for it: it may have had no turn. */
  #giveUp(task: number): void {
    if (!this.#tasks.has(task)) return;
    this.#hanging.add(task);
    this.#endIfHanging();
  }

  #endIfHanging(): void {
    if (this.#hanging.size > 0 && this.#hanging.size === this.load) void this.end(new Error(DID_NOT_STOP));
  }

  /** ms of processor time that it has taken; where Node cannot tell (before 24.6), and of one that has ended, ms that passed. */
  async #usedMs(): Promise<number> {
    try {
      const { user, system } = await this.#worker.cpuUsage();
      return (user + system) / 1000;
    } catch {
      return machineClock.monotonicMs();
    }
  }

  /** Ends the thread; tasks under way reject with `why`, or with a ThreadError that says it. */
  async end(why?: unknown): Promise<void> {
    clearTimeout(this.#idle);
    this.#error ??= why;
    this.#options.over();
    await this.#worker.terminate();
  }

  #post(message: ToThread, transfer: readonly ArrayBuffer[] = []): void {
    this.#worker.postMessage(message, transfer);
  }

  #receive(message: FromThread): void {
    const task = this.#tasks.get(message.task);
    if (message.type === 'done') {
      this.#forget(message.task);
      task?.done(message.result);
    } else if (message.type === 'failed') {
      this.#forget(message.task);
      task?.fail(toError(message.error));
    } else task?.channel.receive(message);
  }

  #forget(task: number): void {
    this.#tasks.delete(task);
    this.#hanging.delete(task);
    if (this.load > 0) return this.#endIfHanging();
    this.#worker.unref();
    this.#idle = machineClock.after(this.#options.idleMs, () => void this.end()).unref();
  }

  #failAll(): void {
    const tasks = [...this.#tasks.values()];
    this.#tasks.clear();
    for (const task of tasks)
      task.fail(this.#error instanceof ThreadError ? this.#error : ended(this.#error));
  }
}

const DID_NOT_STOP = 'other work in it did not stop when it was told to';

const isOutOfMemory = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

function outOfMemory(heapMb: number, cause: unknown): ThreadError {
  return new ThreadError(
    'memory',
    `This takes more than the ${heapMb} MB of memory that a thread may have. Nothing of it was kept; try it in smaller parts.`,
    { cause },
  );
}

function ended(cause: unknown): ThreadError {
  return new ThreadError(
    'ended',
    'The thread that did this ended before it was done. Nothing of it was kept; try again.',
    { cause },
  );
}
