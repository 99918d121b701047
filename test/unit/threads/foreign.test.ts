import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createThreads, type Threads } from '#core/threads/threads.ts';
import { COUNT, ECHO, FOREIGN_ECHO, HANG, IDLE } from './kinds.ts';

/* Tasks whose length somebody outside decides: they may work for ever, and listen to nobody. */

const script = join(import.meta.dirname, 'script.ts');
const PATIENCE_MS = 100;
let threads: Threads;
beforeEach(() => {
  threads = createThreads({ script, patienceMs: PATIENCE_MS });
});
afterEach(() => threads.close());

/** Begins a task that never ends; resolves once it does nothing else any more. */
async function hang() {
  const controller = new AbortController();
  const begun = Promise.withResolvers<void>();
  const task = threads.run(HANG, null, { output: () => begun.resolve(), signal: controller.signal });
  await Promise.race([begun.promise, task]);
  return {
    task,
    async cancel() {
      controller.abort(new Error('enough'));
      await expect(task).rejects.toThrow('enough');
    },
  };
}

async function* after(time: Promise<void>) {
  await time;
  yield 1;
}

describe('foreign tasks that never listen', () => {
  test('hold up none of the others, however many they are', async () => {
    const hanging = [await hang(), await hang()];
    const own = Array.from({ length: 4 }, () => threads.run(ECHO, null));
    expect(new Set((await Promise.all(own)).map(({ threadId }) => threadId)).size).toBeLessThanOrEqual(2);
    for (const one of hanging) await one.cancel();
  });

  test('end with their threads once they are cancelled, and others get new ones', async () => {
    const hanging = [await hang(), await hang()];
    // Behind one of them: nothing of it can run before.
    const behind = threads.run(FOREIGN_ECHO, null).catch((error: unknown) => error);
    for (const one of hanging) await one.cancel();
    expect(await behind).toMatchObject({
      name: 'ThreadError',
      code: 'ended',
      cause: { message: expect.stringContaining('other work in it did not stop when it was told to') },
    });
    expect((await threads.run(FOREIGN_ECHO, null)).threadId).toBeGreaterThan(0);
  });

  test('take no other work along where they cost the thread nothing, as it seems on a machine that is busy elsewhere', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const isOver = new Int32Array(new SharedArrayBuffer(4));
    const idle = [0, 1].map(async () => {
      const begun = Promise.withResolvers<void>();
      const task = threads.run(IDLE, isOver, { output: () => begun.resolve(), signal });
      await Promise.race([begun.promise, task]);
      return { task };
    });
    const cancelled = (await Promise.all(idle)).map(({ task }) => expect(task).rejects.toThrow('enough'));
    const more = Promise.withResolvers<void>();
    async function* slowly() {
      yield 1;
      await more.promise;
      yield 2;
    }
    const besides = threads.run(FOREIGN_ECHO, null, { input: slowly() });
    controller.abort(new Error('enough'));
    await Promise.all(cancelled);
    expect(await Promise.race([besides, sleep(20 * PATIENCE_MS)])).toBeUndefined();
    more.resolve();
    expect(await besides).toMatchObject({ count: 2 });
    Atomics.store(isOver, 0, 1);
  });

  test('end once they are cancelled where they wait for what never comes, after those beside them', async () => {
    await threads.close();
    threads = createThreads({ script, patienceMs: 600_000, hangMs: PATIENCE_MS });
    const isOver = new Int32Array(new SharedArrayBuffer(4));
    // As many as there are threads, so that a third is beside one of them.
    const idle = [threads.stream(IDLE, isOver), threads.stream(IDLE, isOver)];
    for (const one of idle) await one.next();
    const more = Promise.withResolvers<void>();
    const besides = threads.run(FOREIGN_ECHO, null, { input: after(more.promise) });
    let left = idle.length;
    const ended = idle.map(async (one) => {
      await one.return();
      left--;
    });
    await expect.poll(() => left, { timeout: 20_000 }).toBe(1);
    // Behind the one that hangs nothing waits.
    expect((await threads.run(FOREIGN_ECHO, null)).threadId).toBeGreaterThan(0);
    expect(left).toBe(1);
    more.resolve();
    expect(await besides).toMatchObject({ count: 1 });
    await Promise.all(ended);
  });

  test('take no thread that works for the store, nor its work with them', async () => {
    const controller = new AbortController();
    const ticks: number[] = [];
    const own = [0, 1].map(() =>
      threads.run(COUNT, null, { output: (n) => void ticks.push(n), signal: controller.signal }),
    );
    const hanging = await hang();
    await hanging.cancel();
    // Its thread has ended by now: another foreign task gets through.
    await threads.run(FOREIGN_ECHO, null).catch(() => undefined);
    const before = ticks.length;
    await expect.poll(() => ticks.length, { timeout: 20_000 }).toBeGreaterThan(before);
    controller.abort(new Error('enough'));
    for (const task of own) await expect(task).rejects.toThrow('enough');
  });
});

test('a task that ends when it is told to leaves its thread to the others in it', async () => {
  await threads.close();
  // A machine that is busy with something else is late to tell it, and to hear of its end.
  threads = createThreads({ script, patienceMs: 3000 });
  const others = [threads.stream(COUNT, null), threads.stream(COUNT, null)];
  for (const other of others) await other.next();
  for (let n = 0; n < 3; n++) {
    const numbers = threads.stream(COUNT, null);
    await numbers.next();
    await numbers.return();
  }
  // What was cancelled after them, and does not listen, has met its end: so would have they.
  const hanging = await hang();
  const behind = expect(threads.run(FOREIGN_ECHO, null)).rejects.toMatchObject({ code: 'ended' });
  await hanging.cancel();
  await behind;
  for (const other of others) {
    expect(await other.next()).toEqual({ done: false, value: 1 });
    await other.return();
  }
});
