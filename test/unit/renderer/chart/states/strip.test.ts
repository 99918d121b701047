import { describe, expect, test } from 'vitest';
import type { KeyStates } from '#shared/operations/records/states.ts';
import { parseInstant } from '#shared/values/time.ts';
import { segmentAt, segmentWords, stripOf } from '../../../../../renderer/chart/states/strip.ts';

const at = (clock: string) => `2026-03-02T${clock}.000000Z`;
const micros = (clock: string) => parseInstant(at(clock)) ?? 0;

const run = (from: string, to: string, value: string | boolean | null, more: object = {}) => ({
  from: at(from),
  to: at(to),
  value,
  changes: value === null ? 5 : 0,
  from_known: true,
  to_known: true,
  ...more,
});

const states = (runs: KeyStates['runs'], words = 2): KeyStates => ({
  key: 'door',
  words,
  last_time: at('15:10:00'),
  runs,
});

describe('a segment says what held, from when to when, and for how long', () => {
  const words = (...given: Parameters<typeof run>) => {
    const strip = stripOf(states([run(...given)]), Infinity);
    const [segment] = strip?.segments ?? [];
    return segment && segmentWords(segment, 'utc');
  };

  test.each([
    [['14:02:00', '15:10:00', 'open'], 'open, 14:02–15:10, 1 h 8 min'],
    [['14:02:00', '14:02:30', true], 'true, 14:02:00–14:02:30, 30 s'],
    [['14:02:00', '15:10:00', 'open', { from_known: false }], 'open, until 15:10, at least 1 h 8 min'],
    [['14:02:00', '15:10:00', 'open', { to_known: false }], 'open, since 14:02, at least 1 h 8 min'],
    [['14:02:00', '15:10:00', 'open', { from_known: false, to_known: false }], 'open, all of this span'],
    [['14:02:00', '14:03:00', null], '5 changes, 14:02:00–14:03:00'],
    [['14:02:00', '15:10:00', ''], '(empty), 14:02–15:10, 1 h 8 min'],
  ] as const)('%j: %s', (given, expected) => {
    const [from, to, value, more] = given;
    expect(words(from, to, value, more)).toBe(expected);
  });

  test('with the day where it is another one', () => {
    const [segment] =
      stripOf(
        states([{ ...run('14:02:00', '15:10:00', 'open'), to: '2026-03-04T15:10:00.000000Z' }]),
        Infinity,
      )?.segments ?? [];
    expect(segment && segmentWords(segment, 'utc')).toBe('open, 2026-03-02 14:02–2026-03-04 15:10, 2 days');
  });
});

test('what still holds is known to have lasted until it was stored last, and no longer', () => {
  const held = (from: string, until: string) => {
    const strip = stripOf(states([run(from, '20:00:00', 'open', { to_known: false })]), micros(until));
    const [segment] = strip?.segments ?? [];
    return segment && segmentWords(segment, 'utc');
  };
  expect(held('14:00:00', '16:00:00')).toBe('open, since 14:00, at least 1 h 10 min');
  expect(held('14:00:00', '15:00:00')).toBe('open, since 14:00, at least 1 h 0 min');
  // Stored once.
  expect(held('15:10:00', '18:00:00')).toBe('open, since 15:10');
  const [behind] =
    stripOf(states([run('16:00:00', '17:00:00', 'open', { from_known: false, to_known: false })]), Infinity)
      ?.segments ?? [];
  expect(behind && segmentWords(behind, 'utc')).toBe('open, stored before this span');
});

test('what still holds ends now, not at the end of the window', () => {
  const strip = stripOf(
    states([run('14:00:00', '20:00:00', 'open', { to_known: false })]),
    micros('16:00:00'),
  );
  expect(strip?.segments.map(({ to }) => to)).toEqual([micros('16:00:00')]);
});

test('a text of many words is no state', () => {
  const runs = [run('14:00:00', '15:00:00', 'x')];
  expect([0, 1, 11, 12, 256].map((words) => stripOf(states(runs, words), Infinity) !== null)).toEqual([
    false,
    true,
    true,
    false,
    false,
  ]);
});

test('words keep their colours whatever comes first', () => {
  const place = (values: readonly string[]) => {
    const runs = values.map((value, i) => run(`1${i}:00:00`, `1${i + 1}:00:00`, value));
    const strip = stripOf(states(runs), Infinity);
    return Object.fromEntries(strip?.segments.map((segment) => [segment.word, segment.place]) ?? []);
  };
  expect(place(['shut', 'open'])).toEqual(place(['open', 'shut']));
});

test('the segment at an instant is the one that began last', () => {
  const strip = stripOf(
    states([run('14:00:00', '15:00:00', 'a'), run('15:00:00', '16:00:00', 'b')]),
    Infinity,
  )!;
  expect(
    ['13:00:00', '14:00:00', '14:59:59', '15:00:00', '17:00:00'].map((clock) =>
      segmentAt(strip, micros(clock)),
    ),
  ).toEqual([0, 0, 0, 1, 1]);
});
