import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatMicros, parseInstant } from '#shared/values/time.ts';
import { clockMapOf } from '#core/store/blocks/corrections/clock-map.ts';
import { shownSpans, storedSpans } from '../../../../../renderer/chart/corrections/stored-time.ts';
import { correction } from './corrections-of.ts';

const HOUR = 3_600e6;
const DAY = 24 * HOUR;

test('without a clock that was put right, a span is where it was stored', () => {
  const span = { from: DAY, to: 2 * DAY };
  const others = [correction('calibration', { key: 'a', points: [[1, 2]] }), correction('quality', span)];
  expect(storedSpans(others, span, 'corrected')).toEqual([span]);
  expect(shownSpans(others, span, 'corrected')).toEqual([span]);
});

test('an hour that was moved back is selected where it stands now, and nothing of it in the raw view', () => {
  const clock = correction('time', { from: DAY, to: 2 * DAY, shift_us: -HOUR });
  const shown = { from: DAY + 2 * HOUR, to: DAY + 3 * HOUR };
  expect(storedSpans([clock], shown, 'corrected')).toEqual([{ from: DAY + 3 * HOUR, to: DAY + 4 * HOUR }]);
  expect(storedSpans([clock], shown, 'raw')).toEqual([shown]);
  expect(shownSpans([clock], { from: DAY + 3 * HOUR, to: DAY + 4 * HOUR }, 'corrected')).toEqual([shown]);
});

test('a selection over the edge of a clock is several spans of stored time', () => {
  const clock = correction('time', { from: DAY, to: 2 * DAY, shift_us: -HOUR });
  // The last two hours before the edge, and what was moved over the first of them.
  expect(storedSpans([clock], { from: DAY - 2 * HOUR, to: DAY - 1 }, 'corrected')).toEqual([
    { from: DAY - 2 * HOUR, to: DAY + HOUR - 1 },
  ]);
  expect(storedSpans([clock], { from: 2 * DAY - 2 * HOUR, to: 2 * DAY + HOUR }, 'corrected')).toEqual([
    { from: 2 * DAY - HOUR, to: 2 * DAY + HOUR },
  ]);
  const far = correction('time', { from: DAY, to: 2 * DAY, shift_us: 10 * DAY });
  expect(storedSpans([far], { from: 0, to: 20 * DAY }, 'corrected')).toEqual([{ from: 0, to: 20 * DAY }]);
  expect(storedSpans([far], { from: 11 * DAY, to: 11 * DAY + HOUR }, 'corrected')).toEqual([
    { from: DAY, to: DAY + HOUR },
    { from: 11 * DAY, to: 11 * DAY + HOUR },
  ]);
});

test('where nothing is stored nothing was selected', () => {
  const clock = correction('time', { from: DAY, to: 2 * DAY, shift_us: 10 * DAY });
  const shown = { from: 11 * DAY, to: 11 * DAY + HOUR };
  const stored = { from: DAY, to: 2 * DAY };
  expect(storedSpans([clock], shown, 'corrected', stored)).toEqual([{ from: DAY, to: DAY + HOUR }]);
});

const moment = fc.integer({ min: -1_000, max: 1_000 });
const span = fc.tuple(moment, moment).map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) }));
const shifted = fc.record({
  span,
  shift_us: fc.integer({ min: -500, max: 500 }).filter((shift) => shift !== 0),
});
const drifted = fc.record({
  span,
  at: fc
    .tuple(fc.integer({ min: 1, max: 900 }), fc.integer({ min: 1, max: 900 }), moment)
    .map(([passed, right, begin]) => [
      [0, begin],
      [passed, begin + right],
    ]),
});

/** The corrected time of a stored one, as the service reads it: by the newest correction of it, rounded as there. */
function seen(clocks: ReturnType<typeof correction>[], stored: number): number {
  const held = clocks.findLast(({ from, to }) => {
    const at = formatMicros(stored);
    return (from ?? '') <= at && at <= (to ?? '');
  });
  if (!held) return stored;
  const { shift_us: shift, at = [] } = held;
  const [first, last] = at.map(([raw, right]) => [parseInstant(raw) ?? 0, parseInstant(right) ?? 0] as const);
  if (shift !== undefined) return clockMapOf({ by: { shift } }).of(stored);
  return first && last ? clockMapOf({ by: { at: [first, last] } }).of(stored) : stored;
}

/** A moment half-way between two whole microseconds, of a rate that no number is exactly. */
const HALF_WAY = {
  span: { from: -350, to: 0 },
  at: [
    [0, 240],
    [280, 818],
  ],
};

test('whatever was put right: the stored spans are those of which each moment is seen in the selection, and no other', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(shifted, drifted), { maxLength: 5 }), span, (made, selected) => {
      const clocks = made.map((each) =>
        'at' in each
          ? correction('time', {
              ...each.span,
              at: each.at.map((pair) => pair.map((at) => formatMicros(at))) as never,
            })
          : correction('time', { ...each.span, shift_us: each.shift_us }),
      );
      const found = storedSpans(clocks, selected, 'corrected');
      for (let stored = -2_600; stored <= 2_600; stored += 1) {
        const isFound = found.some(({ from, to }) => from <= stored && stored <= to);
        const at = seen(clocks, stored);
        expect(isFound, `${stored} at ${at}`).toBe(selected.from <= at && at <= selected.to);
      }
    }),
    { numRuns: 60, examples: [[[HALF_WAY], { from: -482, to: 0 }]] },
  );
});
