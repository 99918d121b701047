import { constants } from 'node:os';

/**
 * A Ctrl+C reaches the service more than once: from the terminal, and again from npm, which passes on what it gets.
 * Only one that comes later than this is a person who has no patience left.
 */
const SAME_REQUEST_MS = 500;

/** Resolves at the first SIGTERM or SIGINT. A second one ends the process at once. */
export function stopRequested(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let first: number | null = null;
  const onSignal = (signal: 'SIGTERM' | 'SIGINT') => {
    const now = performance.now();
    if (first !== null && now - first > SAME_REQUEST_MS) process.exit(128 + constants.signals[signal]);
    first ??= now;
    resolve();
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  return promise;
}
