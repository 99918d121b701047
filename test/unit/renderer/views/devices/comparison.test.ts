import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NO_SETTINGS } from '#shared/operations/metadata/key-defaults.ts';
import {
  compareLevels,
  deviationOf,
  LEAST_DEVICES,
  UNLIKE_FROM,
  type Comparison,
} from '../../../../../renderer/views/devices/trends/comparison.ts';
import {
  deviationDecimals,
  deviationSentence,
  deviationText,
} from '../../../../../renderer/views/devices/trends/deviation-words.ts';
import { commonScale, type Scale } from '../../../../../renderer/views/devices/trends/scale.ts';
import { compareAll } from '../../../../../renderer/views/devices/trends/compared.ts';
import { naiveMedian } from './naive-median.ts';

/* Which device of many is not like the others. */

function compared(levels: readonly number[]): Comparison {
  const found = compareLevels(levels);
  if (!found) throw new Error('too few were compared');
  return found;
}

const timesOf = (level: number, levels: readonly number[]) => deviationOf(level, compared(levels)).times;

describe('levels', () => {
  test('are measured by the median of their distances from the median', () => {
    expect(compared([1, 2, 3, 4, 100])).toEqual({ devices: 5, median: 3, spread: 1 });
    expect(deviationOf(100, compared([1, 2, 3, 4, 100]))).toEqual({
      difference: 97,
      times: 97,
      isUnlike: true,
    });
    expect(deviationOf(3 - UNLIKE_FROM, compared([1, 2, 3, 4, 100])).isUnlike).toBe(false);
    expect(deviationOf(2.9 - UNLIKE_FROM, compared([1, 2, 3, 4, 100])).isUnlike).toBe(true);
  });

  test('of fewer than four devices are not compared', () => {
    expect(LEAST_DEVICES).toBe(4);
    expect(compareLevels([1, 2, 900])).toBe(null);
    expect(compareLevels([])).toBe(null);
    expect(compareLevels([1, 2, 3, 900])).not.toBe(null);
  });

  test('of which most are the same are measured by their mean distance', () => {
    // The MAD is 0; of 59 that are 21 and one that is 27 the mean distance is 0.1.
    const levels = [...Array.from({ length: 59 }, () => 21), 27];
    const { spread } = compared(levels);
    expect(spread).toBeCloseTo(0.1 * (0.6745 / 0.7979), 12);
    expect(deviationOf(27, compared(levels)).isUnlike).toBe(true);
    // Where two kinds are about as many, neither is unlike.
    expect(timesOf(27, [21, 21, 21, 21, 27, 27, 27])).toBeLessThan(UNLIKE_FROM);
  });

  test('that are all the same, but for the rounding of a sum, are not unlike', () => {
    const levels = [0.3, 0.1 + 0.2, 0.3, 0.3, 0.3, 0.1 + 0.2];
    for (const level of levels)
      expect(deviationOf(level, compared(levels))).toEqual({ difference: 0, times: 0, isUnlike: false });
  });

  test('are compared as the median of all of them would be counted out', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -999, max: 999 }), { minLength: 4, maxLength: 70 }),
        (levels) => {
          const { median, spread } = compared(levels);
          expect(median).toBe(naiveMedian(levels));
          const mad = naiveMedian(levels.map((level) => Math.abs(level - median)));
          if (mad > 0) expect(spread).toBe(mad);
          for (const level of levels) {
            const { difference, isUnlike } = deviationOf(level, { devices: levels.length, median, spread });
            expect(difference).toBe(level - median);
            expect(isUnlike).toBe(Math.abs(level - median) > UNLIKE_FROM * spread);
          }
        },
      ),
    );
  });

  test('have the one on top that drifts, whatever the others are, and wherever they lie', () => {
    const noise = fc.array(fc.integer({ min: -100, max: 100 }), { minLength: 59, maxLength: 59 });
    fc.assert(
      fc.property(
        noise,
        fc.integer({ min: -1e6, max: 1e6 }),
        fc.constantFrom(-1, 1),
        fc.integer({ min: 0, max: 59 }),
        (others, level, sign, at) => {
          // As the MAD of such noise is at most 100, 1001 is more than eight of them from their farthest.
          const levels = others.map((one) => level + one).toSpliced(at, 0, level + sign * 1001);
          const all = new Map(
            levels.map(
              (one, n) => [`d${n}`, { level: one, least: one - 1, most: one + 1, hours: null }] as const,
            ),
          );
          const { deviations } = compareAll(all);
          const sizes = [...deviations].toSorted(([, a], [, b]) => b.times - a.times);
          expect(sizes[0]?.[0]).toBe(`d${at}`);
          expect(sizes[0]?.[1].isUnlike).toBe(true);
        },
      ),
    );
  });
});

