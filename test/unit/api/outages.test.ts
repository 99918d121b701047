import { expect, test, vi } from 'vitest';
import { answerTo } from '#core/api/answer-to.ts';
import { createLogger } from '#core/base/logger.ts';
import { InDoubtError, StoreError, VaultError } from '#core/base/errors.ts';

/* The answers of a service whose database does not answer, and what its log holds of them. */

function logOf() {
  const lines: string[] = [];
  return { lines, log: createLogger((line) => void lines.push(line)) };
}

const away = () => new StoreError('unreachable', 'The database does not answer.');
const full = () => new StoreError('unreachable', 'The database has no connection left.');

test('each cause is logged once, under the id that all its answers have, and then counted', () => {
  vi.useFakeTimers();
  const { lines, log } = logOf();
  const ids = [away, full, away, full, away].map(
    (cause) => /\(error (.*)\)/.exec(answerTo('store data', cause(), log).envelope.message)?.[1],
  );
  expect(new Set(ids).size).toBe(2);
  expect(ids[0]).toBe(ids[4]);
  expect(lines.filter((line) => line.includes('failed ('))).toHaveLength(2);
  vi.advanceTimersByTime(60_000);
  expect(lines.join('')).toContain(`2 more requests failed so (${ids[0]})`);
  vi.advanceTimersByTime(60_000);
  // A minute without a failure ends it: the next one is told whole.
  answerTo('store data', away(), log);
  expect(lines.filter((line) => line.includes('failed ('))).toHaveLength(3);
});

test('what is away is "later" beyond /v2 alone, and never for what may be stored already', () => {
  const { log } = logOf();
  const statusOf = (error: Error, isV2: boolean) =>
    answerTo('store data', error, log, { isV2 }).envelope.status;
  expect([statusOf(away(), true), statusOf(away(), false)]).toEqual([500, 503]);
  expect(statusOf(new InDoubtError('unreachable', 'Nobody knows.'), false)).toBe(500);
  expect(statusOf(new VaultError('io', 'The vault cannot be read.', { cause: away() }), false)).toBe(503);
  expect(statusOf(new StoreError('disk-full', 'The disk is full.'), false)).toBe(500);
});
