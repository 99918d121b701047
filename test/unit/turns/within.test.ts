import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { within } from '#core/turns/within.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('work that is done in time is what it is, and leaves no timer behind', async () => {
  const late = vi.fn();
  expect(await within(Promise.resolve('done'), 1000, late)).toBe('done');
  await expect(within(Promise.reject(new RangeError('no')), 1000, late)).rejects.toThrow('no');
  expect(vi.getTimerCount()).toBe(0);
  expect(late).not.toHaveBeenCalled();
});

test('work that is late is told as such, and what becomes of it later is heard by nobody', async () => {
  const unheard = vi.fn();
  process.on('unhandledRejection', unheard);
  const work = Promise.withResolvers<string>();
  const told = within(work.promise, 1000, () => 'late');
  const refused = expect(
    within(work.promise, 1000, () => {
      throw new RangeError('too late');
    }),
  ).rejects.toThrow('too late');
  await vi.advanceTimersByTimeAsync(1000);
  expect(await told).toBe('late');
  await refused;
  work.reject(new Error('after all'));
  vi.useRealTimers();
  await new Promise(setImmediate);
  process.off('unhandledRejection', unheard);
  expect(unheard).not.toHaveBeenCalled();
});
