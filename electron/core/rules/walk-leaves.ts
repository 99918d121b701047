import type { Micros } from '#shared/values/time.ts';
import type { RecordStore, Viewed } from '../store/store.ts';
import { surveyDevice } from '../survey/survey-device.ts';
import type { Semaphore } from '../turns/semaphore.ts';
import { RULE_RECORDS, RULE_VALUES } from './cell-survey.ts';
import type { LeafEdges } from './combination.ts';
import type { Behind, Course, JudgedRule } from './course.ts';
import type { LeafState, Stretch } from './leaf-fold.ts';
import {
  isOfNumbers,
  numberFold,
  windowOf,
  type CellLeaf,
  type JudgedLeaf,
  type NumberLeaf,
} from './leaves.ts';
import { EMPTY, SlidingWindow, WarmUp } from './sliding-window.ts';

/*
 * A rule over many records: each leaf walks through the readings of its key by itself, past the blocks whose index says enough. Edges
 * wait in bounded memory: whoever has told as many as that stops until the others have come as far.
 */

export interface RuleLimits {
  /** Records that all leaves go through together; through more each goes by itself. */
  readonly scanned: number;
  /** Edges of one leaf that wait for those of the others. */
  readonly edges: number;
}

export const RULE_LIMITS: RuleLimits = { scanned: 4096, edges: 65_536 };

/** Readers of rules. */
export interface RuleReads {
  readonly records: Pick<RecordStore, 'revision' | 'within' | 'columns' | 'readings' | 'scan' | 'threadWork'>;
  /** Of walks through many records. */
  readonly semaphore: Semaphore;
  readonly limits?: RuleLimits;
}

/** Device that is read. */
export interface Reading extends RuleReads {
  readonly device: Viewed;
  readonly signal: AbortSignal | undefined;
}

/** Time at which the state is kept, and how many records were stored up to it before the walk began. */
export interface Mark {
  readonly time: Micros;
  readonly records: number;
}

interface LeafWalk extends LeafEdges {
  readonly leaf: JudgedLeaf;
  times: readonly Micros[];
  state: LeafState;
  position: Micros;
  readonly saved: LeafState[];
}

/** Walks from what a rule had come to up to the last mark. */
export async function walkLeaves(
  { leaves }: JudgedRule,
  from: Behind,
  marks: readonly Mark[],
  course: Course,
  reading: Reading,
): Promise<void> {
  const times = marks.map(({ time }) => time);
  const until = times.at(-1) ?? from.time;
  const { edges: most } = reading.limits ?? RULE_LIMITS;
  const walks = leaves.map((leaf, place): LeafWalk => {
    const state = from.states[place]!;
    return { leaf, state, times: [], next: 0, position: from.time, saved: [] };
  });
  let marked = 0;
  for (let position = from.time; position < until;) {
    for (const walk of walks) {
      if (walk.position === until || walk.next < walk.times.length) continue;
      const { saved, position: at } = walk;
      await goOn(walk, { from: at, until, marks: times.slice(saved.length), most }, reading);
    }
    position = Math.min(...walks.map((walk) => walk.position));
    for (const { time, records } of marks.slice(marked)) {
      if (time > position || walks.some(({ saved }) => saved.length <= marked)) break;
      course.advance(time, walks);
      course.mark(
        time,
        records,
        walks.map(({ saved }) => saved[marked]!),
      );
      marked++;
    }
    course.advance(position, walks);
  }
}

async function goOn(walk: LeafWalk, stretch: Stretch, reading: Reading): Promise<void> {
  const { leaf, state } = walk;
  const found = isOfNumbers(leaf)
    ? await walkNumbers(leaf, state, stretch, reading)
    : await walkCells(leaf, state, stretch, reading);
  walk.times = found.edges;
  walk.next = 0;
  walk.state = found.state;
  walk.position = found.position;
  walk.saved.push(...found.saved);
}

const rangeOf = ({ from, until }: Pick<Stretch, 'from' | 'until'>) => ({
  start: from === -Infinity ? Number.MIN_SAFE_INTEGER : from + 1,
  end: until,
});

async function walkNumbers(leaf: NumberLeaf, state: LeafState, stretch: Stretch, reading: Reading) {
  const { records, semaphore, device, signal } = reading;
  const window = await warmWindow(leaf, state, stretch.from, reading);
  const query = { key: leaf.key, range: rangeOf(stretch), pause: Infinity };
  const begin = () => numberFold(leaf, window?.copy() ?? null, state, stretch);
  const fold = await semaphore.run(() => records.readings(device, { query, begin, signal }), signal);
  fold.end();
  return fold;
}

function walkCells(leaf: CellLeaf, state: LeafState, stretch: Stretch, reading: Reading) {
  const isOfRecords = leaf.kind === 'silence' && leaf.key === null;
  const keys = leaf.key === null ? [] : [leaf.key];
  const query = { range: rangeOf(stretch), keys, leaf, state, stretch };
  return surveyDevice(isOfRecords ? RULE_RECORDS : RULE_VALUES, query, reading);
}

/** The window of a change behind a time, read again where it is not kept; null of other leaves. */
export async function warmWindow(
  leaf: JudgedLeaf,
  state: LeafState,
  until: Micros,
  { records, device, signal }: Reading,
): Promise<SlidingWindow | null> {
  if (leaf.kind !== 'change' || until === -Infinity) return null;
  const kept = windowOf(leaf, state);
  if (kept !== null) return kept;
  const start = until - leaf.width;
  const query = { key: leaf.key, range: { start, end: until }, pause: Infinity };
  const begin = () => new WarmUp(new SlidingWindow(leaf.width, EMPTY), start, until);
  const read = await records.readings(device, { query, begin, signal });
  return read.end();
}
