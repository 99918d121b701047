import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createFairQueue, type FairQueue, type Queued } from '#core/turns/fair-queue.ts';

const PATIENCE_MS = 1000;
const LIMIT_MS = 30_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

function queueOf(most: number, aside = 10, mostOfOne = most, slow: 'reader' | 'sender' = 'reader') {
  const warnings: string[] = [];
  const queue = createFairQueue({
    slow,
    most,
    mostOfOne,
    aside,
    patienceMs: PATIENCE_MS,
    limitMs: LIMIT_MS,
    log: { warn: (line) => void warnings.push(line) },
  });
  /** What has begun and ended, in order. */
  const told: string[] = [];
  async function* parts(name: string, count: number) {
    told.push(`${name} begins`);
    try {
      for (let n = 0; n < count; n++) yield `${name}${n}`;
    } finally {
      told.push(`${name} ends`);
    }
  }
  return {
    queue,
    warnings,
    told,
    take: (name: string, count = 3, signal?: AbortSignal) => queue.take(parts(name, count), null, signal),
    takeFor: (key: string, name: string) => queue.take(parts(name, 3), key),
  };
}

async function all({ parts }: Queued<string>): Promise<string[]> {
  const got: string[] = [];
  for await (const part of parts) got.push(part);
  return got;
}

/** Lets everything that can go on do so. */
const settle = () => vi.advanceTimersByTimeAsync(0);

test('those that ask at once take turns in the order in which they came, and all get everything', async () => {
  const { take, told } = queueOf(2);
  const names = ['a', 'b', 'c', 'd', 'e'];
  const got = await Promise.all(names.map((name) => all(take(name))));
  expect(got).toEqual(names.map((name) => [0, 1, 2].map((n) => name + n)));
  let running = 0;
  for (const word of told) {
    running += word.endsWith('begins') ? 1 : -1;
    expect(running).toBeLessThanOrEqual(2);
  }
  expect(told.filter((word) => word.endsWith('begins'))).toEqual(names.map((name) => `${name} begins`));
});

test('a reader that takes nothing steps aside, and goes on when there is a turn again', async () => {
  const { take, told } = queueOf(1);
  const slow = take('slow').parts;
  expect((await slow.next()).value).toBe('slow0');
  const quick = all(take('quick'));
  await settle();
  expect(told).toEqual(['slow begins']);
  await vi.advanceTimersByTimeAsync(PATIENCE_MS);
  expect(await quick).toEqual(['quick0', 'quick1', 'quick2']);
  expect([(await slow.next()).value, (await slow.next()).value, (await slow.next()).done]).toEqual([
    'slow1',
    'slow2',
    true,
  ]);
  expect(told.at(-1)).toBe('slow ends');
});

test('a reader that came back waits for its turn as all others do', async () => {
  const { take } = queueOf(1);
  const slow = take('slow').parts;
  await slow.next();
  await vi.advanceTimersByTimeAsync(PATIENCE_MS);
  const other = take('other').parts;
  await other.next();
  let came = false;
  const next = slow.next().then(() => (came = true));
  await settle();
  expect(came).toBe(false);
  await other.return();
  await next;
  expect(came).toBe(true);
});

test('who leaves while waiting is not waited for', async () => {
  const { take, told } = queueOf(1);
  const first = take('first').parts;
  await first.next();
  const gone = new AbortController();
  const left = all(take('left', 3, gone.signal));
  const outcome = expect(left).rejects.toBe('gone');
  const last = all(take('last'));
  await settle();
  gone.abort('gone');
  await outcome;
  await first.return();
  expect(await last).toEqual(['last0', 'last1', 'last2']);
  expect(told).not.toContain('left begins');
});

test('who leaves, fails or stops early gives the turn back', async () => {
  const { take, queue } = queueOf(1);
  const stopped = take('stopped').parts;
  await stopped.next();
  await stopped.return();
  async function* failing() {
    yield 'one';
    throw new Error('disk');
  }
  await expect(all(queue.take(failing(), null))).rejects.toThrow('disk');
  const gone = new AbortController();
  gone.abort('gone');
  await expect(all(take('gone', 3, gone.signal))).rejects.toBe('gone');
  expect(await all(take('last', 1))).toEqual(['last0']);
});

test('of too many that stand aside, the longest is given up, and said', async () => {
  const { take, warnings } = queueOf(1, 2);
  const readers: Queued<string>[] = [];
  for (const name of ['a', 'b', 'c', 'd']) {
    const reader = take(name);
    readers.push(reader);
    await reader.parts.next();
    await vi.advanceTimersByTimeAsync(PATIENCE_MS);
  }
  expect(readers.map(({ givenUp }) => givenUp.aborted)).toEqual([true, true, false, false]);
  expect(warnings).toHaveLength(2);
  await expect(readers[0]?.parts.next()).rejects.toThrow('The export was ended');
  // A reader that reads again is none of them any more.
  await readers[2]?.parts.next();
  const more = take('e');
  await vi.advanceTimersByTimeAsync(PATIENCE_MS);
  await more.parts.next();
  await vi.advanceTimersByTimeAsync(PATIENCE_MS);
  expect(readers[3]?.givenUp.aborted).toBe(true);
});

