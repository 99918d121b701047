import { describe, expect, test } from 'vitest';
import { formatMicros } from '#shared/values/time.ts';
import { windowAround } from '../../../../renderer/rules/firing-window.ts';
import {
  lastedWords,
  triedFirings,
  triedProblem,
  triedWords,
} from '../../../../renderer/rules/tried-words.ts';

/* What a rule would have done. */

const S = 1e6;
const AT = Date.UTC(2026, 10, 19, 18) * 1000;
const time = (seconds: number) => formatMicros(AT + seconds * S);
const firing = (start: number, end: number | null) => ({
  start: time(start),
  fired: time(start),
  end: end === null ? null : time(end),
});
const of = (device_id: string, count: number, ...firings: ReturnType<typeof firing>[]) => ({
  device_id,
  count,
  firings,
  problem: null,
});

test.each([
  [[of('a', 0)], false, 'Would not have fired in the last 30 days.'],
  [[of('a', 1)], false, 'Would have fired once in the last 30 days.'],
  [[of('a', 1_400)], false, 'Would have fired 1,400 times in the last 30 days.'],
  [[], true, 'No device has this tag.'],
  [[of('a', 0), of('b', 0)], true, 'Would not have fired on any of 2 devices in the last 30 days.'],
  [[of('a', 0), of('b', 14)], true, 'Would have fired 14 times on 1 of 2 devices in the last 30 days.'],
])('%#: %s', (found, isOfTag, words) => expect(triedWords(found, 30, isOfTag)).toBe(words));

test('what keeps a trial from saying all stands with it, and of how many devices', () => {
  const amiss = { ...of('b', 0), problem: 'No record of this device has "flow" so far.' };
  expect(triedProblem([of('a', 3)])).toBeNull();
  expect(triedProblem([amiss])).toBe('No record of this device has "flow" so far.');
  expect(triedProblem([of('a', 3), amiss])).toBe('1 device: No record of this device has "flow" so far.');
});

test('firings of all devices stand together, the newest first, each with how long it held', () => {
  const found = triedFirings([of('a', 2, firing(0, 60), firing(300, null)), of('b', 1, firing(100, 100))]);
  expect(found.map((one) => [one.device_id, lastedWords(one, AT + 900 * S)])).toEqual([
    ['a', 'holds for 10 min by now'],
    ['b', '0 µs'],
    ['a', '1 min'],
  ]);
});

describe('the chart around a firing', () => {
  test('has half an hour on each side, or a quarter of it', () => {
    expect(windowAround(firing(0, 60), AT)).toEqual({ from: AT - 1800 * S, to: AT + 1860 * S });
    expect(windowAround(firing(0, 36_000), AT)).toEqual({ from: AT - 9_000 * S, to: AT + 45_000 * S });
  });

  test('reaches to now while it holds', () => {
    expect(windowAround(firing(0, null), AT + 600 * S)).toEqual({ from: AT - 1800 * S, to: AT + 2_400 * S });
  });
});
