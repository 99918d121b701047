import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NO_SETTINGS } from '#shared/operations/metadata/key-defaults.ts';
import { LEAST_DEVICES } from '../../../../../renderer/views/devices/trends/comparison.ts';
import { compareAll } from '../../../../../renderer/views/devices/trends/compared.ts';
import { deviationSentence } from '../../../../../renderer/views/devices/trends/deviation-words.ts';
import { naiveMedian } from './naive-median.ts';

/* Devices that were silent for some hours of the day that they are compared by (docs/decisions.md, "The odd device of many is found by median and MAD"). */

describe('devices that were silent for a part of the day', () => {
  const warmest = (hour: number) => 20 + 3 * Math.sin((hour / 24) * 2 * Math.PI);
  const levelOf = (hours: readonly (number | null)[]) => {
    const known = hours.filter((hour) => hour !== null);
    const level = known.reduce((sum, hour) => sum + hour, 0) / known.length;
    return { level, least: Math.min(...known), most: Math.max(...known), hours };
  };
  /** A device in a row of others that are nearly alike, silent in some of the hours. */
  const like = (n: number, silent: (hour: number) => boolean, more = 0) =>
    levelOf(Array.from({ length: 24 }, (_, hour) => (silent(hour) ? null : warmest(hour) + n / 1000 + more)));
  const others = Array.from({ length: 12 }, (_, n) => [`d${n}`, like(n, () => false)] as const);

  test('are compared by the hours that they have, and are like the others where they are so', () => {
    const found = compareAll(new Map([...others, ['silent', like(5, (hour) => hour >= 18)]]));
    expect(found.unlike).toBe(0);
    expect(found.deviations.get('silent')?.difference).toBeCloseTo(0, 3);
    for (const [from, to] of [
      [0, 6],
      [5, 16],
      [1, 24],
    ] as const) {
      const silent = like(5, (hour) => hour >= from && hour < to);
      expect(compareAll(new Map([...others, ['silent', silent]])).unlike).toBe(0);
    }
  });

  test('are marked where they are unlike the others in the hours that they have', () => {
    const found = compareAll(new Map([...others, ['silent', like(5, (hour) => hour >= 18, 1.5)]]));
    expect(found.unlike).toBe(1);
    expect(found.deviations.get('silent')).toMatchObject({ isUnlike: true });
    expect(found.deviations.get('silent')?.difference).toBeCloseTo(1.5, 2);
  });

  test('lie where they did before where all are silent in the same hours', () => {
    const night = (hour: number) => hour < 12;
    const all = Array.from({ length: 5 }, (_, n) => [`d${n}`, like(n, night)] as const);
    const found = compareAll(new Map(all));
    expect(found.by?.median).toBeCloseTo(like(2, night).level, 9);
    expect(found.unlike).toBe(0);
  });

  /** Devices that lie `spread` apart in the first half of the day and `narrow` apart in the second, and are nearly alike as a whole. */
  const crossing = (spread: number, narrow: number) =>
    Array.from({ length: 13 }, (_, n) => {
      const aside = n - 6;
      const day = levelOf(
        Array.from({ length: 24 }, (__, hour) =>
          hour < 8 ? 20 + aside * spread : hour < 16 ? 20 - aside * spread : 20 + aside * narrow,
        ),
      );
      return [`d${n}`, day] as const;
    });
  const onlyIn = (isIn: (hour: number) => boolean, value: number) =>
    levelOf(Array.from({ length: 24 }, (_, hour) => (isIn(hour) ? value : null)));

  test('are measured by how far the others lie apart in these hours, not over the day', () => {
    // Over the day the others lie 0.01 / 3 apart, in its hours 1.
    const silent = onlyIn((hour) => hour < 8, 21);
    const found = compareAll(new Map([...crossing(1, 0.01), ['silent', silent]]));
    expect(found.by?.spread).toBeLessThan(0.02);
    const deviation = found.deviations.get('silent');
    expect(deviation?.isUnlike).toBe(false);
    expect(deviation?.by).toEqual({ devices: 14, median: 20.5, spread: 3, hours: 8 });
    expect(deviation?.difference).toBeCloseTo(0.5, 9);
  });

  test('are marked where the others lie close together in these hours, however far apart over the day', () => {
    // Over the day the others lie 1 / 3 apart and more, in its hours 0.01.
    const day = (n: number) =>
      levelOf(Array.from({ length: 24 }, (_, hour) => 20 + (n - 6) * (hour < 16 ? 1 : 0.01)));
    const apart = Array.from({ length: 13 }, (_, n) => [`d${n}`, day(n)] as const);
    const silent = onlyIn((hour) => hour >= 16, 20.5);
    const found = compareAll(new Map([...apart, ['silent', silent]]));
    expect(found.deviations.get('silent')?.isUnlike).toBe(true);
    expect(found.unlike).toBe(1);
  });

  test('are found among a thousand others, each of which is silent in an hour of its own', () => {
    const all = Array.from(
      { length: 1000 },
      (_, n) => [`d${n}`, like(n % 13, (hour) => hour === n % 24)] as const,
    );
    const odd = like(5, (hour) => hour < 6, 1.5);
    const found = compareAll(new Map([...all, ['odd', odd]]));
    expect(found.deviations.size).toBe(1001);
    expect(found.deviations.get('odd')?.isUnlike).toBe(true);
    expect(found.unlike).toBe(1);
  });

  test('are not compared where too few have any of their hours', () => {
    const morning = Array.from({ length: 9 }, (_, n) => [`d${n}`, onlyIn((hour) => hour < 12, n)] as const);
    const found = compareAll(new Map([...morning, ['evening', onlyIn((hour) => hour >= 12, 5)]]));
    expect(found.deviations.has('evening')).toBe(false);
    expect(found.deviations.size).toBe(9);
  });

  test('say by which hours they are measured', () => {
    const silent = onlyIn((hour) => hour < 8, 21);
    const { deviations } = compareAll(new Map([...crossing(1, 0.01), ['silent', silent]]));
    const deviation = deviations.get('silent');
    if (!deviation) throw new Error('it was not compared');
    expect(deviationSentence(deviation, deviation.by, 1, NO_SETTINGS)).toBe(
      '0.5 above the median of 14 devices in the 8 hours that it has, 20.5; 0.2 × MAD of 3. Marked from 8 × MAD on',
    );
  });

  test('are measured as somebody would who counts the hours of each device out by hand', () => {
    const hour = fc.oneof(
      { weight: 9, arbitrary: fc.integer({ min: -40, max: 40 }) },
      { weight: 2, arbitrary: fc.constant(null) },
    );
    const device = fc
      .array(hour, { minLength: 24, maxLength: 24 })
      .filter((hours) => hours.some((one) => one !== null));
    const whole = fc.array(fc.integer({ min: -40, max: 40 }), { minLength: 24, maxLength: 24 });
    fc.assert(
      fc.property(
        fc.array(fc.oneof(device, device, whole), { minLength: 4, maxLength: 30 }),
        fc.nat(2 ** 24 - 1),
        (days, span) => {
          // Some share their silent hours.
          const masked = days.map((hours, n) =>
            n % 3 === 0 ? hours.map((one, at) => ((span >> at) & 1 ? one : null)) : hours,
          );
          const all = masked.filter((hours) => hours.some((one) => one !== null));
          const found = compareAll(new Map(all.map((hours, n) => [`d${n}`, levelOf(hours)] as const)));
          for (const [n, hours] of all.entries()) {
            if (!hours.includes(null)) continue;
            const naive = naiveOf(hours, all);
            const deviation = found.deviations.get(`d${n}`);
            if (naive === null || found.by === null) expect(deviation).toBeUndefined();
            else {
              expect(deviation?.by.devices).toBe(naive.devices);
              expect(deviation?.difference).toBeCloseTo(naive.difference, 6);
              if (naive.mad > 1e-6) expect(deviation?.by.spread).toBeCloseTo(naive.mad, 6);
            }
          }
        },
      ),
    );
  });
});

type Hours = readonly (number | null)[];

const mean = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;

/** Distance of a day from the median of all in the hours that it has, and their MAD in these. */
function naiveOf(hours: Hours, all: readonly Hours[]) {
  const levels: number[] = [];
  for (const other of all) {
    let [distance, shared, base, count] = [0, 0, 0, 0];
    for (let at = 0; at < 24; at++) {
      if (hours[at] === null) continue;
      const usual = naiveMedian(all.flatMap((one) => one[at] ?? []));
      base += usual;
      count++;
      const own = other[at] ?? null;
      if (own === null) continue;
      distance += own - usual;
      shared++;
    }
    if (shared > 0) levels.push(base / count + distance / shared);
  }
  if (levels.length < LEAST_DEVICES) return null;
  const median = naiveMedian(levels);
  const mad = naiveMedian(levels.map((level) => Math.abs(level - median)));
  const own = mean(hours.flatMap((one) => one ?? []));
  return { devices: levels.length, difference: own - median, mad };
}
