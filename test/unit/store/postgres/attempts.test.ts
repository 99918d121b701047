import { afterEach, expect, test, vi } from 'vitest';
import { machineClock } from '#core/base/machine-clock.ts';
import { Attempts } from '#core/store/postgres/connection/attempts.ts';
import { LockLost } from '#core/store/postgres/connection/database-errors.ts';

const PATIENCE_MS = 200;

afterEach(() => vi.restoreAllMocks());

test('a database that answered until the last attempt is not said to be silent, however long the pause after it took', async () => {
  const attempts = new Attempts('lab', PATIENCE_MS, new AbortController().signal);
  const delay = machineClock.delay.bind(machineClock);
  vi.spyOn(machineClock, 'delay').mockImplementation((ms, options) => delay(ms + PATIENCE_MS, options));
  let made = 0;
  await expect(
    attempts.run(() => {
      made++;
      return Promise.reject(new LockLost('the head of a device was changed under its lock'));
    }),
  ).rejects.toMatchObject({ name: 'LockLost' });
  expect(made).toBe(1);
});
