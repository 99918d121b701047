import { expect, test } from 'vitest';
import { correctionBands } from '../../../../../renderer/chart/corrections/correction-bands.ts';
import { correction } from './corrections-of.ts';

const HOUR = 3_600e6;
const window = { from: 0, to: 100 * HOUR };

test('a line lies over what a correction speaks of, in the lane of its kind', () => {
  const bad = correction('quality', { from: 10 * HOUR, to: 20 * HOUR, quality: 'fail', keys: null });
  const calibration = correction('calibration', { from: 50 * HOUR, key: 'a', points: [[1, 2]] });
  expect(correctionBands([bad, calibration], window, 'corrected')).toEqual([
    { lane: 0, left: 0.1, right: 0.2, corrections: [bad] },
    { lane: 1, left: 0.5, right: 1, corrections: [calibration] },
  ]);
  expect(correctionBands([bad], { from: 30 * HOUR, to: 40 * HOUR }, 'corrected')).toEqual([]);
});

test('a mark moves with the records whose clock was put right, and stays where it was in the raw view', () => {
  const bad = correction('quality', { from: 10 * HOUR, to: 20 * HOUR, quality: 'fail', keys: null });
  const clock = correction('time', { from: 0, to: 50 * HOUR, shift_us: 5 * HOUR });
  const leftOf = (view: 'raw' | 'corrected') =>
    correctionBands([bad, clock], window, view).map(({ lane, left }) => [lane, left]);
  expect(leftOf('corrected')).toEqual([
    [0, 0.15],
    [2, 0.05],
  ]);
  expect(leftOf('raw')).toEqual([
    [0, 0.1],
    [2, 0],
  ]);
});

test('what a former device stored shows where it ends, and only where it is shown', () => {
  const replaced = correction('replaced', { former_id: 'f', until: '1970-01-01T10:00:00.000000Z' });
  expect(correctionBands([replaced], window, 'corrected')).toEqual([
    { lane: 2, left: 0, right: 0.1, corrections: [replaced] },
  ]);
  expect(correctionBands([replaced], window, 'raw')).toEqual([]);
});

test('lines over one another and too near to be told apart are one, which names all of them', () => {
  const marks = Array.from({ length: 40 }, (_, nth) =>
    correction('quality', { from: nth * HOUR * 0.1, to: nth * HOUR * 0.1 + 1, quality: 'fail', keys: null }),
  );
  const bands = correctionBands(marks, window, 'corrected');
  expect(bands.length).toBeLessThan(5);
  expect(bands.flatMap(({ corrections }) => corrections)).toEqual(marks);
});
