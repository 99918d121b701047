import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { InTurn } from '#core/mqtt/sessions/in-turn.ts';

const busyFor = (ms: number) => {
  const until = performance.now() + ms;
  while (performance.now() < until);
};
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

test('a short message to few is handed on at once', () => {
  const got: number[] = [];
  expect(new InTurn().each([1, 2, 3], (n) => got.push(n), 100)).toBeNull();
  expect(got).toEqual([1, 2, 3]);
});

test.each([
  ['a large one', 3, 4_000_000],
  ['one to many', 40, 100],
])('%s is handed on in slices, and what comes behind it after it', async (_what, count, bytes) => {
  const inTurn = new InTurn();
  const got: string[] = [];
  const handed = inTurn.each(
    numbers(count),
    (n) => {
      busyFor(3);
      got.push(`first ${n}`);
    },
    bytes,
  );
  const behind = inTurn.each([0], () => got.push('behind'), 1);
  let turns = 0;
  for (let isOver = false; !isOver; turns++) {
    await setImmediate();
    isOver = got.includes('behind');
  }
  await Promise.all([handed, behind]);
  expect(got).toEqual([...numbers(count).map((n) => `first ${n}`), 'behind']);
  // Each took longer than a slice: others had their turn between any two.
  expect(turns).toBeGreaterThanOrEqual(count - 1);
});
