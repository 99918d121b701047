import { parentPort } from 'node:worker_threads';
import { createChannel, type Channel } from './channel.ts';
import { toMessage } from './error-message.ts';
import type { FromThread, TaskKind, ToThread } from './task-kind.ts';

/** A task as the thread sees it. */
export interface ThreadTask<In, Out> {
  /** Messages of the service, in order; to be read once. */
  readonly input: AsyncIterable<In>;
  /** Sends a message and does not wait, so for small ones only. */
  post(message: Out): void;
  /** Sends a message and waits until the next may follow. Rejects with the signal's reason. */
  send(message: Out): Promise<void>;
  /** Fires when the task was cancelled: it should reject soon. */
  readonly signal: AbortSignal;
}

/** A kind of task and the function that does it. */
export interface Work {
  readonly name: string;
  run(start: unknown, task: ThreadTask<unknown, unknown>): Promise<unknown>;
}

/** Ties a kind to what does it. */
export function workFor<Start, In, Out, Result>(
  { name }: TaskKind<Start, In, Out, Result>,
  work: (start: Start, task: ThreadTask<In, Out>) => Promise<Result>,
): Work {
  return { name, run: (start, task) => work(start as Start, task as ThreadTask<In, Out>) };
}

interface Running {
  readonly channel: Channel<unknown, unknown>;
  readonly controller: AbortController;
}

/** Runs the tasks that the service sends to this thread, any number at the same time. */
export function serveTasks(works: readonly Work[]): void {
  const port = parentPort;
  if (port === null) throw new Error('This script runs in worker threads of the service only.');
  const post = (message: FromThread, transfer: readonly ArrayBuffer[] = []) =>
    port.postMessage(message, transfer);
  const running = new Map<number, Running>();

  async function run(task: number, kind: string, start: unknown): Promise<void> {
    const controller = new AbortController();
    const { signal } = controller;
    const channel = createChannel((part, transfer) => post({ task, ...part }, transfer), signal);
    running.set(task, { channel, controller });
    try {
      const work = works.find(({ name }) => name === kind);
      if (work === undefined) throw new Error(`This thread knows no task ${kind}.`);
      const result = await work.run(start, {
        input: channel.incoming(),
        post: (message) => channel.post(message),
        async send(message) {
          channel.post(message);
          await channel.room();
        },
        signal,
      });
      post({ task, type: 'done', result });
    } catch (error) {
      post({ task, type: 'failed', error: toMessage(error) });
    } finally {
      running.delete(task);
    }
  }

  port.on('message', (message: ToThread) => {
    const { task } = message;
    // What comes for a task that has just ended crossed its last message.
    if (message.type === 'start') void run(task, message.kind, message.start);
    else if (message.type === 'cancel') running.get(task)?.controller.abort();
    else running.get(task)?.channel.receive(message);
  });
}
