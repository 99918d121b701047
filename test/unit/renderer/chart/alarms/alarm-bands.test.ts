import { expect, test } from 'vitest';
import { alarmBands, type AlarmSpan } from '../../../../../renderer/chart/alarms/alarm-bands.ts';

/* Alarms over a chart. */

const span = (from: number, to: number | null, kind: AlarmSpan['kind'] = 'ended'): AlarmSpan => ({
  id: `${kind} ${from}`,
  from,
  to,
  kind,
  words: '',
});
const window = { from: 1_000, to: 2_000 };
const shown = (...spans: AlarmSpan[]) =>
  alarmBands(spans, window).map(({ left, right, kind, spans: all }) => [left, right, kind, all.length]);

test('lie from start to end within the window, an open one to its end', () => {
  expect(shown(span(0, 1_100), span(1_500, 1_600), span(1_900, null, 'open'))).toEqual([
    [0, 0.1, 'ended', 1],
    [0.5, 0.6, 'ended', 1],
    [0.9, 1, 'open', 1],
  ]);
});

test('those outside are not there', () => {
  expect(shown(span(0, 999), span(2_001, null, 'open'))).toEqual([]);
});

test('those that touch are one, which looks as what matters most in it', () => {
  expect(shown(span(1_502, 1_700, 'open'), span(1_100, 1_500), span(1_300, 1_400, 'withdrawn'))).toEqual([
    [0.1, 0.7, 'open', 3],
  ]);
});

test('what is tried stands apart from alarms', () => {
  expect(shown(span(1_100, 1_500, 'tried'), span(1_100, 1_500))).toEqual([
    [0.1, 0.5, 'ended', 1],
    [0.1, 0.5, 'tried', 1],
  ]);
});

test('of ten thousand no more bands are left than can be told apart', () => {
  const many = Array.from({ length: 10_000 }, (_, at) => span(1_000 + at / 10, 1_000 + at / 10));
  const bands = alarmBands(many, window);
  expect(bands.length).toBeLessThanOrEqual(170);
  expect(bands.flatMap((band) => band.spans)).toHaveLength(10_000);
});
