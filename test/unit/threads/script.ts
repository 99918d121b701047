import { openSync } from 'node:fs';
import { threadId } from 'node:worker_threads';
import { badRequest, StoreError } from '#core/base/errors.ts';
import { serveTasks, workFor } from '#core/threads/serve.ts';
import { COUNT, ECHO, FAIL, HANG, IDLE, TICK, type Fault } from './kinds.ts';

serveTasks([
  workFor(ECHO, async (_start, task) => {
    let count = 0;
    for await (const message of task.input) {
      count++;
      await task.send(message);
    }
    return { count, threadId };
  }),
  workFor(FAIL, async (fault) => fail(fault)),
  workFor(COUNT, async (_start, task) => {
    for (let n = 0; ; n++) await task.send(n);
  }),
  workFor(HANG, async (_start, task) => {
    task.post('begun');
    for (;;);
  }),
  workFor(IDLE, async (shared, task) => {
    task.post('begun');
    while (Atomics.load(shared, 0) === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    return null;
  }),
  workFor(TICK, async (shared) => {
    setInterval(() => Atomics.add(shared, 0, 1), 1);
    return null;
  }),
]);

function fail(fault: Fault): unknown {
  switch (fault) {
    case 'refusal':
      throw badRequest('line 3: no.');
    case 'disk-full':
      throw new StoreError('disk-full', 'The disk is full.', { cause: new Error('write failed') });
    case 'file':
      return openSync('/does/not/exist', 'r');
    case 'bug':
      throw new TypeError('undefined is not a function');
    case 'text':
      // oxlint-disable-next-line no-throw-literal
      throw 'a text';
    case 'uncaught':
      setImmediate(() => {
        throw new Error('nobody caught this');
      });
      return new Promise(() => {});
    case 'exit':
      return process.exit(3);
    case 'uncloneable':
      return () => {};
    case 'glutton':
      for (const kept: object[] = []; ;) kept.push({ more: kept.length });
  }
}
