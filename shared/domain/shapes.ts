import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/*
 * Shapes: what the values of simulated keys are (docs/rigs.md, "Simulators"). Pure: the same shape, seed, key and interval have the
 * same values, in the service that stores them and in the app that shows them beforehand.
 */

export type SimulatedValue = number | string | boolean;

interface SineShape {
  readonly shape: 'sine';
  readonly mean: number;
  readonly amplitude: number;
  readonly period_s: number;
  /** How far a value lies off at most. */
  readonly noise?: number | undefined;
}

interface WalkShape {
  readonly shape: 'walk';
  readonly start: number;
  /** How far one value lies from the one before at most. */
  readonly step: number;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

interface RampShape {
  readonly shape: 'ramp';
  readonly from: number;
  readonly to: number;
  readonly period_s: number;
}

interface CounterShape {
  readonly shape: 'counter';
  readonly step: number;
  /** It is always less than that. */
  readonly wraps_at?: number | undefined;
}

export type Shape =
  | { readonly shape: 'constant'; readonly value: SimulatedValue }
  | SineShape
  | WalkShape
  | { readonly shape: 'states'; readonly states: readonly SimulatedValue[]; readonly stay_s: number }
  | RampShape
  | CounterShape;

export const SHAPES = [
  'constant',
  'sine',
  'walk',
  'states',
  'ramp',
  'counter',
] as const satisfies readonly Shape['shape'][];

/** What the values of a key follow from, beside its shape. */
interface ShapeOptions {
  readonly seed: number;
  readonly key: string;
  readonly every_ms: number;
}

/** Returns a function whose calls give the first value of the key, the second one, and so on. */
export function createShape(shape: Shape, options: ShapeOptions): () => SimulatedValue {
  const valueAt = valuesOf(shape, options);
  let n = 0;
  return () => valueAt(n++);
}

/** The first values of a key, so many. */
export function firstValues(shape: Shape, options: ShapeOptions, count: number): SimulatedValue[] {
  const next = createShape(shape, options);
  return Array.from({ length: count }, next);
}

/** Chance of a name, from 0 to less than 1, which follows from a seed: no draw from another name moves it on. */
export function seededBy(seed: number, name: string): () => number {
  const generator = xoroshiro128plus(hashOf(`${seed} ${name}`));
  return () => uniformFloat64(generator);
}

/** How far the values of a shape lie apart, so that what is ten times as far off is seen; null where they are no numbers. */
export function spanOf(shape: Shape): number | null {
  switch (shape.shape) {
    case 'sine':
      return Math.abs(shape.amplitude) + (shape.noise ?? 0) || 1;
    case 'walk': {
      const { step, min, max } = shape;
      return (min !== undefined && max !== undefined ? max - min : 100 * step) || 1;
    }
    case 'ramp':
      return Math.abs(shape.to - shape.from) || 1;
    case 'counter':
      return shape.step;
    case 'constant':
      return typeof shape.value === 'number' ? Math.abs(shape.value) || 1 : null;
    case 'states':
      return null;
  }
}

/** `n` is 0 first, and one more with each call. */
function valuesOf(shape: Shape, { seed, key, every_ms }: ShapeOptions): (n: number) => SimulatedValue {
  const chance = seededBy(seed, `key ${key}`);
  switch (shape.shape) {
    case 'constant':
      return () => shape.value;
    case 'sine': {
      const { mean, amplitude, period_s, noise } = shape;
      return (n) => {
        const off = noise === undefined ? 0 : noise * around(chance);
        return tidy(mean + amplitude * Math.sin(2 * Math.PI * phaseOf(n * every_ms, period_s)) + off);
      };
    }
    case 'walk':
      return walk(shape, chance);
    case 'states': {
      const { states, stay_s } = shape;
      return (n) => states[Math.floor((n * every_ms * 1000) / microsOf(stay_s)) % states.length]!;
    }
    case 'ramp': {
      const { from, to, period_s } = shape;
      return (n) => tidy(from + (to - from) * phaseOf(n * every_ms, period_s));
    }
    case 'counter': {
      const { step, wraps_at } = shape;
      return (n) => {
        const counted = tidy(n * step);
        if (wraps_at === undefined) return counted;
        // Of fractions a remainder may be a little less than none.
        const rest = tidy(counted - Math.floor(tidy(counted / wraps_at)) * wraps_at);
        return Math.abs(rest) < Number.EPSILON * 8 * counted ? 0 : rest;
      };
    }
  }
}

/** Begins at its start; where a bound is in the way it turns round. */
function walk({ start, step, min = -Infinity, max = Infinity }: WalkShape, chance: () => number) {
  const within = (value: number) => Math.min(Math.max(value, min), max);
  let at = within(start);
  return (n: number) => {
    if (n === 0) return at;
    const to = at + step * around(chance);
    at = within(tidy(to > max ? max - (to - max) : to < min ? min + (min - to) : to));
    return at;
  };
}

/** From -1 to less than 1. */
const around = (chance: () => number) => 2 * chance() - 1;

/** How much of a period is over, from 0 to less than 1. */
const phaseOf = (ms: number, period_s: number) => ((ms * 1000) % microsOf(period_s)) / microsOf(period_s);

/** Whole µs, at least one: as floating-point seconds a period may be a little more than so many intervals. */
const microsOf = (seconds: number) => Math.max(1, Math.round(seconds * 1e6));

/** Twelve digits: as sines of one machine differ from those of another in the last ones. */
const tidy = (value: number) => (Number.isInteger(value) ? value : Number(value.toPrecision(12)));

/** FNV-1a of the UTF-16 code units (http://www.isthe.com/chongo/tech/comp/fnv/). */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash;
}
