import { expect, test } from 'vitest';
import { timeLabels } from '../../../../../renderer/chart/scale/time-labels.ts';
import { valueLabels } from '../../../../../renderer/chart/scale/value-labels.ts';

test('value labels tell neighbouring ticks apart', () => {
  expect(valueLabels([35, 37.5, 40])).toEqual(['35.0', '37.5', '40.0']);
  expect(valueLabels([0, 200, 400])).toEqual(['0', '200', '400']);
  expect(valueLabels([0.1, 0.15000000000000002, 0.2])).toEqual(['0.10', '0.15', '0.20']);
  expect(valueLabels([-50, 0, 50])).toEqual(['−50', '0', '50']);
  expect(valueLabels([1_000_000, 1_500_000])).toEqual(['1,000,000', '1,500,000']);
});

test('large and small ones go in steps of three, with a unit by its prefix', () => {
  expect(valueLabels([0, 2e12])).toEqual(['0', '2×10¹²']);
  expect(valueLabels([0, 1.5e12, 3e12], 'Pa')).toEqual(['0.0'.slice(0, 1), '1.5 T', '3.0 T']);
  expect(valueLabels([0, 2e-10, 4e-10])).toEqual(['0', '200×10⁻¹²', '400×10⁻¹²']);
  expect(valueLabels([0, 2e-9], 'A')).toEqual(['0', '2 n']);
  expect(valueLabels([0, 5e307, 1e308])).toEqual(['0', '50×10³⁰⁶', '100×10³⁰⁶']);
});

test('value labels tell neighbouring ticks apart far from zero, too', () => {
  const counter = [12345670, 12345680, 12345690];
  expect(valueLabels(counter)).toEqual(['12,345,670', '12,345,680', '12,345,690']);
  expect(valueLabels([1.8e12, 1.8e12 + 20])).toEqual(['1,800,000,000,000', '1,800,000,000,020']);
  expect(valueLabels([5, 5.0000001, 5.0000002])).toEqual(['5.0000000', '5.0000001', '5.0000002']);
  expect(new Set(valueLabels([1e15, 1.0002e15]))).toHaveLength(2);
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
  expect(timeLabels([Date.UTC(2026, 2, 2, 12)], hour, 'utc')).toEqual(['12:00\n2026-03-02']);
});
