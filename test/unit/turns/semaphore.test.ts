import { expect, test } from 'vitest';
import { FairSemaphore } from '#core/turns/semaphore.ts';

/** Work that says when it begins, and ends when it is told to. */
function workOf(semaphore: FairSemaphore) {
  const began: string[] = [];
  const ends = new Map<string, () => void>();
  const begin = (who: string | null, name: string, signal?: AbortSignal) =>
    semaphore.of(who).run(() => {
      began.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    }, signal);
  const end = async (name: string) => {
    ends.get(name)?.();
    await settled();
  };
  return { began, begin, end };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('who asks for much is behind who asks for little, whoever came first', async () => {
  const { began, begin, end } = workOf(new FairSemaphore(2));
  for (const name of ['a1', 'a2', 'a3', 'a4']) void begin('a', name);
  void begin('b', 'b1');
  void begin('c', 'c1');
  await settled();
  expect(began).toEqual(['a1', 'a2']);
  await end('a1');
  await end('a2');
  expect(began).toEqual(['a1', 'a2', 'b1', 'c1']);
  await end('b1');
  await end('c1');
  expect(began.slice(4)).toEqual(['a3', 'a4']);
});

test('through a semaphore for one at a time they take turns, too', async () => {
  const { began, begin, end } = workOf(new FairSemaphore(1));
  for (const name of ['a1', 'a2', 'a3']) void begin('a', name);
  for (const name of ['b1', 'b2']) void begin('b', name);
  await settled();
  for (const name of ['a1', 'b1', 'a2', 'b2', 'a3']) await end(name);
  expect(began).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
});

test('one key never has all places, and the owner may', async () => {
  const ofKey = workOf(new FairSemaphore(3, 2));
  for (const name of ['a1', 'a2', 'a3']) void ofKey.begin('a', name);
  void ofKey.begin('b', 'b1');
  await settled();
  expect(ofKey.began).toEqual(['a1', 'a2', 'b1']);
  await ofKey.end('b1');
  expect(ofKey.began).toHaveLength(3);
  await ofKey.end('a1');
  expect(ofKey.began.at(-1)).toBe('a3');
  const ofOwner = workOf(new FairSemaphore(3, 2));
  for (const name of ['1', '2', '3', '4']) void ofOwner.begin(null, name);
  await settled();
  expect(ofOwner.began).toEqual(['1', '2', '3']);
});

test('who gives up is not waited for, and work that fails gives its place back', async () => {
  const semaphore = new FairSemaphore(1);
  const { began, begin, end } = workOf(semaphore);
  void begin('a', 'a1');
  const gone = new AbortController();
  const left = expect(begin('b', 'b1', gone.signal)).rejects.toBe('gone');
  const failing = expect(semaphore.of('c').run(() => Promise.reject(new Error('disk')))).rejects.toThrow(
    'disk',
  );
  void begin('d', 'd1');
  gone.abort('gone');
  await left;
  await end('a1');
  await failing;
  await settled();
  expect(began).toEqual(['a1', 'd1']);
});
