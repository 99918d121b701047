import { UsageError } from '../base/errors.ts';

/** ms of each unit. */
const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Reads a time such as 90s or 30d, in ms. Throws UsageError; `what` says what takes it. */
export function durationOf(what: string, word: string): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(word) ?? [];
  if (number === undefined || unit === undefined)
    throw new UsageError(`${what} takes a number and ms, s, m, h or d, such as 90s or 30d, got "${word}".`);
  return Math.round(Number(number) * UNITS[unit as keyof typeof UNITS]);
}
