import { seededBy, type SimulatedValue } from '#shared/domain/shapes.ts';
import type { Trouble } from '#shared/operations/service/simulator-fields.ts';
import type { Reading } from './readings.ts';

/** A late reading is sent behind one to so many later ones. */
const MOST_LATE = 5;
/** How far a wrong clock is off, in ms: a minute to a day. */
const LEAST_OFF_MS = 60_000;
const MOST_OFF_MS = 86_400_000;
/** How far a spike lies off, in spans of its key. */
const SPIKE = 10;

interface Held {
  readonly reading: Reading;
  readonly copies: number;
  /** Behind which reading it is sent. */
  readonly behind: number;
}

/**
 * What is sent of readings, in its order: without gaps, with duplicates, and so on. Each kind of trouble has its own chance, so that the
 * share of one moves no other. `spanOf`: how far the numbers of a key lie apart; null where it has none.
 */
export async function* withTrouble(
  readings: Iterable<Reading> | AsyncIterable<Reading>,
  trouble: Trouble,
  {
    seed,
    spanOf,
  }: { readonly seed: number; readonly spanOf: (key: string, value: SimulatedValue) => number | null },
): AsyncGenerator<Reading, void, undefined> {
  const chance = (name: string) => seededBy(seed, `trouble ${name}`);
  const happens = (name: keyof Trouble) => {
    const draw = chance(name);
    return () => draw() < trouble[name];
  };
  const [isGap, isLate, isTwice] = [happens('gaps'), happens('late'), happens('duplicates')];
  const [isWrong, isStuck, isSpike] = [happens('wrong_clock'), happens('stuck'), happens('spikes')];
  const [lateBy, offBy, spikeOf] = [chance('late by'), chance('off by'), chance('spike of')];
  let held: Held[] = [];
  let before: Reading | null = null;
  let n = 0;

  function* heldUntil(last: number, due: number): Generator<Reading> {
    const ready = held.filter(({ behind }) => behind <= last);
    if (ready.length === 0) return;
    held = held.filter(({ behind }) => behind > last);
    for (const { reading, copies } of ready)
      for (let copy = 0; copy < copies; copy++) yield { ...reading, due: Math.max(due, reading.due) };
  }

  for await (const made of readings) {
    const stuck = isStuck() && before !== null;
    const felt: Reading =
      stuck && before !== null ? { ...made, keys: before.keys, values: before.values } : made;
    before = felt;
    const spiked = isSpike() ? withSpike(felt, spikeOf, spanOf) : felt;
    const reading = isWrong() ? { ...spiked, timestamp: spiked.timestamp + offFrom(offBy) } : spiked;
    const [gap, late, copies] = [isGap(), isLate(), isTwice() ? 2 : 1];
    if (!gap && late) held.push({ reading, copies, behind: n + 1 + Math.floor(lateBy() * MOST_LATE) });
    if (!gap && !late) for (let copy = 0; copy < copies; copy++) yield reading;
    yield* heldUntil(n, made.due);
    n++;
  }
  yield* heldUntil(Infinity, before?.due ?? -Infinity);
}

/** µs, either way. */
function offFrom(chance: () => number): number {
  const ms = LEAST_OFF_MS + Math.floor(chance() * (MOST_OFF_MS - LEAST_OFF_MS + 1));
  return (chance() < 0.5 ? -ms : ms) * 1000;
}

function withSpike(
  reading: Reading,
  chance: () => number,
  spanOf: (key: string, value: SimulatedValue) => number | null,
): Reading {
  const spans = reading.keys.map((key, i) => spanOf(key, reading.values[i]!));
  const numbers = spans.flatMap((span, i) => (span === null ? [] : [i]));
  const at = numbers[Math.floor(chance() * numbers.length)];
  const sign = chance() < 0.5 ? -1 : 1;
  if (at === undefined) return reading;
  const value = Number(reading.values[at]) + sign * SPIKE * (spans[at] ?? 0);
  return { ...reading, values: reading.values.with(at, value) };
}
