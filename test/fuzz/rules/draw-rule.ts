import type { When } from '#shared/domain/rules.ts';
import type { Random } from '../files/random.ts';

/* Random rules: every condition, nested, with hysteresis and with waits that meet the times of records. */

export const KEYS = ['k', 'l', 'm'] as const;
const STATES = ['on', 'off', true, false, 1, 0, 2] as const;

export interface DrawnRule {
  readonly when: When;
  readonly for_s: number;
}
export type DrawnRanges = Readonly<
  Record<string, { readonly low: number | null; readonly high: number | null }>
>;

/** `step`: µs between two records, about. */
export function drawRule(random: Random, step: number): DrawnRule {
  return {
    when: drawWhen(random, step, random.of([1, 1, 2, 2, 3, 4])),
    for_s: random.of([0, 0, 0, step / 2, step, 2 * step, 5 * step]) / 1e6,
  };
}

export function drawRanges(random: Random): DrawnRanges {
  const range = () => ({ low: random.of([null, -1, 0]), high: random.of([null, 1, 2]) });
  return { k: range(), ...(random.chance(0.5) && { l: range() }) };
}

function drawWhen(random: Random, step: number, depth: number): When {
  if (depth === 1 || random.chance(1 / 5)) return drawLeaf(random, step);
  const parts = Array.from({ length: random.int(1, 3) }, () => drawWhen(random, step, depth - 1));
  return random.chance(0.5) ? { all: parts } : { any: parts };
}

function drawLeaf(random: Random, step: number): When {
  const key = random.of(KEYS);
  const limit = random.of([-2, -1, 0, 0.5, 1, 2]);
  const hysteresis = random.of([undefined, undefined, 0, 0.5, 1, 3, 10]);
  const wide = { key, ...(hysteresis !== undefined && { hysteresis }) };
  switch (random.int(0, 7)) {
    case 0:
      return { ...wide, above: limit };
    case 1:
      return { ...wide, below: limit };
    case 2:
      return { ...wide, outside: 'normal' };
    case 3:
      return {
        ...wide,
        outside: random.of([{ low: limit }, { high: limit }, { low: limit, high: limit + 2 }]),
      };
    case 4:
      return {
        key,
        change: random.of([0.5, 1, 2, 3]),
        within_s: (random.of([0.5, 1, 2, 5, 30]) * step) / 1e6,
      };
    case 5:
      return { key, is: random.of(STATES) };
    case 6:
      return { key, is: [random.of(STATES), random.of(STATES)] };
    default:
      return {
        silent_s: (random.of([0.5, 1, 1, 2, 3, 10]) * step) / 1e6,
        ...(random.chance(0.5) && { key }),
      };
  }
}
