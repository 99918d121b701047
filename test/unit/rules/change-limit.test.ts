import { expect, test } from 'vitest';
import { judgeRule, RuleWatch } from '#core/rules/rule-watch.ts';
import { EMPTY, SlidingWindow } from '#core/rules/sliding-window.ts';
import { FairSemaphore } from '#core/turns/semaphore.ts';
import { createMemoryRecordStore } from '../../helpers/store/memory-record-store.ts';
import { record } from '../../suites/record-store/harness.ts';

/* `change` over a window with more readings than are compared (docs/functions.md, "Conditions"). */

const MOST = 100_000;
const MS = 1000;
const S = 1_000_000;
const RULE = { when: { key: 't', change: 0.5, within_s: 3600 }, for_s: 0 } as const;

/** A reading of 0, and so many of 1 behind it, one each 10 ms. */
async function stored(ones: number) {
  const records = createMemoryRecordStore();
  await records.append('d', [record(0, { t: 0 })]);
  for (let from = 1; from <= ones; from += 10_000)
    await records.append(
      'd',
      Array.from({ length: Math.min(10_000, ones - from + 1) }, (_, i) =>
        record((from + i) * 10 * MS, { t: 1 }),
      ),
    );
  return { records, semaphore: new FairSemaphore(1).of(null) };
}
const NOW = 2000 * S;

test('as many readings as are compared: the oldest counts, and nothing is to be said', async () => {
  const reads = await stored(MOST - 1);
  const { firings, cut } = await new RuleWatch(RULE, new Map(), reads).look('d', NOW);
  expect(firings).toEqual([{ start: 10 * MS, fired: 10 * MS, end: null }]);
  expect(cut).toBeNull();
});

test('one more: the oldest is left out, and the judgement says so, at whichever look it comes', async () => {
  const reads = await stored(MOST - 1);
  const watch = new RuleWatch(RULE, new Map(), reads);
  await watch.look('d', NOW);
  const last = MOST * 10 * MS;
  await reads.records.append('d', [record(last, { t: 1 })]);
  const expected = {
    firings: [{ start: 10 * MS, fired: 10 * MS, end: last }],
    cut: { key: 't', width: 3600 * S, at: last },
  };
  expect(await watch.look('d', NOW)).toMatchObject(expected);
  expect(await new RuleWatch(RULE, new Map(), reads).look('d', NOW)).toMatchObject(expected);
  // Of what lies before, nobody who asks for later firings is told.
  const asked = { rule: RULE, ranges: new Map(), device: 'd', now: NOW };
  expect(await judgeRule({ ...asked, after: last + 1 }, reads)).toMatchObject({ cut: null });
});

test('a window says that it lacks a reading as long as that one would be in it, and not where it could say nothing', () => {
  const window = new SlidingWindow(10, EMPTY, 3);
  const add = (time: number, value: number) => [window.add(time, value), window.isCut];
  expect(add(0, 5)).toEqual([0, false]);
  expect(add(1, 1)).toEqual([4, false]);
  expect(add(2, 2)).toEqual([4, false]);
  // The fourth: the 5 of before is left out.
  expect(add(3, 2)).toEqual([1, true]);
  expect(new SlidingWindow(10, window.state ?? EMPTY, 3).copy().add(4, 2)).toBe(0);
  expect(add(4, 2)).toEqual([0, true]);
  expect(add(11, 2)).toEqual([0, true]);
  expect(add(12, 2)).toEqual([0, false]);
});
