import { expect, test } from 'vitest';
import { Rest } from '#core/api/rules/rest.ts';
import type { MonotonicMs } from '#core/base/machine-clock.ts';

test('each rests behind its turn, and what was added meanwhile has its turn then, once', () => {
  let now = 0;
  const rest = new Rest<string>(
    () => 1000,
    () => now as MonotonicMs,
  );
  expect([rest.take(), rest.dueIn]).toEqual([null, null]);
  rest.add('a');
  rest.add('b');
  rest.add('a');
  expect([rest.dueIn, rest.take(), rest.take(), rest.take()]).toEqual([0, 'a', 'b', null]);
  now = 300;
  rest.add('b');
  rest.add('b');
  expect([rest.take(), rest.dueIn]).toEqual([null, 700]);
  now = 1000;
  expect([rest.dueIn, rest.take(), rest.take(), rest.dueIn]).toEqual([0, 'b', null, null]);
  rest.add('c');
  rest.forget('c');
  expect(rest.take()).toBeNull();
});
