import type { StoredRecord } from '../../electron/core/store/store.ts';

/*
 * Records as devices send them, always the same ones: a row that is run again, or by itself, stores what it stored before.
 */

/** Makes the next records of one device, oldest first. */
export type Source = (count: number) => StoredRecord[];

/** Where every source begins: 2026-01-01T00:00:00Z, in µs. */
export const FIRST_TIME = Date.UTC(2026, 0, 1) * 1000;
const SECOND = 1_000_000;

export const SENSOR_KEYS = ['humidity', 'pressure', 'temperature', 'voltage'] as const;

/** What a sensor can tell apart, as the decimals it writes; and where it starts. */
const SENSORS = [
  { key: 'humidity', start: 45, decimals: 1 },
  { key: 'pressure', start: 1013.2, decimals: 1 },
  { key: 'temperature', start: 21.5, decimals: 2 },
  { key: 'voltage', start: 3.71, decimals: 2 },
] as const;

/**
 * Four quantised sensors that drift by at most one step a record: a record a second, received within 2 ms of when it
 * was due, to the µs.
 */
export function sensorSource(seed = 1): Source {
  const random = uniform(seed);
  const steps = SENSORS.map(({ start, decimals }) => Math.round(start * 10 ** decimals));
  let n = 0;
  return (count) =>
    Array.from({ length: count }, () => {
      const values = SENSORS.map(({ decimals }, i) => {
        const next = (steps[i] ?? 0) + Math.floor(random() * 3) - 1;
        steps[i] = next;
        return next / 10 ** decimals;
      });
      return record(n++, random, [...SENSOR_KEYS], values);
    });
}

/** The same four keys, each value a random double: nothing to compress but the times. */
export function randomSource(seed = 2): Source {
  const random = uniform(seed);
  let n = 0;
  return (count) =>
    Array.from({ length: count }, () =>
      record(
        n++,
        random,
        [...SENSOR_KEYS],
        SENSOR_KEYS.map(() => random() * 2000 - 1000),
      ),
    );
}

/** Of 32 keys, each record carries about four: numbers, text of few kinds, and switches. */
export function sparseSource(seed = 3): Source {
  const random = uniform(seed);
  let n = 0;
  return (count) =>
    Array.from({ length: count }, () => {
      const numbers = Array.from({ length: 32 }, (_, i) => i).filter(() => random() < 1 / 8);
      const keys = numbers.map((i) => `channel_${String(i).padStart(2, '0')}`);
      const values = numbers.map((i) => {
        if (i % 8 === 7) return random() < 0.5;
        if (i % 8 === 6) return ['idle', 'running', 'fault'][Math.floor(random() * 3)] ?? 'idle';
        return Math.round(random() * 10_000) / 10;
      });
      if (keys.length > 0) return record(n++, random, keys, values);
      return record(n++, random, ['channel_00'], [0]);
    });
}

function record(
  n: number,
  random: () => number,
  keys: readonly string[],
  values: StoredRecord['values'],
): StoredRecord {
  const timestamp = FIRST_TIME + n * SECOND + Math.floor(random() * 4000);
  return { timestamp, received: timestamp, keys, values };
}

/** Doubles from 0 to 1 with all 53 bits, by xorshift128 (Marsaglia, "Xorshift RNGs", 2003). */
export function uniform(seed: number): () => number {
  let [x, y, z, w] = [123_456_789 ^ seed, 362_436_069, 521_288_629, 88_675_123];
  const next = () => {
    const t = x ^ (x << 11);
    [x, y, z] = [y, z, w];
    w = w ^ (w >>> 19) ^ t ^ (t >>> 8);
    return w >>> 0;
  };
  return () => ((next() >>> 5) * 2 ** 26 + (next() >>> 6)) / 2 ** 53;
}