test('readers of one key, however many, that take nothing and begin anew keep nobody else waiting', async () => {
  const { takeFor } = queueOf(3, 10, 2);
  const begin = (n: number) => void takeFor('greedy', `greedy${n}`).parts.next();
  for (let n = 0; n < 8; n++) begin(n);
  await settle();
  // No time passes, and no reader has stepped aside.
  expect(await all(takeFor('other', 'a'))).toEqual(['a0', 'a1', 'a2']);
  begin(8);
  expect(await all(takeFor('other', 'b'))).toEqual(['b0', 'b1', 'b2']);
});

test('of too many that stand aside, none is given up but of the key that has the most of them', async () => {
  const { takeFor } = queueOf(1, 3);
  const standing: Queued<string>[] = [];
  for (const [key, name] of [
    ['slow', 'first'],
    ['greedy', 'a'],
    ['greedy', 'b'],
    ['greedy', 'c'],
  ] as const) {
    const reader = takeFor(key, name);
    standing.push(reader);
    await reader.parts.next();
    await vi.advanceTimersByTimeAsync(PATIENCE_MS);
  }
  expect(standing.map(({ givenUp }) => givenUp.aborted)).toEqual([false, true, false, false]);
});

test('a reader that takes nothing for long is given up, and what it was read from is let go', async () => {
  const { take, told, warnings } = queueOf(1);
  const { parts, givenUp } = take('silent');
  await parts.next();
  await vi.advanceTimersByTimeAsync(PATIENCE_MS + LIMIT_MS - 1);
  expect(givenUp.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(givenUp.aborted).toBe(true);
  expect(givenUp.reason).toMatchObject({
    status: 500,
    message: 'The export was ended: nothing of it was taken for 30 s. Try again.',
  });
  expect(warnings).toEqual(['An export was ended: its reader took nothing for 30 s.']);
  await expect(parts.next()).rejects.toBe(givenUp.reason);
  expect(told).toEqual(['silent begins', 'silent ends']);
});

test('a reader that is slow, but takes something again and again, is not given up', async () => {
  const { take, warnings } = queueOf(1);
  const { parts, givenUp } = take('slow', 5);
  for (let n = 0; n < 5; n++) {
    expect((await parts.next()).value).toBe(`slow${n}`);
    await vi.advanceTimersByTimeAsync(LIMIT_MS / 2);
  }
  expect((await parts.next()).done).toBe(true);
  expect([givenUp.aborted, warnings]).toEqual([false, []]);
});

describe('files, whose senders may be slow', () => {
  /** One that sends when it is told to. */
  function sender(queue: FairQueue) {
    const sent: PromiseWithResolvers<string | null>[] = [Promise.withResolvers()];
    async function* parts() {
      for (let n = 0; ; n++) {
        const part = await sent[n]?.promise;
        if (part === null || part === undefined) return;
        yield part;
      }
    }
    return {
      file: queue.take(parts(), null),
      send(part: string | null) {
        sent.at(-1)?.resolve(part);
        sent.push(Promise.withResolvers());
      },
    };
  }

  test('are read some at a time, the others when it is their turn', async () => {
    const { queue } = queueOf(1, 10, 1, 'sender');
    const [first, second] = [sender(queue), sender(queue)];
    first.send('a');
    second.send('b');
    expect(await first.file.parts.next()).toMatchObject({ value: 'a' });
    let came = false;
    const next = second.file.parts.next().then(() => (came = true));
    await settle();
    expect(came).toBe(false);
    first.send(null);
    expect(await first.file.parts.next()).toMatchObject({ done: true });
    await next;
    expect(came).toBe(true);
  });

  test('a sender that is quiet, or whose file is taken by nobody, keeps no other one waiting', async () => {
    const { queue, warnings } = queueOf(2, 10, 2, 'sender');
    const [quiet, hung, other] = [sender(queue), sender(queue), sender(queue)];
    const waits = quiet.file.parts.next();
    hung.send('a');
    await hung.file.parts.next();
    other.send('b');
    const next = other.file.parts.next();
    await vi.advanceTimersByTimeAsync(PATIENCE_MS);
    expect(await next).toMatchObject({ value: 'b' });
    quiet.send('late');
    await other.file.parts.return();
    expect(await waits).toMatchObject({ value: 'late' });
    await vi.advanceTimersByTimeAsync(LIMIT_MS);
    expect(hung.file.givenUp.aborted).toBe(false);
    expect(warnings).toEqual([]);
  });

  test('one that stays quiet is given up, and told', async () => {
    const { queue, warnings } = queueOf(1, 10, 1, 'sender');
    const { file } = sender(queue);
    const next = expect(file.parts.next()).rejects.toThrow(
      'The look at the file was ended: nothing of it was sent for 30 s. Try again.',
    );
    await vi.advanceTimersByTimeAsync(PATIENCE_MS + LIMIT_MS);
    await next;
    expect(file.givenUp.aborted).toBe(true);
    expect(warnings).toEqual(['The look at a file was ended: its sender sent nothing for 30 s.']);
  });
});
