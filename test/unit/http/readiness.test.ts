import { afterEach, expect, test } from 'vitest';
import { Readiness } from '#core/http/readiness.ts';
import { StoreError } from '#core/base/errors.ts';
import type { Logger } from '#core/base/logger.ts';
import { openTestDoors, type TestDoors } from './fixture.ts';

/* What a balancer is told by GET /readyz (docs/running.md, "Readiness probe"). */

let open: TestDoors | null = null;
afterEach(() => open?.close());

const log: Logger = { info() {}, warn() {}, error() {} };

/** Doors over a store that is asked so. Of each probe its status, message and `Retry-After`. */
async function probing(readiness: Readiness, strict = false) {
  open = await openTestDoors({ tls: false, strict }, { readiness });
  const { base_url } = open.doors;
  return async (method = 'GET') => {
    const response = await fetch(`${base_url}/readyz`, { method });
    const text = await response.text();
    const message = text === '' ? null : (JSON.parse(text) as { message: string }).message;
    return { status: response.status, message, later: response.headers.get('retry-after') };
  };
}

test('is asked without a key, and says that requests may come', async () => {
  const probe = await probing(new Readiness({ ask: () => null, log }));
  expect(await probe()).toEqual({ status: 200, message: 'Ready.', later: null });
  expect(await probe('HEAD')).toEqual({ status: 200, message: null, later: null });
});

test('says within seconds that the store is frozen, which twenty probes ask once', async () => {
  const asked = { times: 0, isFrozen: true };
  const thawed = Promise.withResolvers<void>();
  const ask = () => {
    asked.times++;
    return asked.isFrozen ? thawed.promise : null;
  };
  const probe = await probing(new Readiness({ ask, log }));
  const told = await Promise.all(Array.from({ length: 20 }, () => probe()));
  const frozen = { status: 503, message: 'The store has not answered within 2 s.', later: '2' };
  expect(told).toEqual(told.map(() => frozen));
  expect(asked.times).toBe(1);
  asked.isFrozen = false;
  thawed.resolve();
  await expect.poll(() => probe()).toMatchObject({ status: 200 });
});

test('says what is wrong with a store that refuses', async () => {
  const cause = new Error('no route to host');
  const ask = () => Promise.reject(new StoreError('unreachable', 'The database does not answer', { cause }));
  const { status, message, later } = await (await probing(new Readiness({ ask, log })))();
  expect({ status, later }).toEqual({ status: 503, later: '2' });
  expect(message).toMatch(/^The database does not answer/);
});

test('says so before a stop, while the store answers', async () => {
  const readiness = new Readiness({ ask: () => null, log });
  const probe = await probing(readiness);
  readiness.drain();
  expect(await probe()).toEqual({ status: 503, message: 'The service is stopping.', later: '2' });
});

test('is not there where nothing is but the operations of the document', async () => {
  const probe = await probing(new Readiness({ ask: () => null, log }), true);
  expect(await probe()).toMatchObject({ status: 404 });
});
