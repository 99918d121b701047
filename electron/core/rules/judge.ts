import { leavesOf, type Rule } from '#shared/domain/rules.ts';
import type { Micros } from '#shared/values/time.ts';
import { StoreError } from '../base/errors.ts';
import type { Viewed } from '../store/store.ts';
import { truthOf } from './combination.ts';
import { conclude, type Judged } from './conclude.ts';
import { beginningOf, Course, type Behind, type JudgedRule } from './course.ts';
import { EndedFirings } from './ended-firings.ts';
import { isSameView, Ladder, viewNow } from './ladder.ts';
import { judgedLeaf, microsOf, type NormalRanges } from './leaves.ts';
import { planMarks } from './plan-marks.ts';
import { scanLeaves } from './scan-leaves.ts';
import { RULE_LIMITS, walkLeaves, type Mark, type Reading, type RuleReads } from './walk-leaves.ts';

/** Tries after which all leaves go through the records together, and those after which they go through all of them. */
const MOST_WALKS = 3;
const MOST_TRIES = 6;
/** Damaged places that one judgement begins anew for, each time without the last one. */
const MOST_DAMAGE = 64;

export interface Asked {
  readonly device: Viewed;
  /** By the clock; time is the newest record's where that is later. */
  readonly now: Micros;
  /** Firings that ended before are left out. */
  readonly after: Micros;
  readonly signal: AbortSignal | undefined;
}

/** Judges a rule on a device again and again: each time from the newest checkpoint that holds, else from the beginning. */
export class Judge {
  readonly #rule: JudgedRule;
  readonly #reads: RuleReads;
  readonly #ladder = new Ladder();
  readonly #firings = new EndedFirings();

  /** `span`: firings that count. */
  constructor(
    { when, for_s }: Pick<Rule, 'when' | 'for_s'>,
    ranges: NormalRanges,
    reads: RuleReads,
    span: JudgedRule['span'],
  ) {
    const leaves = leavesOf(when).map((leaf) => judgedLeaf(leaf, ranges));
    this.#rule = { leaves, truth: truthOf(when), lasting: microsOf(for_s), span };
    this.#reads = reads;
  }

  /** Resolves with what follows from the records of one moment. Rejects with StoreError, or as the signal's reason. */
  async look(asked: Asked): Promise<Judged> {
    for (let [tries, damage] = [0, 0]; ; tries++) {
      if (tries >= MOST_TRIES) this.#ladder.clear();
      try {
        const judged = await this.#try(asked, tries < MOST_WALKS);
        if (judged !== null) return judged;
      } catch (error) {
        // Damaged blocks are left out the next time.
        if (!(error instanceof StoreError) || error.code !== 'damaged' || ++damage > MOST_DAMAGE) throw error;
      }
    }
  }

  /** Null where records came or went meanwhile, so that what was read is of no one moment. */
  async #try({ device, now, after, signal }: Asked, mayWalk: boolean): Promise<Judged | null> {
    signal?.throwIfAborted();
    const { records } = this.#reads;
    const reading: Reading = { ...this.#reads, device, signal };
    const view = await viewNow(records, device);
    const { records: total, last } = await records.within(device, {});
    this.#ladder.see(view);
    const from = await this.#beginning(device, { records: total, time: last ?? -Infinity });
    this.#firings.cut(from.time);
    const course = new Course(this.#rule, from, this.#firings);
    const comes = total - from.records;
    if (comes > 0 && last !== null) {
      const { scanned } = this.#reads.limits ?? RULE_LIMITS;
      const marks =
        mayWalk && comes > scanned ? await planMarks(from, { time: last, records: total }, reading) : null;
      if (marks === null) await scanLeaves(this.#rule, from, comes, course, reading);
      else await walkLeaves(this.#rule, from, marks, course, reading);
      const isSame = isSameView(view, await viewNow(records, device)) && (await this.#holds(device, from));
      if (marks !== null) {
        if (!isSame) return null;
        const holding = await this.#holding(device, marks);
        this.#ladder.add(course.marked.slice(0, holding));
        if (holding < marks.length) return null;
      } else if (isSame) {
        this.#ladder.add(course.marked);
      } else if (from.records > 0) {
        return null;
      }
    }
    if (this.#firings.lacks(after)) {
      this.#ladder.clear();
      return null;
    }
    const behind = course.marked.at(-1) ?? from;
    const horizon = Math.max(now, last ?? -Infinity, behind.time);
    return conclude(this.#rule, behind, { horizon, after, ended: this.#firings });
  }

  /** The newest checkpoint that holds; those behind it do not. */
  async #beginning(device: Viewed, newest: Mark): Promise<Behind> {
    for (;;) {
      const rung = this.#ladder.newest;
      if (rung === undefined) return beginningOf(this.#rule);
      const isNewest = rung.time === newest.time && rung.records === newest.records;
      if (isNewest || (await this.#holds(device, rung))) return rung;
      this.#ladder.drop();
    }
  }

  async #holds(device: Viewed, { time, records }: Mark): Promise<boolean> {
    if (time === -Infinity) return true;
    const now = await this.#reads.records.within(device, { end: time });
    return now.records === records;
  }

  /** How many marks hold: all up to the newest one that does. */
  async #holding(device: Viewed, marks: readonly Mark[]): Promise<number> {
    for (let count = marks.length; count > 0; count--)
      if (await this.#holds(device, marks[count - 1]!)) return count;
    return 0;
  }
}
