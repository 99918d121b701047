import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Refusal, StoreError, ThreadError } from '#core/base/errors.ts';
import { createThreads, type Threads } from '#core/threads/threads.ts';
import { COUNT, ECHO, FAIL, TICK, type Fault } from './kinds.ts';

const script = join(import.meta.dirname, 'script.ts');
let threads: Threads;
beforeEach(() => {
  threads = createThreads({ script });
});
afterEach(() => threads.close());

async function* from<T>(...messages: T[]): AsyncGenerator<T> {
  yield* messages;
}

async function rest<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}

/** Runs a task that does nothing; the thread's id. */
const threadId = async () => (await threads.run(ECHO, null)).threadId;

/** Keeps a task running until it is told to end; resolves once it runs. */
async function keepRunning() {
  const controller = new AbortController();
  const running = Promise.withResolvers<void>();
  const task = threads.run(COUNT, null, {
    output: () => running.resolve(),
    signal: controller.signal,
  });
  await Promise.race([running.promise, task]);
  return async () => {
    controller.abort(new Error('enough'));
    await expect(task).rejects.toThrow('enough');
  };
}

describe('a task in a thread', () => {
  test('gets its messages in order, gives its own in order, and comes to a result', async () => {
    const heard: unknown[] = [];
    const result = await threads.run(ECHO, null, {
      input: from<unknown>(...Array.from({ length: 100 }, (_, n) => n), { deep: [-0, 'ü'] }),
      async output(message) {
        if (message === 50) await sleep(20);
        heard.push(message);
      },
    });
    expect(result.count).toBe(101);
    expect(heard).toEqual([...Array(100).keys(), { deep: [-0, 'ü'] }]);
  });

  test('gets bytes, whole or a part of others; whole ones move', async () => {
    const whole = new Uint8Array([1, 2, 3]);
    const others = new Uint8Array([4, 5, 6, 7]);
    const heard: unknown[] = [];
    const output = (message: unknown) => void heard.push(message);
    await threads.run(ECHO, null, { input: from(whole, others.subarray(1, 3)), output });
    expect(heard).toEqual([new Uint8Array([1, 2, 3]), new Uint8Array([5, 6])]);
    expect((heard[1] as Uint8Array).buffer.byteLength).toBe(2);
    expect([whole.length, others.length]).toEqual([0, 4]);
  });

  test('is sent no more than it takes', async () => {
    let asked = 0;
    async function* endless() {
      for (;;) yield asked++;
    }
    const controller = new AbortController();
    const task = threads.run(COUNT, null, { input: endless(), signal: controller.signal });
    await expect.poll(() => asked, { timeout: 20_000 }).toBe(8);
    await sleep(300);
    expect(asked).toBe(8);
    controller.abort(new Error('enough'));
    await expect(task).rejects.toThrow('enough');
  });

  test('waits for what it sent to be handled', async () => {
    const controller = new AbortController();
    const handling = Promise.withResolvers<void>();
    let heard = 0;
    const task = threads.run(COUNT, null, {
      async output(n) {
        heard = n;
        if (n === 10) controller.abort(new Error('enough'));
        if (n === 1) await handling.promise;
      },
      signal: controller.signal,
    });
    await expect.poll(() => heard, { timeout: 20_000 }).toBe(1);
    await sleep(300);
    expect(heard).toBe(1);
    handling.resolve();
    await expect(task).rejects.toThrow('enough');
    expect(heard).toBe(10);
  });

  test('shares two threads with all others', async () => {
    const stop = [await keepRunning(), await keepRunning(), await keepRunning()];
    const ids = await Promise.all([threadId(), threadId(), threadId(), threadId()]);
    expect(new Set(ids).size).toBe(2);
    for (const end of stop) await end();
  });
});

describe('the messages of a task', () => {
  test('come one after the other, no more than are asked for, until nobody asks', async () => {
    const numbers = threads.stream(COUNT, null);
    for (let n = 0; n < 20; n++) expect(await numbers.next()).toEqual({ done: false, value: n });
    await numbers.return();
    expect(await numbers.next()).toEqual({ done: true, value: undefined });
    // The thread is free for others.
    expect((await threads.run(ECHO, null)).count).toBe(0);
  });

  test('end with the reason of the signal', async () => {
    const controller = new AbortController();
    const numbers = threads.stream(COUNT, null, { signal: controller.signal });
    await numbers.next();
    controller.abort(new Error('enough'));
    await expect(rest(numbers)).rejects.toThrow('enough');
    await expect(threads.stream(COUNT, null, { signal: controller.signal }).next()).rejects.toThrow('enough');
  });

  test('end as the task does, and with the thread', async () => {
    await expect(threads.stream(FAIL, 'disk-full').next()).rejects.toMatchObject({
      code: 'disk-full',
    });
    const numbers = threads.stream(COUNT, null);
    await numbers.next();
    await threads.close();
    await expect(rest(numbers)).rejects.toBeInstanceOf(ThreadError);
    await expect(threads.stream(COUNT, null).next()).rejects.toBeInstanceOf(ThreadError);
  });
});

