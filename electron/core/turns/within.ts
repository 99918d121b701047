import { machineClock } from '../base/machine-clock.ts';

/**
 * Resolves and rejects as `work` does within `ms`; then as `late`, which is called when they are over, returns or throws. The work
 * goes on, and nobody hears what becomes of it.
 */
export async function within<T, Late>(work: Promise<T>, ms: number, late: () => Late): Promise<T | Late> {
  const over = Promise.withResolvers<void>();
  const timer = machineClock.after(ms, over.resolve);
  try {
    return await Promise.race([work, over.promise.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}
