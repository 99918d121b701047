import { expect, test } from 'vitest';
import { oneInFlight } from '../../../../renderer/bridge/one-in-flight.ts';

test('a burst runs once at a time, and its last call is answered', async () => {
  let running = 0;
  let most = 0;
  let latest = 0;
  const seen: number[] = [];
  const waiting: (() => void)[] = [];
  const ask = oneInFlight(async () => {
    most = Math.max(most, ++running);
    seen.push(latest);
    await new Promise<void>((resolve) => waiting.push(resolve));
    running--;
  });
  for (latest = 1; latest <= 5; latest++) ask();
  latest = 5;
  while (waiting.length > 0) {
    waiting.shift()?.();
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  expect(most).toBe(1);
  expect(seen).toEqual([1, 5]);
});

test('a call after everything has run runs again', async () => {
  let runs = 0;
  const ask = oneInFlight(async () => void runs++);
  ask();
  await new Promise((resolve) => setTimeout(resolve, 0));
  ask();
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(runs).toBe(2);
});
