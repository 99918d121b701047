import type { Channel } from './channel.ts';

/** Messages on their way to a task. */
export interface Feed {
  /** Resolves when all of them were sent. Rejects as their source does, or as the channel's signal fires. */
  readonly over: Promise<void>;
  /** Stops the source. */
  stop(): Promise<void>;
}

export function createFeed(
  channel: Channel<unknown, unknown>,
  source: AsyncIterable<unknown> | undefined,
): Feed {
  const messages = source?.[Symbol.asyncIterator]();
  let waiting = false;
  let stopped = false;

  async function next(): Promise<IteratorResult<unknown>> {
    if (messages === undefined) return { done: true, value: undefined };
    waiting = true;
    try {
      return await messages.next();
    } finally {
      waiting = false;
    }
  }

  async function run(): Promise<void> {
    for (;;) {
      await channel.room();
      const { done, value } = await next();
      if (stopped) return;
      if (done) return channel.end();
      channel.post(value);
    }
  }

  return {
    over: run(),
    async stop() {
      stopped = true;
      const returned = messages?.return?.();
      // A source that is being asked hears of it with its next message, which may never come; what it throws by then
      // concerns nobody any more.
      if (waiting) returned?.catch(() => undefined);
      else await returned;
    },
  };
}
