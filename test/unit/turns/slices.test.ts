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
