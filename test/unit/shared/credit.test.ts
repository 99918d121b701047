import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Arrivals, Credit, CREDIT } from '#shared/values/credit.ts';

const nothing = () => undefined;
/** Whether a promise settles without anything else happening. */
const settles = (promise: Promise<unknown>) =>
  Promise.race([promise.then(() => true), new Promise((resolve) => setImmediate(resolve, false))]);

async function allOf<T>(messages: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const message of messages) all.push(message);
  return all;
}

describe('credit', () => {
  test('has room for so many messages that nobody took, and for one more as one is taken', async () => {
    const credit = new Credit();
    for (let sent = 0; sent < CREDIT; sent++) {
      await credit.room();
      credit.spend();
    }
    const room = credit.room();
    expect(await settles(room)).toBe(false);
    credit.grant();
    expect(await settles(room)).toBe(true);
  });

  test('has no room before all is paid back that was sent without', async () => {
    const credit = new Credit();
    for (let sent = 0; sent < CREDIT + 2; sent++) credit.spend();
    const room = credit.room();
    credit.grant();
    credit.grant();
    expect(await settles(room)).toBe(false);
    credit.grant();
    expect(await settles(room)).toBe(true);
  });

  test('lets go of all who wait as the signal fires', async () => {
    const controller = new AbortController();
    const credit = new Credit(controller.signal);
    for (let sent = 0; sent < CREDIT; sent++) credit.spend();
    const waiting = [credit.room(), credit.room()];
    controller.abort(new Error('given up'));
    for (const room of waiting) await expect(room).rejects.toThrow('given up');
    await expect(credit.room()).rejects.toThrow('given up');
  });
});

describe('arrivals', () => {
  test('are read in order, each taken when the reader asks for the next', async () => {
    let taken = 0;
    const arrivals = new Arrivals<number>(() => taken++, new AbortController().signal);
    const reader = arrivals.read();
    arrivals.push(1);
    arrivals.push(2);
    expect([(await reader.next()).value, taken, arrivals.size]).toEqual([1, 0, 1]);
    expect([(await reader.next()).value, taken, arrivals.size]).toEqual([2, 1, 0]);
    const last = reader.next();
    expect(await settles(last)).toBe(false);
    arrivals.end();
    expect([await last, taken]).toEqual([{ done: true, value: undefined }, 2]);
  });

  test('all come before the end, however they came', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.anything(), fc.boolean())), async (messages) => {
        const arrivals = new Arrivals<unknown>(nothing, new AbortController().signal);
        const read = allOf(arrivals.read());
        for (const [message, pauses] of messages) {
          arrivals.push(message);
          if (pauses) await Promise.resolve();
        }
        arrivals.end();
        expect(await read).toEqual(messages.map(([message]) => message));
      }),
      { numRuns: 50 },
    );
  });

  test('reject with a failure before what still waits', async () => {
    const arrivals = new Arrivals<number>(nothing, new AbortController().signal);
    arrivals.push(1);
    arrivals.fail(new Error('too many'));
    await expect(arrivals.read().next()).rejects.toThrow('too many');
  });

  test('reject a reader that waits as the signal fires', async () => {
    const controller = new AbortController();
    const next = new Arrivals<number>(nothing, controller.signal).read().next();
    controller.abort(new Error('given up'));
    await expect(next).rejects.toThrow('given up');
  });
});
