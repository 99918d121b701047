import { expect, test } from 'vitest';
import { coalesce } from '#core/turns/coalesce.ts';

test('what is called in one turn, or while a run is under way, is run together', async () => {
  const runs: (readonly string[])[] = [];
  const { add, settled } = coalesce<string>(async (together) => {
    runs.push(together);
    if (runs.length === 1) void add('c');
  });
  await Promise.all([add('a'), add('b')]);
  await settled();
  expect(runs).toEqual([['a', 'b'], ['c']]);
});

test('a run that fails rejects its own calls, and the next one goes on', async () => {
  const { add } = coalesce<string>(async ([first]) => {
    if (first === 'bad') throw new Error('disk');
  });
  const together = [add('bad'), add('beside')].map((call) => expect(call).rejects.toThrow('disk'));
  await Promise.all(together);
  await expect(add('good')).resolves.toBeUndefined();
});

test('nobody waits for what is done after a run, but the next run and the end do', async () => {
  const rest = Promise.withResolvers<void>();
  const runs: (readonly string[])[] = [];
  const { add, settled } = coalesce<string>(
    async (together) => void runs.push(together),
    () => rest.promise,
  );
  await add('a');
  const next = add('b');
  expect(runs).toEqual([['a']]);
  let isSettled = false;
  const end = settled().then(() => (isSettled = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect([runs.length, isSettled]).toEqual([1, false]);
  rest.resolve();
  await Promise.all([next, end]);
  expect(runs).toEqual([['a'], ['b']]);
});
