import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Slices } from '#core/turns/slices.ts';

const busyFor = (ms: number) => {
  const until = performance.now() + ms;
  while (performance.now() < until);
};

test('work is done in the order in which it came, and others have their turn between slices of it', async () => {
  const slices = new Slices();
  const did: string[] = [];
  for (let n = 0; n < 6; n++)
    slices.add(() => {
      busyFor(3);
      did.push(`work ${n}`);
    });
  for (let n = 0; n < 6; n++) {
    await setImmediate();
    did.push('other');
  }
  await expect
    .poll(() => did.filter((one) => one !== 'other'))
    .toEqual(Array.from({ length: 6 }, (_, n) => `work ${n}`));
  // Each piece takes longer than a slice: no two are done in one go.
  expect(did.join()).not.toMatch(/work \d,work \d/);
});

test('what is added by the work itself comes last', async () => {
  const slices = new Slices();
  const did: string[] = [];
  slices.add(() => {
    did.push('first');
    slices.add(() => did.push('third'));
  });
  slices.add(() => did.push('second'));
  await expect.poll(() => did).toEqual(['first', 'second', 'third']);
});

test('what waits for a result takes its turn with the work, however much of it there is', async () => {
  const slices = new Slices();
  let done = 0;
  const all = Array.from({ length: 20 }, () =>
    slices.run(() => {
      busyFor(3);
      return ++done;
    }),
  );
  for (let n = 0; n < 4; n++) await setImmediate();
  expect(done).toBeLessThan(10);
  expect(await Promise.all(all)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
});

test('work that fails rejects, and what is behind it goes on', async () => {
  const slices = new Slices();
  const failing = slices.run(() => {
    throw new TypeError('no');
  });
  const next = slices.run(() => 1);
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe(1);
});
