import type { Firing } from '#core/rules/firing.ts';
import type { StoredRecord, Value } from '#core/store/store.ts';
import type { Leaf, Rule, When } from '#shared/domain/rules.ts';

/* Rules in their plainest form (docs/functions.md, "Rules"): whether each condition is true, at each moment at which it may change. */

type Ranges = ReadonlyMap<string, { readonly low: number | null; readonly high: number | null }>;

interface Timed<T> {
  readonly time: number;
  readonly value: T;
}

/** Every firing up to the moment, oldest first; `arrived`: of a device, in order of arrival. */
export function naiveFirings(
  arrived: readonly StoredRecord[],
  { when, for_s }: Pick<Rule, 'when' | 'for_s'>,
  ranges: Ranges,
  now: number,
): Firing[] {
  const records = arrived.toSorted((a, b) => a.timestamp - b.timestamp);
  const times = records.map(({ timestamp }) => timestamp);
  const horizon = Math.max(now, ...times);
  const waits = silencesOf(when).flatMap((silent) => times.map((time) => time + silent));
  const moments = [...new Set([...times, ...waits])].filter((time) => time <= horizon);
  const isTrue = truthOf(when, records, ranges);
  const firings: Firing[] = [];
  let start: number | null = null;
  const lasting = micros(for_s);
  const ends = (end: number | null) => {
    if (start !== null && (end ?? horizon) - start >= lasting)
      firings.push({ start, fired: start + lasting, end });
  };
  for (const moment of moments.toSorted((a, b) => a - b)) {
    const is = isTrue(moment);
    if (is && start === null) start = moment;
    if (is || start === null) continue;
    ends(moment);
    start = null;
  }
  ends(null);
  return firings;
}

const micros = (seconds: number) => Math.round(seconds * 1e6);

function silencesOf(when: When): number[] {
  if ('all' in when) return when.all.flatMap(silencesOf);
  if ('any' in when) return when.any.flatMap(silencesOf);
  return 'silent_s' in when ? [micros(when.silent_s)] : [];
}

function truthOf(when: When, records: readonly StoredRecord[], ranges: Ranges): (at: number) => boolean {
  if ('all' in when) {
    const parts = when.all.map((part) => truthOf(part, records, ranges));
    return (at) => parts.every((part) => part(at));
  }
  if ('any' in when) {
    const parts = when.any.map((part) => truthOf(part, records, ranges));
    return (at) => parts.some((part) => part(at));
  }
  if ('silent_s' in when) {
    const { silent_s, key } = when;
    const heard = records.filter(({ keys }) => key === undefined || keys.includes(key));
    return (at) => {
      const last = heard.findLast(({ timestamp }) => timestamp <= at);
      return last !== undefined && at - last.timestamp >= micros(silent_s);
    };
  }
  const states = statesOf(when, records, ranges);
  return (at) => states.findLast(({ time }) => time <= at)?.value ?? false;
}

/** Whether a condition is true behind each instant of its key. */
function statesOf(
  leaf: Exclude<Leaf, { readonly silent_s: number }>,
  records: readonly StoredRecord[],
  ranges: Ranges,
): Timed<boolean>[] {
  if ('is' in leaf) {
    const asked: readonly Value[] = Array.isArray(leaf.is) ? leaf.is : [leaf.is];
    return valuesOf(records, leaf.key).map(({ time, value }) => ({ time, value: asked.includes(value) }));
  }
  const numbers = valuesOf(records, leaf.key, (value): value is number => typeof value === 'number');
  if ('change' in leaf)
    return numbers.map(({ time }) => {
      const last = numbers.filter((one) => one.time <= time && one.time >= time - micros(leaf.within_s));
      const values = last.map(({ value }) => value);
      return { time, value: Math.max(...values) - Math.min(...values) > leaf.change };
    });
  const { hysteresis = 0 } = leaf;
  let is = false;
  return numbers.map(({ time, value }) => {
    if ('above' in leaf) is = is ? value > leaf.above - hysteresis : value > leaf.above;
    else if ('below' in leaf) is = is ? value < leaf.below + hysteresis : value < leaf.below;
    else {
      const limits = leaf.outside === 'normal' ? ranges.get(leaf.key) : leaf.outside;
      const [low, high] = [limits?.low ?? -Infinity, limits?.high ?? Infinity];
      is = is ? value < low + hysteresis || value > high - hysteresis : value < low || value > high;
    }
    return { time, value: is };
  });
}

/** The values of a key that a condition reads, of each instant the one that arrived last. */
function valuesOf(records: readonly StoredRecord[], key: string): Timed<Value>[];
function valuesOf<T extends Value>(
  records: readonly StoredRecord[],
  key: string,
  isRead: (value: Value) => value is T,
): Timed<T>[];
function valuesOf(
  records: readonly StoredRecord[],
  key: string,
  isRead: (value: Value) => boolean = () => true,
): Timed<Value>[] {
  const last = new Map<number, Value>();
  for (const { timestamp, keys, values } of records) {
    const value = values[keys.indexOf(key)];
    if (value !== undefined && isRead(value)) last.set(timestamp, value);
  }
  return [...last].map(([time, value]) => ({ time, value }));
}
