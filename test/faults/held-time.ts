import { mock } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { machineClock } from '#core/base/machine-clock.ts';

/** What a turn of the event loop takes by the clock that is held. */
const TURN_MS = 1;

/** Lets the clock that is held go on at once by so many ms. */
export type Skip = (ms: number) => void;

/**
 * Does work while time passes by turns of the event loop alone, so that it goes the same way on any machine, however busy:
 * `performance.now`, timers and delays count turns. Nothing else may be under way on the thread.
 */
export async function heldTime<T>(work: (skip: Skip) => Promise<T>): Promise<T> {
  let now = 0;
  // No spy: it would keep each call, whose stack has all that the work had.
  Object.defineProperty(performance, 'now', { value: () => now, configurable: true });
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  const { delay } = machineClock;
  machineClock.delay = heldDelay;
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
    machineClock.delay = delay;
    mock.timers.reset();
    Reflect.deleteProperty(performance, 'now');
  }
}

/** That of Node goes by the machine's time whatever its timers do. */
function heldDelay(
  ms: number,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    const end = () => {
      clearTimeout(timer);
      reject(new DOMException('The operation was aborted', 'AbortError'));
    };
    if (signal?.aborted === true) end();
    else signal?.addEventListener('abort', end, { once: true });
  });
}
