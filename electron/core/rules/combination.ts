import type { When } from '#shared/domain/rules.ts';
import type { Micros } from '#shared/values/time.ts';

/** Edges of a leaf on their way into a combination. */
export interface LeafEdges {
  readonly times: readonly Micros[];
  /** The first one that is still to come. */
  next: number;
}

type Truth = (truths: readonly boolean[]) => boolean;

/** Returns whether a condition is true, by its leaves in the order of `leavesOf`. */
export function truthOf(when: When): Truth {
  let leaves = 0;
  const compiled = (part: When): Truth => {
    if ('all' in part) {
      const parts = part.all.map(compiled);
      return (truths) => parts.every((each) => each(truths));
    }
    if ('any' in part) {
      const parts = part.any.map(compiled);
      return (truths) => parts.some((each) => each(truths));
    }
    const place = leaves++;
    return (truths) => truths[place]!;
  };
  return compiled(when);
}

/** The root of a rule over the edges of its leaves. */
export class Combination {
  /** Since when it is true; null while it is not. */
  since: Micros | null;
  readonly #truth: Truth;
  readonly #truths: boolean[];
  readonly #ended: (start: Micros, end: Micros) => void;

  constructor(
    truth: Truth,
    behind: { readonly truths: readonly boolean[]; readonly since: Micros | null },
    ended: (start: Micros, end: Micros) => void,
  ) {
    this.since = behind.since;
    this.#truth = truth;
    this.#truths = [...behind.truths];
    this.#ended = ended;
  }

  /** Takes the edges up to and with a time: those of one instant together. */
  advance(until: Micros, edges: readonly LeafEdges[]): void {
    for (;;) {
      let at = Infinity;
      for (const { times, next } of edges) if (next < times.length && times[next]! < at) at = times[next]!;
      if (at > until || at === Infinity) return;
      for (const [leaf, each] of edges.entries()) {
        if (each.times[each.next] !== at) continue;
        each.next++;
        this.#truths[leaf] = !this.#truths[leaf];
      }
      this.#become(this.#truth(this.#truths), at);
    }
  }

  #become(isTrue: boolean, at: Micros): void {
    if (isTrue === (this.since !== null)) return;
    if (this.since !== null) this.#ended(this.since, at);
    this.since = isTrue ? at : null;
  }
}
