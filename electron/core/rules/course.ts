import type { Micros } from '#shared/values/time.ts';
import { Combination, type LeafEdges, type truthOf } from './combination.ts';
import type { EndedFirings } from './ended-firings.ts';
import { UNTOLD, type LeafState } from './leaf-fold.ts';
import type { JudgedLeaf } from './leaves.ts';

/** Rule as it is judged for a device. */
export interface JudgedRule {
  readonly leaves: readonly JudgedLeaf[];
  readonly truth: ReturnType<typeof truthOf>;
  /** How long its condition is true before it fires. */
  readonly lasting: Micros;
  /** Firings that count: those that fire up to `until` and have not ended before `after`. */
  readonly span: { readonly after: Micros; readonly until: Micros };
}

/** State of a rule behind all that was stored up to a time. */
export interface Behind {
  readonly time: Micros;
  /** How many records were stored up to then. */
  readonly records: number;
  readonly states: readonly LeafState[];
  /** Since when the condition is true; null while it is not. */
  readonly since: Micros | null;
  /** Firings that ended, of those that count. */
  readonly ended: number;
}

export const beginningOf = ({ leaves }: JudgedRule): Behind => ({
  time: -Infinity,
  records: 0,
  states: leaves.map(() => UNTOLD),
  since: null,
  ended: 0,
});

/** A rule on its way through what is stored, from what it had come to before. */
export class Course {
  /** States at the marks, oldest first. */
  readonly marked: Behind[] = [];
  readonly #combination: Combination;
  #ended: number;

  constructor({ truth, lasting, span }: JudgedRule, from: Behind, firings: EndedFirings) {
    this.#ended = from.ended;
    const behind = { truths: from.states.map(({ isTrue }) => isTrue), since: from.since };
    this.#combination = new Combination(truth, behind, (start, end) => {
      if (end - start < lasting || end < span.after || start + lasting > span.until) return;
      this.#ended++;
      firings.add(start, end);
    });
  }

  /** Takes the edges up to and with a time, when none of those is still to come. */
  advance(time: Micros, edges: readonly LeafEdges[]): void {
    this.#combination.advance(time, edges);
  }

  mark(time: Micros, records: number, states: readonly LeafState[]): void {
    const { since } = this.#combination;
    this.marked.push({ time, records, states, since, ended: this.#ended });
  }
}
