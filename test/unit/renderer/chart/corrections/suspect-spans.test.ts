import { expect, test } from 'vitest';
import { suspectSpans } from '../../../../../renderer/chart/corrections/suspect-spans.ts';
import { correction } from './corrections-of.ts';

const flag = (quality: 'suspect' | 'fail' | 'pass', from: number, to: number, keys: string[] | null = null) =>
  correction('quality', { from, to, quality, keys, reason: 'why' });

test('what is suspect is found until a newer mark takes its place', () => {
  const suspect = flag('suspect', 10, 99);
  expect(suspectSpans([suspect], 'air', 'raw')).toEqual([{ from: 10, to: 99 }]);
  expect(suspectSpans([suspect, flag('fail', 20, 29)], 'air', 'raw')).toEqual([
    { from: 10, to: 19 },
    { from: 30, to: 99 },
  ]);
  expect(suspectSpans([suspect, flag('pass', 0, 200)], 'air', 'raw')).toEqual([]);
  expect(suspectSpans([flag('fail', 0, 200), suspect], 'air', 'raw')).toEqual([{ from: 10, to: 99 }]);
  // Marks beside one another are one.
  expect(suspectSpans([suspect, flag('suspect', 100, 120)], 'air', 'raw')).toEqual([{ from: 10, to: 120 }]);
});

test('a mark of other keys says nothing of a key, and one of a clock that was put right moves along', () => {
  const suspect = flag('suspect', 10, 99, ['humidity']);
  expect(suspectSpans([suspect], 'air', 'corrected')).toEqual([]);
  expect(suspectSpans([suspect, flag('pass', 0, 200, ['air'])], 'humidity', 'corrected')).toEqual([
    { from: 10, to: 99 },
  ]);
  const clock = correction('time', { from: 0, to: 200, shift_us: 1000 });
  expect(suspectSpans([suspect, clock], 'humidity', 'corrected')).toEqual([{ from: 1010, to: 1099 }]);
});
