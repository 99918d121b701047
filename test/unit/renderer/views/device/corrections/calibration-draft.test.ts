import { expect, test } from 'vitest';
import {
  draftOf,
  pointsOf,
} from '../../../../../../renderer/views/device/corrections/calibrate/calibration-draft.ts';
import { readCertificate } from '../../../../../../renderer/views/device/corrections/calibrate/certificate-table.ts';

const POINTS = [
  [0.1, 0],
  [20.3, 20],
  [100.5, 100],
];

test.each([
  ['tabs and decimal commas', '0,1\t0,0\n20,3\t20,0\n100,5\t100,0'],
  ['semicolons, in any order', '100,5; 100\n0,1;0\n20,3 ; 20'],
  ['blanks and points', '0.1 0\n20.3   20\n\n100.5 100\n'],
  [
    'heads, units and further columns',
    'Reading\tReference\tU\n0,1 °C\t0,0 °C\t0,1\n20,3 °C\t20 °C\t0,1\n100,5\t100\t0,2',
  ],
  ['what Windows ends a line with', '0,1\t0\r\n20,3\t20\r\n100,5\t100\r\n'],
])('a certificate is read with %s', (_, text) => {
  expect(readCertificate(text, 'reading')).toEqual({ points: POINTS });
});

test('true values may come first', () => {
  expect(readCertificate('0;0,1\n20;20,3', 'true')).toEqual({ points: POINTS.slice(0, 2) });
});

test('a line without two numbers is named', () => {
  expect(readCertificate('0,1\t0\nn/a\t20', 'reading')).toEqual({
    problem: 'Line 2, “n/a\t20”, has no two numbers.',
  });
  expect(readCertificate('  \n', 'reading')).toHaveProperty('problem');
  const many = Array.from({ length: 65 }, (__, nth) => `${nth} ${nth}`).join('\n');
  expect(readCertificate(many, 'reading')).toEqual({ problem: 'At most 64 points, got 65.' });
});

test('each way of telling a calibration comes to points', () => {
  const empty = draftOf(undefined);
  expect(pointsOf({ ...empty, read: '20,1', truth: '20.5' }, [])).toEqual({ points: [[20.1, 20.5]] });
  const two = { ...empty, way: 'two', reference: ['100', '0'] } as const;
  expect(pointsOf(two, [101, 2])).toEqual({
    points: [
      [2, 0],
      [101, 100],
    ],
  });
  expect(pointsOf({ ...empty, way: 'line', gain: '1.02', offset: '-0,3' }, [])).toEqual({
    points: { gain: 1.02, offset: -0.3 },
  });
});

test('what is missing is said where it is missing', () => {
  const empty = draftOf(undefined);
  expect(pointsOf(empty, [])).toEqual({
    problems: { read: 'A number is needed here.', truth: 'A number is needed here.' },
  });
  const two = { ...empty, way: 'two', reference: ['1', '2'] } as const;
  expect(pointsOf(two, [5, null])).toHaveProperty('problems.second-reference');
  expect(pointsOf(two, [5, 5])).toHaveProperty('problems.second-reference');
});

test('a calibration that is there says itself again', () => {
  for (const points of [[[20.1, 20.5]], POINTS] as [number, number][][])
    expect(pointsOf(draftOf(points), [])).toEqual({ points });
  expect(pointsOf(draftOf({ gain: 2, offset: 1 }), [])).toEqual({ points: { gain: 2, offset: 1 } });
});
