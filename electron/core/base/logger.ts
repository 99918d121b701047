import { machineClock } from './machine-clock.ts';

/** The service's own log: lines for people on stderr. Never carries tokens, keys or data. */
export interface Logger {
  info(message: string): void;
  warn(message: string): void;
  /** `error` is written with its stack and causes. */
  error(message: string, error?: unknown): void;
}

export function createLogger(write: (line: string) => void): Logger {
  const line = (level: string, message: string) =>
    write(`${new Date(machineClock.wallMs()).toISOString()} ${level} ${message}\n`);
  return {
    info: (message) => line('info', message),
    warn: (message) => line('warn', message),
    error: (message, error) =>
      line('error', error === undefined ? message : `${message}: ${describe(error)}`),
  };
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const text = error.stack ?? `${error.name}: ${error.message}`;
  return error.cause === undefined ? text : `${text}\ncaused by ${describe(error.cause)}`;
}
