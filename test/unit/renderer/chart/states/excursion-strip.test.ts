import { expect, test } from 'vitest';
import type { Excursions } from '#shared/operations/records/excursions.ts';
import {
  excursionStrip,
  excursionWords,
  shareOf,
} from '../../../../../renderer/chart/states/excursion-strip.ts';

const MINUTE = 60e6;
const at = (minute: number) => `2026-03-02T08:${String(minute).padStart(2, '0')}:00.000000Z`;
const run = (from: number, to: number, value: string | null) => ({
  from: at(from),
  to: at(to),
  value,
  changes: value === null ? 5 : 0,
  from_known: true,
  to_known: true,
});

const told = (more: Partial<Excursions>): Excursions => ({
  key: 'k',
  start: at(0),
  end: at(59),
  low: 0,
  high: 1,
  longest_gap_us: 5 * MINUTE,
  inside_us: 59 * MINUTE,
  outside_us: 0,
  not_measured_us: 0,
  excursion_count: 0,
  excursions: [],
  not_measured_count: 0,
  not_measured: [],
  runs: [],
  ...more,
});

test('a strip has the words of people, and looks by what they mean', () => {
  const runs = [run(0, 10, 'inside'), run(10, 20, 'above'), run(20, 21, null), run(21, 59, 'not_measured')];
  const strip = excursionStrip(told({ runs }));
  expect(strip?.segments.map(({ word }) => word)).toEqual(['in range', 'above', null, 'not measured']);
  const paintOf = (word: string) => strip?.paints?.[strip.words.indexOf(word)];
  expect(['in range', 'above', 'not measured'].map(paintOf)).toEqual(['plain', 'warning', 'hatched']);
  expect(excursionStrip(told({ runs: [] }))).toBeNull();
  expect(excursionStrip(told({ runs: null }))).toBeNull();
});

test.each([
  [{}, 'in range'],
  [{ excursion_count: 1, outside_us: 30 * MINUTE }, '1 excursion, 30 min outside'],
  [{ excursion_count: 2, outside_us: 0 }, '2 excursions, one reading each'],
  [
    { excursion_count: 2, outside_us: MINUTE, not_measured_us: 90 * MINUTE },
    '2 excursions, 1 min outside · 1 h 30 min not measured',
  ],
  [{ inside_us: 0, not_measured_us: 59 * MINUTE }, '59 min not measured'],
] as const)('%j: %s', (more, words) => expect(excursionWords(told(more))).toBe(words));

test('the end of a picture counts as not measured once it is a gap', () => {
  const open = (minutes: number) =>
    told({
      not_measured_us: minutes * MINUTE,
      runs: [run(0, 59 - minutes, 'inside'), run(59 - minutes, 59, 'not_measured')],
    });
  expect(excursionWords(open(5))).toBe('in range');
  expect(excursionWords(open(6))).toBe('in range · 6 min not measured');
});

test('a part of a span is never all of it, nor nothing, but where it is', () => {
  const part = (us: number) => shareOf(us, told({ inside_us: 1e9 - us, outside_us: us }));
  expect([1, 500_000_000, 999_999_999, 1e9].map(part)).toEqual(['0.1 %', '50.0 %', '99.9 %', '100 %']);
});