describe('a deviation', () => {
  const levels = [21.1, 21.2, 21.3, 21.4, 28.8];
  const by = compared(levels);
  const celsius = { ...NO_SETTINGS, unit: '°C' };

  test('is written with its sign, its unit and as many digits as tell the usual distance', () => {
    expect(deviationDecimals(by, 1)).toBe(2);
    const text = (level: number, settings = celsius) =>
      deviationText(deviationOf(level, by), deviationDecimals(by, 1), settings);
    expect(text(28.8)).toBe('+7.50\u00A0°C');
    expect(text(21.1)).toBe('−0.20\u00A0°C');
    expect(text(21.3)).toBe('0.00\u00A0°C');
    expect(text(28.8, NO_SETTINGS)).toBe('+7.50');
    expect(deviationDecimals({ devices: 4, median: 1e6, spread: 2500 }, 2)).toBe(0);
    expect(deviationDecimals({ devices: 4, median: 21.5, spread: 0 }, 1)).toBe(1);
    // A mean tells little more than the numbers that it is of.
    expect(deviationDecimals({ devices: 4, median: 21.5, spread: 0.00012 }, 1)).toBe(2);
  });

  test('is said in a sentence, with what it is measured by', () => {
    expect(deviationSentence(deviationOf(28.8, by), by, 2, celsius)).toBe(
      '7.50\u00A0°C above the median of 5 devices, 21.30\u00A0°C; 75 × MAD of 0.1\u00A0°C. Marked from 8 × MAD on',
    );
    const same = compared([4, 4, 4, 4]);
    expect(deviationSentence(deviationOf(4, same), same, 0, NO_SETTINGS)).toBe(
      'At the median of 4 devices, 4. Marked from 8 × MAD on',
    );
  });
});

describe('the scale of all curves', () => {
  const span = (least: number, most: number, isUnlike = false) => ({ least, most, isUnlike });

  test('holds all, also one that is unlike the others', () => {
    expect(commonScale([])).toBe(null);
    expect(commonScale([span(20, 22), span(19, 21)])).toEqual({ least: 19, most: 22 });
    expect(commonScale([span(20, 22), span(19, 21), span(21, 29, true)])).toEqual({ least: 19, most: 29 });
    expect(commonScale([span(20, 20), span(20, 20), span(50, 50, true)])).toEqual({ least: 20, most: 50 });
  });

  test('does not press the others flat for one that is far off', () => {
    expect(commonScale([span(20, 22), span(20, 24), span(1e6, 2e6, true)])).toEqual({
      least: 20,
      most: 30,
      isCut: true,
    });
    expect(commonScale([span(20, 24), span(-1e6, 1e6, true)])).toEqual({
      least: 14,
      most: 30,
      isCut: true,
    });
  });

  test('leaves the usual ones a quarter of its height, and holds what it can', () => {
    const some = fc.record({
      least: fc.integer({ min: -1000, max: 1000 }),
      span: fc.integer({ min: 1, max: 50 }),
      isUnlike: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(some, { minLength: 1, maxLength: 30 }), (all) => {
        const spans = all.map(({ least, span: wide, isUnlike }) => span(least, least + wide, isUnlike));
        const scale = commonScale(spans);
        const usual = spans.filter(({ isUnlike }) => !isUnlike);
        if (!scale) throw new Error('no scale');
        const isBeyond = ({ least, most }: Scale) => least < scale.least || most > scale.most;
        expect(scale.isCut === true).toBe(spans.some(isBeyond));
        for (const { least, most } of usual) {
          expect(least).toBeGreaterThanOrEqual(scale.least);
          expect(most).toBeLessThanOrEqual(scale.most);
        }
        if (usual.length === 0) return;
        const [from, to] = [
          Math.min(...usual.map(({ least }) => least)),
          Math.max(...usual.map(({ most }) => most)),
        ];
        expect((to - from) / (scale.most - scale.least)).toBeGreaterThanOrEqual(0.25 - 1e-9);
      }),
    );
  });
});
