import { spanOf, type SimulatedValue } from '#shared/domain/shapes.ts';
import type { CheckedInput } from '#shared/operations/index.ts';
import { formatCount } from '#shared/values/counts.ts';
import { formatMicros, type Micros } from '#shared/values/time.ts';
import { badRequest } from '../base/errors.ts';
import { shapedReadings, type Reading, type Schedule } from './readings.ts';
import { replayedReadings, type Recording } from './recordings.ts';
import { withTrouble } from './trouble.ts';

export type Asked = Omit<CheckedInput<'simulators.create'>, 'project_id' | 'device_id'>;

/** Readings that one may have to store as it begins: more are a slip. */
const MOST_AT_ONCE = 10_000_000;

/** What a simulator does. */
interface Plan {
  /** The time of its first reading. */
  readonly start: Micros;
  readonly readings: AsyncGenerator<Reading, void, undefined>;
  /** How many readings are due as it begins. */
  readonly atOnce: number;
}

/** Plans what was asked for; `recording`: of a replay. Throws a 400 Refusal that names the field. */
export function planOf(asked: Asked, seed: number, recording: Recording | null, now: Micros): Plan {
  return recording === null ? shaped(asked, seed, now) : replayed(asked, seed, recording, now);
}

function shaped(asked: Asked, seed: number, now: Micros): Plan {
  const { keys = {}, every_ms = 1, jitter_ms, count, speed = null, trouble } = asked;
  const start = startOf(asked, every_ms, now);
  const end = speed === 'max' && count === undefined ? now : Infinity;
  const schedule: Schedule = { start, origin: asked.start ?? now, created: now, speed };
  const plan = { ...schedule, shapes: keys, seed, every_ms, jitter_ms, count: count ?? Infinity, end };
  const span = (key: string, value: SimulatedValue) =>
    typeof value === 'number' ? spanOf(keys[key]!) : null;
  const untilNow = Math.max(0, Math.floor((now - start) / (every_ms * 1000)) + 1);
  const due = speed === 'max' && count !== undefined ? count : typeof speed === 'number' ? 1 : untilNow;
  const atOnce = Math.min(due, count ?? Infinity);
  if (atOnce > MOST_AT_ONCE)
    throw badRequest(
      `${count === undefined ? 'start' : 'count'} must leave at most ${formatCount(MOST_AT_ONCE)} readings to be stored at once, and there are ${formatCount(atOnce)}`,
    );
  return {
    start,
    readings: withTrouble(shapedReadings(plan), trouble, { seed, spanOf: span }),
    atOnce,
  };
}

/** A spike of a recording is so many times the value itself off. */
const spanOfRecorded = (_: string, value: SimulatedValue) =>
  typeof value === 'number' ? Math.abs(value) || 1 : null;

function replayed(asked: Asked, seed: number, recording: Recording, now: Micros): Plan {
  const { times = 'kept', speed = null, count = Infinity, trouble } = asked;
  const { first, last, records } = recording;
  const start = asked.start ?? (speed === 'max' ? now - (last - first) : now);
  const plan = { start, origin: start, created: now, speed, recording, times, count };
  return {
    start: times === 'kept' ? first : start,
    readings: withTrouble(replayedReadings(plan), trouble, { seed, spanOf: spanOfRecorded }),
    atOnce: speed === 'max' ? Math.min(records, count) : 1,
  };
}

/**
 * When the first reading is. Where nothing says so, an interval from now; where all are stored at once, the last one is at the
 * present. Throws a 400 Refusal.
 */
function startOf({ start, count, speed }: Asked, every_ms: number, now: Micros): Micros {
  if (speed === 'max' && count === undefined && start !== undefined && start > now)
    throw badRequest(
      `start must not lie ahead of the present, ${formatMicros(now)}, with speed "max" and no count, got "${formatMicros(start)}"`,
    );
  if (start !== undefined) return start;
  return speed === 'max' ? now - ((count ?? 1) - 1) * every_ms * 1000 : now + every_ms * 1000;
}