describe('a task that fails', () => {
  const failure = async (fault: Fault): Promise<unknown> => {
    try {
      await threads.run(FAIL, fault);
    } catch (error) {
      return error;
    }
    return null;
  };

  test('rejects as it did in the thread', async () => {
    const refusal = await failure('refusal');
    expect(refusal).toBeInstanceOf(Refusal);
    expect(refusal).toMatchObject({ status: 400, message: 'line 3: no.' });
    const full = await failure('disk-full');
    expect(full).toBeInstanceOf(StoreError);
    expect(full).toMatchObject({ code: 'disk-full', message: 'The disk is full.' });
    expect((full as Error).cause).toMatchObject({ message: 'write failed' });
    expect(await failure('file')).toMatchObject({
      code: 'ENOENT',
      stack: expect.stringContaining(pathToFileURL(script).href),
    });
    const bug = await failure('bug');
    expect(bug).toMatchObject({
      name: 'TypeError',
      stack: expect.stringContaining(pathToFileURL(script).href),
    });
    expect(await failure('text')).toMatchObject({ message: 'a text' });
    expect(await failure('uncloneable')).toMatchObject({ name: 'DataCloneError' });
    await expect(threads.run({ name: 'unknown' }, null)).rejects.toThrow(
      'This thread knows no task unknown.',
    );
  });

  test.each(['uncaught', 'exit'] as const)(
    'takes its thread along: %s; the next one gets another',
    async (fault) => {
      const before = await threadId();
      expect(await failure(fault)).toMatchObject({
        name: 'ThreadError',
        code: 'ended',
        message: expect.stringMatching(/ended before it was done\. Nothing of it was kept; try again\.$/),
      });
      expect(await threadId()).toBeGreaterThan(before);
    },
  );

  test('that takes all memory ends its thread alone and says how much it may have', async () => {
    const small = createThreads({ script, heapMb: 32 });
    await expect(small.run(FAIL, 'glutton')).rejects.toMatchObject({
      name: 'ThreadError',
      code: 'memory',
      message:
        'This takes more than the 32 MB of memory that a thread may have. Nothing of it was kept; try it in smaller parts.',
    });
    expect((await small.run(ECHO, null)).threadId).toBeGreaterThan(0);
    await small.close();
  });

  test('for a script that is not there says so', async () => {
    const nowhere = createThreads({ script: join(import.meta.dirname, 'nowhere.ts') });
    await expect(nowhere.run(ECHO, null)).rejects.toMatchObject({
      cause: { message: expect.stringContaining('nowhere.ts') },
    });
    await nowhere.close();
  });

  test('because its messages cannot be had, or cannot be handled, rejects as they do', async () => {
    async function* broken() {
      yield 1;
      throw new Error('connection reset');
    }
    await expect(threads.run(ECHO, null, { input: broken() })).rejects.toThrow('connection reset');
    const output = () => {
      throw new Error('disk full');
    };
    await expect(threads.run(COUNT, null, { output })).rejects.toThrow('disk full');
    expect(await threadId()).toBeGreaterThan(0);
  });

  test('tells the sender of its messages', async () => {
    let told = false;
    async function* sender() {
      try {
        for (;;) yield 1;
      } finally {
        told = true;
      }
    }
    await expect(threads.run({ name: 'unknown' }, null, { input: sender() })).rejects.toThrow('unknown');
    expect(told).toBe(true);
  });
});

describe('a task that is cancelled', () => {
  test('rejects with the reason at once, even while its sender is silent, and no message is handled any more', async () => {
    async function* silent() {
      yield 1;
      await new Promise(() => {});
    }
    const reason = new Error('the window closed');
    const controller = new AbortController();
    let handling = false;
    const task = threads.run(ECHO, null, {
      input: silent(),
      async output() {
        handling = true;
        controller.abort(reason);
        await sleep(50);
        handling = false;
      },
      signal: controller.signal,
    });
    await expect(task).rejects.toBe(reason);
    expect(handling).toBe(false);
    await expect(threads.run(ECHO, null, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});

describe('threads', () => {
  test('end when they have been idle', async () => {
    threads = createThreads({ script, idleMs: 50 });
    const ticks = new Int32Array(new SharedArrayBuffer(4));
    await threads.run(TICK, ticks);
    const stop = await keepRunning();
    const before = await threadId();
    await sleep(200);
    const during = ticks[0] ?? 0;
    await sleep(50);
    expect(ticks[0]).toBeGreaterThan(during);
    await stop();
    await sleep(400);
    const after = ticks[0];
    await sleep(50);
    expect(ticks[0]).toBe(after);
    expect(await threadId()).toBeGreaterThan(before);
  });

  test('keep the process while they have a task, and no longer', async () => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [join(import.meta.dirname, 'lone.ts'), script],
      { timeout: 20_000 },
    );
    expect(stdout).toBe('over\n');
  });

  test('that are closed end what runs, and take nothing any more', async () => {
    const task = threads.run(COUNT, null);
    const ended = expect(task).rejects.toMatchObject({ name: 'ThreadError', code: 'closed' });
    await threads.close();
    await ended;
    await expect(threads.run(ECHO, null)).rejects.toBeInstanceOf(ThreadError);
    await threads.close();
  });
});
