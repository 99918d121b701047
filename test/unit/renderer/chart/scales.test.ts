import { expect, test } from 'vitest';
import { groupScales, timeLabels, valueLabels } from '../../../../renderer/chart/scales.ts';

const extent = (min: number, max: number) => ({ min, max, count: 10 });

test('keys of a like size share an axis; one that would be pressed flat gets its own', () => {
  const temperatures = [extent(18, 24), extent(15, 30)];
  expect(groupScales([...temperatures, extent(400, 2000), extent(0.002, 0.006)])).toEqual([0, 0, 1, 2]);
});

test('keys far apart get axes of their own although each spans as much', () => {
  expect(groupScales([extent(0, 1), extent(1000, 1001)])).toEqual([0, 1]);
});

test('a constant key and one without numbers have an axis, too', () => {
  expect(groupScales([extent(5, 5), extent(Infinity, -Infinity)])).toEqual([0, 1]);
});

test('there are four axes at most', () => {
  const sizes = [1, 1e2, 1e4, 1e6, 1e8, 1e10];
  expect(groupScales(sizes.map((size) => extent(0, size)))).toEqual([0, 1, 2, 3, 3, 3]);
});

test('value labels tell neighbouring ticks apart', () => {
  expect(valueLabels([35, 37.5, 40])).toEqual(['35.0', '37.5', '40.0']);
  expect(valueLabels([0, 200, 400])).toEqual(['0', '200', '400']);
  expect(valueLabels([0.1, 0.15000000000000002, 0.2])).toEqual(['0.10', '0.15', '0.20']);
  expect(valueLabels([0, 2e7])).toEqual(['0', '2.00e+7']);
});

test('value labels tell neighbouring ticks apart far from zero, too', () => {
  const counter = [12345670, 12345680, 12345690];
  expect(valueLabels(counter)).toEqual(['12345670', '12345680', '12345690']);
  expect(valueLabels([1.8e12, 1.8e12 + 20])).toEqual(['1800000000000', '1800000000020']);
  expect(valueLabels([5, 5.0000001, 5.0000002])).toEqual(['5.0000000', '5.0000001', '5.0000002']);
  expect(valueLabels([0, 2e-10, 4e-10])).toEqual(['0', '2.00e-10', '4.00e-10']);
  expect(valueLabels([1e15, 1.0002e15])).toEqual(['1.0000e+15', '1.0002e+15']);
  expect(valueLabels([42])).toEqual(['42']);
});

test('time labels name the day once, and are as fine as the step', () => {
  const noon = new Date(2026, 2, 2, 12).getTime();
  const hour = 3_600_000;
  expect(timeLabels([noon, noon + hour, noon + 12 * hour], hour)).toEqual([
    '12:00\n2026-03-02',
    '13:00',
    '00:00\n2026-03-03',
  ]);
  expect(timeLabels([noon], 24 * hour)).toEqual(['2026-03-02']);
  expect(timeLabels([noon + 1500], 500)).toEqual(['12:00:01.5\n2026-03-02']);
});
