import { expect, test } from 'vitest';
import { Merges } from '#core/sync/merges.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('of merges that a key sends at once one is read, and that of another key need not wait for the others', async () => {
  const merges = new Merges();
  const began: string[] = [];
  const ends = new Map<string, () => void>();
  const merge = (key_id: string, device: string) =>
    void merges.run({ key_id, device }, () => {
      began.push(`${key_id} ${device}`);
      return new Promise<void>((resolve) => ends.set(device, resolve));
    });
  for (const device of ['a', 'b', 'c']) merge('greedy', device);
  merge('other', 'd');
  await settled();
  expect(began).toEqual(['greedy a', 'other d']);
  ends.get('a')?.();
  await settled();
  expect(began).toEqual(['greedy a', 'other d', 'greedy b']);
});

test('two keys merge into one device one after the other', async () => {
  const merges = new Merges();
  let inside = 0;
  const together: number[] = [];
  await Promise.all(
    ['a', 'b', 'a', 'b'].map((key_id) =>
      merges.run({ key_id, device: 'd' }, async () => {
        together.push(++inside);
        await settled();
        inside--;
      }),
    ),
  );
  expect(together).toEqual([1, 1, 1, 1]);
});
