import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createAsker } from '../../../../../renderer/chart/load/asker.ts';

/* Figures of a window, asked for one at a time. */

const READ_MS = 600;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A service that takes `READ_MS` for an answer, which is the end of the window. */
function opened() {
  const ends: (number | null)[] = [];
  const begun: number[] = [];
  const asker = createAsker<string, number>(
    async ({ window }, signal) => {
      begun.push(window.to);
      await new Promise((resolve) => setTimeout(resolve, READ_MS));
      signal.throwIfAborted();
      return window.to;
    },
    ({ answer }) => ends.push(answer?.value ?? null),
  );
  let version = 0;
  const ask = (of: string, from: number, to: number) =>
    asker.ask(JSON.stringify({ of, window: { from, to } }), String(version++));
  return { asker, ask, begun, ends };
}

test.each([
  ['grows', 0],
  ['moves on', 1],
])(
  'a window that %s with each record is answered again and again, however often records come',
  async (_, moved) => {
    const { ask, ends } = opened();
    for (let n = 0; n < 100; n++) {
      ask('device', n * moved, 1000 + n);
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(ends.length).toBeGreaterThan(8);
    await vi.runAllTimersAsync();
    expect(ends.at(-1)).toBe(1099);
  },
);

test('a window that is moved back, or far away, is asked for once it stands, and the one before is given up', async () => {
  const { ask, ends, begun } = opened();
  ask('device', 1000, 2000);
  await vi.advanceTimersByTimeAsync(READ_MS / 2);
  for (let n = 1; n < 20; n++) {
    ask('device', 1000 - n * 10, 2000 - n * 10);
    await vi.advanceTimersByTimeAsync(100);
  }
  ask('device', 5000, 6000);
  await vi.runAllTimersAsync();
  expect(ends).toEqual([6000]);
  expect(begun).toEqual([2000, 6000]);
});

test('an answer of another device is given up', async () => {
  const { ask, ends } = opened();
  ask('device', 0, 1000);
  await vi.advanceTimersByTimeAsync(READ_MS / 2);
  ask('other', 1, 1001);
  await vi.runAllTimersAsync();
  expect(ends).toEqual([1001]);
});
