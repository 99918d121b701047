import type { Micros } from '#shared/values/time.ts';
import type { StoredRecord } from '../store/store.ts';
import { Pace } from '../turns/pace.ts';
import type { LeafEdges } from './combination.ts';
import type { Behind, Course, JudgedRule } from './course.ts';
import type { LeafFold } from './leaf-fold.ts';
import { cellFold, isOfNumbers, numberFold } from './leaves.ts';
import { warmWindow, type Reading } from './walk-leaves.ts';

/* A rule over a few records: all leaves go through them together, in one consistent view. */

/** How much nearer the end each state is kept than the one before. */
const NEARER = 4;

interface ScannedLeaf extends LeafEdges {
  readonly key: string | null;
  readonly fold: LeafFold;
  readonly times: Micros[];
}

/** Goes through all records behind a time; about `expected` are. */
export async function scanLeaves(
  { leaves }: JudgedRule,
  from: Behind,
  expected: number,
  course: Course,
  reading: Reading,
): Promise<void> {
  const { records, device, signal } = reading;
  const scanned: ScannedLeaf[] = [];
  for (const [place, leaf] of leaves.entries()) {
    const stretch = { from: from.time, until: Infinity, marks: [], most: Infinity };
    const state = from.states[place]!;
    const fold = isOfNumbers(leaf)
      ? numberFold(leaf, await warmWindow(leaf, state, from.time, reading), state, stretch)
      : cellFold(leaf, state, stretch);
    scanned.push({ key: leaf.key, fold, times: fold.edges, next: 0 });
  }
  const advance = (time: Micros) => {
    for (const { fold } of scanned) fold.advance(time);
    course.advance(time, scanned);
    for (const each of scanned) {
      each.times.length = 0;
      each.next = 0;
    }
  };
  const pace = new Pace();
  const range = from.time === -Infinity ? {} : { start: from.time + 1 };
  let [seen, time] = [0, -Infinity];
  const mark = () => {
    advance(time);
    course.mark(
      time,
      from.records + seen,
      scanned.map(({ fold }) => fold.state),
    );
  };
  let near = NEARER ** Math.floor(Math.log(Math.max(1, expected - 1)) / Math.log(NEARER));
  for await (const some of records.scan(device, range)) {
    signal?.throwIfAborted();
    for (const record of some) {
      const left = expected - seen;
      if (record.timestamp > time && left > 0 && left <= near && seen > 0) {
        mark();
        while (near >= left) near /= NEARER;
      }
      ({ timestamp: time } = record);
      seen++;
      for (const { key, fold } of scanned) take(fold, key, record);
    }
    // Of the last instant more may come.
    advance(time - 1);
    await pace.pause();
  }
  if (seen > 0) mark();
}

function take(fold: LeafFold, key: string | null, { timestamp, keys, values }: StoredRecord): void {
  if (key === null) {
    fold.value(timestamp, true);
    return;
  }
  const place = keys.indexOf(key);
  if (place >= 0) fold.value(timestamp, values[place]!);
}
