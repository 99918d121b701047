import { expect, test } from 'vitest';
import { Pace, SLICE_MS } from '#core/turns/pace.ts';

function useUpSlice(): void {
  const until = performance.now() + SLICE_MS;
  while (performance.now() < until);
}

test('others have their turn when a slice of time is used up, and the next slice is a whole one', async () => {
  const pace = new Pace();
  let others = 0;
  setImmediate(() => others++);
  useUpSlice();
  expect(pace.isOver).toBe(true);
  expect([await pace.pause(), others]).toEqual([true, 1]);
  useUpSlice();
  setImmediate(() => others++);
  expect([await pace.pause(), others]).toEqual([true, 2]);
});
