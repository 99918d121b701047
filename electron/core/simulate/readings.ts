import { createShape, seededBy, type Shape, type SimulatedValue } from '#shared/domain/shapes.ts';
import type { Micros } from '#shared/values/time.ts';

/** What a device is made to store. */
export interface Reading {
  readonly timestamp: Micros;
  /** When it is to be sent, by the clock of the service; -Infinity for as soon as possible. */
  readonly due: Micros;
  readonly keys: readonly string[];
  readonly values: readonly SimulatedValue[];
}

/** How fast readings are sent: null for each when its time has come, or so many times as fast. */
export type Speed = number | 'max' | null;

export interface Schedule {
  /** The time of the first reading. */
  readonly start: Micros;
  /** The present when it was asked for. */
  readonly created: Micros;
  readonly speed: Speed;
}

export interface ShapedPlan extends Schedule {
  readonly shapes: Readonly<Record<string, Shape>>;
  readonly seed: number;
  readonly every_ms: number;
  readonly jitter_ms: number;
  /** Of readings; Infinity for no end. */
  readonly count: number;
  /** The last time that one may have; Infinity for no end. */
  readonly end: Micros;
}

/** The readings of a plan, in the order of their times without jitter. */
export function* shapedReadings(plan: ShapedPlan): Generator<Reading, void, undefined> {
  const { shapes, seed, every_ms, jitter_ms, count, start, end } = plan;
  const keys = Object.keys(shapes);
  const next = keys.map((key) => createShape(shapes[key]!, { seed, key, every_ms }));
  const jitter = seededBy(seed, 'jitter');
  for (let n = 0; n < count; n++) {
    const at = start + n * every_ms * 1000;
    if (at > end) return;
    const timestamp = at + (jitter_ms === 0 ? 0 : Math.floor(jitter() * (jitter_ms + 1)) * 1000);
    yield { timestamp, due: dueAt(timestamp, plan), keys, values: next.map((value) => value()) };
  }
}

/** When a reading of this time is to be sent. */
export function dueAt(timestamp: Micros, { start, created, speed }: Schedule): Micros {
  if (speed === 'max') return -Infinity;
  return speed === null ? timestamp : Math.round(Math.max(start, created) + (timestamp - start) / speed);
}
