import { mock } from 'node:test';
import { setImmediate } from 'node:timers/promises';

/** What a turn of the event loop takes by the clock that is held. */
const TURN_MS = 1;

/** Lets the clock that is held go on at once by so many ms. */
export type Skip = (ms: number) => void;

/**
 * Does work while time passes by turns of the event loop alone, so that it goes the same way on any machine, however busy:
 * `performance.now` and timers count turns. Nothing else may be under way on the thread.
 */
export async function heldTime<T>(work: (skip: Skip) => Promise<T>): Promise<T> {
  let now = 0;
  mock.method(performance, 'now', () => now);
  mock.timers.enable({ apis: ['setTimeout'] });
  const skip = (ms: number): void => {
    now += ms;
    mock.timers.tick(ms);
  };
  const over = new AbortController();
  const passing = (async () => {
    for (; !over.signal.aborted; skip(TURN_MS)) await setImmediate();
  })();
  try {
    return await work(skip);
  } finally {
    over.abort();
    await passing;
    // Not only restored: it would keep each call, whose stack has all that the work had.
    mock.reset();
  }
}
