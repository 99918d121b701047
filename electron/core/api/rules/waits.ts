import type { Timer } from '../../base/clock.ts';
import { machineClock } from '../../base/machine-clock.ts';

/** Calls `run` in so many ms of the machine; it keeps no process running. */
export function afterMs(ms: number, run: () => void): Timer {
  const timer = machineClock.after(ms, run).unref();
  return { cancel: () => clearTimeout(timer) };
}

/** Resolves when it is woken, or in so many ms; Infinity: only when it is woken. */
export async function wokenOr(woken: Promise<void>, ms: number): Promise<void> {
  const over = Promise.withResolvers<void>();
  const timer = ms === Infinity ? null : machineClock.after(Math.max(0, ms), over.resolve);
  await Promise.race([woken, over.promise]);
  if (timer !== null) clearTimeout(timer);
}

/** Resolves in so many ms, or as soon as the signal fires; it keeps no process running. */
export const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  machineClock.delay(ms, { signal, ref: false }).catch(() => undefined);
