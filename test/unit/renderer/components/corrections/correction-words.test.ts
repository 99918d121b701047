import { expect, test } from 'vitest';
import {
  correctionWords,
  keyWords,
  lineWords,
  spanWords,
  type Called,
} from '../../../../../renderer/components/corrections/correction-words.ts';
import { lengthText } from '#shared/values/length-text.ts';
import { correction } from '../../chart/corrections/corrections-of.ts';

const HOUR = 3_600e6;
const called: Called = {
  nameOf: (key) => (key === 't' ? 'Supply' : key),
  unitOf: (key) => (key === 't' ? '°C' : ''),
  deviceOf: (id) => (id === 'f' ? 'PT-106' : null),
  zone: 'utc',
};
const words = (...made: Parameters<typeof correction>) => correctionWords(correction(...made), called);

test('a calibration says by how much', () => {
  expect(words('calibration', { key: 't', points: [[20.1, 20.5]] })).toBe('+0.4\u00A0°C');
  expect(words('calibration', { key: 't', points: [[20.5, 20.1]] })).toBe('−0.4\u00A0°C');
  expect(words('calibration', { key: 'x', points: [[1, 1]] })).toBe('0');
  expect(
    words('calibration', {
      key: 't',
      points: [
        [0, -0.2],
        [50, 50.1],
        [100, 100.4],
      ],
    }),
  ).toBe('−0.2\u00A0°C to +0.4\u00A0°C, 3 points');
  expect(words('calibration', { key: 't', points: { gain: 1.02, offset: -0.3 } })).toBe(
    '× 1.02 −0.3\u00A0°C',
  );
  // The unit of the certificate, where it names one.
  expect(words('calibration', { key: 't', unit: 'K', points: [[1, 2]] })).toBe('+1\u00A0K');
});

test('a clock says how it was, and what was done', () => {
  expect(words('time', { shift_us: -HOUR })).toBe('clock 1 h ahead: moved back');
  expect(words('time', { shift_us: 90e6 })).toBe('clock 1 min 30 s behind: moved forward');
  const at = (first: string, last: string): [[string, string], [string, string]] => [
    [first, '2026-01-01T00:00:00.000000Z'],
    [last, '2026-02-01T00:00:00.000000Z'],
  ];
  expect(words('time', { at: at('2026-01-01T00:00:03.000000Z', '2026-02-01T00:00:40.000000Z') })).toBe(
    'clock drifted: 3 s ahead, then 40 s ahead',
  );
  expect(words('time', { at: at('2026-01-01T01:00:00.000000Z', '2026-02-01T01:00:00.000000Z') })).toBe(
    'clock 1 h ahead: moved back',
  );
});

test('a mark says what and why, a replaced device whose place was taken', () => {
  expect(words('quality', { quality: 'fail', reason: 'door open', keys: null })).toBe('bad: door open');
  expect(words('quality', { quality: 'pass', reason: 'seen again', keys: ['t'] })).toBe(
    'good again: seen again',
  );
  expect(words('replaced', { former_id: 'f', until: '2026-01-05T00:00:00.000000Z' })).toBe(
    'takes the place of “PT-106”',
  );
});

test('a line has the key, the span and the reason, each once', () => {
  const bad = correction('quality', {
    quality: 'fail',
    reason: 'door open',
    keys: ['t', 'x'],
    from: 0,
    to: HOUR,
  });
  expect(lineWords(bad, called)).toBe(
    'Quality of Supply, x: bad: door open, 1970-01-01 00:00:00 – 01:00:00 (UTC)',
  );
  const low = correction('calibration', {
    key: 't',
    points: [[20, 20.4]],
    from: HOUR,
    reason: 'yearly calibration',
  });
  expect(lineWords(low, called)).toBe(
    'Calibration of Supply: +0.4\u00A0°C, from 1970-01-01 01:00:00 (UTC) on (yearly calibration)',
  );
  expect(spanWords(correction('calibration', { key: 't' }), 'utc')).toBe('all time');
  expect(keyWords(correction('time'), called)).toBe('all keys');
});

test('a length is said to its last µs', () => {
  const lengths = [0, 1, 1_500_000, HOUR, HOUR + 60e6, 25 * HOUR + 12_250_000];
  expect(lengths.map(lengthText)).toEqual([
    '0 s',
    '0.000001 s',
    '1.5 s',
    '1 h',
    '1 h 1 min',
    '1 d 1 h 12.25 s',
  ]);
});
