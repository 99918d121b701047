import * as fc from 'fast-check';
import type { Lens, StoredRecord, Value } from '#core/store/store.ts';
import { lensesOf } from '../../suites/record-store/lenses.ts';
import { Random } from '../files/random.ts';

/* Random recordings of two devices, lenses through which one is read, and what is asked of it. */

/** The records of a device: segments in order of arrival, each in order of time, and what arrived behind them. */
export interface Arrived {
  readonly segments: readonly (readonly StoredRecord[])[];
  readonly tail: readonly StoredRecord[];
}

export interface Recording {
  readonly devices: Readonly<Record<'d' | 'e', Arrived>>;
  readonly blockRows: number;
  /** µs between two records that follow one another. */
  readonly step: number;
  /** Where the records begin, and about where they end. */
  readonly from: number;
  readonly to: number;
}

export interface Case {
  readonly lens: Lens;
  readonly range: { readonly start: number; readonly end: number };
  readonly width: number;
  readonly offset: number;
  readonly limit: number;
  /** Bytes of blocks that a database's reader keeps. */
  readonly kept: number;
}

export const CASES_OF_ONE = 10;
export const KEYS = ['a', 'b', 'bytes', 'mixed', 'rare', 'text', 'x', 'y'];
const STORED_KEYS = ['a', 'b', 'bytes', 'mixed', 'rare', 'text'] as const;

export function recordingOf(seed: number): Recording {
  const random = new Random(seed);
  const step = random.of([1, 10, 1000, 1_000_000]);
  const from = random.of([0, -100_003, 1_772_483_421_202_946]);
  const most = random.of([0, 1, 8, 30, 90]);
  const devices = { d: arrivedOf(random, from, step, most), e: arrivedOf(random, from, step, most) };
  return { devices, blockRows: random.of([1, 3, 10, 40]), step, from, to: from + most * step };
}

export function casesOf(seed: number, { step, from, to }: Recording): Case[] {
  const random = new Random(seed ^ 0x5bd1e995);
  const instant = fc.integer({ min: from - 5 * step, max: to + 5 * step });
  const lenses = fc.sample(
    lensesOf({
      instant,
      key: fc.constantFrom(...STORED_KEYS),
      former: fc.constantFrom('e', 'e', 'd'),
      step,
      origin: from + random.int(0, to - from),
    }),
    { seed: seed | 0, numRuns: CASES_OF_ONE },
  );
  return lenses.map((lens) => {
    const ends = [0, 0].map(() => random.int(from - 20 * step, to + 20 * step));
    const isWhole = random.chance(1 / 4);
    return {
      lens,
      range: isWhole
        ? { start: from - 1000 * step, end: to + 1000 * step }
        : { start: Math.min(...ends), end: Math.max(...ends) },
      width: random.int(1, 12),
      offset: random.of([0, 0, 3, 40]),
      limit: random.of([1, 10, 1000]),
      kept: random.of([0, 1 << 24]),
    };
  });
}

/** In order, late, doubled and of equal times, of keys in all of them and in few, of one kind and of several. */
function arrivedOf(random: Random, from: number, step: number, most: number): Arrived {
  const sources = random.int(1, 3);
  const parts = Array.from({ length: sources + 1 }, (): StoredRecord[] => []);
  const isMixed = random.chance(1 / 3);
  const length = random.int(0, most);
  let time = from;
  let level = random.of([0, 0, 1, 20]);
  for (let i = 0; i < length; i++) {
    time += random.of([step, step, step, 0, 1, 7 * step]);
    level += random.of([0, 0, 0.01, -0.01, 1, -1]);
    const at = isMixed || random.chance(1 / 12) ? random.int(0, sources) : Math.floor((i * sources) / length);
    const one = recordAt(random, time, level, i);
    parts[at]!.push(one);
    if (random.chance(1 / 30)) parts[random.int(0, sources)]!.push({ ...one });
  }
  const tail = parts.pop()!;
  return { segments: parts.filter((part) => part.length > 0), tail };
}

function recordAt(random: Random, timestamp: number, level: number, i: number): StoredRecord {
  const fields: Record<string, Value> = {
    ...(random.chance(0.95) && { a: random.of([level, level, level, -level, 1e308]) }),
    ...(i % 3 === 0 && { b: random.chance(0.5) }),
    ...(random.chance(0.5) && { mixed: random.of([0, 1, true, false, level, 'none']) }),
    ...(random.chance(0.05) && { rare: i }),
    ...(random.chance(0.1) && { text: `t${i % 4}` }),
    ...(random.chance(0.5) && { bytes: (random.int(1, 9) * 12_345_679 + i).toString(16).padStart(24, '0') }),
  };
  const received = timestamp + random.of([0, 1_000_000, 3_600_000_000]);
  return { timestamp, received, keys: Object.keys(fields), values: Object.values(fields) };
}
