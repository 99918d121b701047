import { constants } from 'node:os';
import { machineClock } from '../../base/machine-clock.ts';

/**
 * A Ctrl+C reaches the service more than once: from the terminal, and again from npm, which passes on what it gets.
 * Only one that comes later than this is a person who has no patience left.
 */
const SAME_REQUEST_MS = 500;

/** A person asks for a stop. */
const ASKED = ['SIGTERM', 'SIGINT'] as const;
/**
 * The terminal or the session is gone; on Windows its console was closed, or it is Ctrl+Break. They may come again and
 * again, from each who passes them on, and nobody is there to have lost patience.
 */
const gone = (platform: NodeJS.Platform) =>
  platform === 'win32' ? (['SIGHUP', 'SIGBREAK'] as const) : (['SIGHUP'] as const);

/** Receiver of signals: this process, or a test's. */
export interface Signalled {
  readonly platform: NodeJS.Platform;
  on(signal: NodeJS.Signals, listener: () => void): unknown;
  exit(code: number): void;
}

/** Stop signals of a process. */
export interface StopSignals {
  /** Resolves at the first one. */
  readonly asked: Promise<void>;
  /** Resolves after so many ms, or at the next SIGTERM or SIGINT. */
  patience(ms: number): Promise<void>;
}

/** Listens for signals that mean a stop. A second SIGTERM or SIGINT ends the process at once, where nobody shows patience. */
export function stopSignals(from: Signalled = process): StopSignals {
  const { promise, resolve } = Promise.withResolvers<void>();
  let last: number | null = null;
  let hurry: (() => void) | null = null;
  for (const signal of ASKED)
    from.on(signal, () => {
      const now = machineClock.monotonicMs();
      if (last !== null && now - last <= SAME_REQUEST_MS) return;
      if (hurry) hurry();
      else if (last !== null) from.exit(128 + constants.signals[signal]);
      last = now;
      resolve();
    });
  for (const signal of gone(from.platform)) from.on(signal, () => resolve());
  return {
    asked: promise,
    async patience(ms) {
      const { promise: over, resolve: end } = Promise.withResolvers<void>();
      hurry = end;
      const timer = machineClock.after(ms, end);
      await over;
      clearTimeout(timer);
      hurry = null;
    },
  };
}

/**
 * Ignores failed writes of output: to a terminal that is gone, a pipe without a reader, a file on a full disk. It must not
 * end the service that was to be stopped in order, or that goes on without anyone who reads it.
 */
export function outliveTerminal(): void {
  for (const stream of [process.stdout, process.stderr]) {
    // There is nobody left to tell.
    stream.on('error', () => {});
  }
}
