import type { Rule } from '#shared/domain/rules.ts';
import type { Micros } from '#shared/values/time.ts';
import type { Viewed } from '../store/store.ts';
import { Serial } from '../turns/serial.ts';
import type { Judged } from './conclude.ts';
import type { Judgement } from './firing.ts';
import { Judge } from './judge.ts';
import type { NormalRanges } from './leaves.ts';
import type { RuleReads } from './walk-leaves.ts';

export interface LookOptions {
  /** Firings that ended before are left out; absent: none are. */
  readonly after?: Micros;
  readonly signal?: AbortSignal | undefined;
}

/**
 * One rule on one device, live. It remembers what the rule had come to at some 30 times, and the newest firings, in at most 64 kB and
 * another 30 kB a `change`, and goes on from there: late, doubled, removed, replaced and imported records need nothing of their own. Another rule, or other normal
 * ranges, are another watch.
 */
export class RuleWatch {
  readonly #judge: Judge;
  readonly #serial = new Serial();

  constructor(rule: Pick<Rule, 'when' | 'for_s'>, ranges: NormalRanges, reads: RuleReads) {
    this.#judge = new Judge(rule, ranges, reads, { after: -Infinity, until: Infinity });
  }

  /**
   * Resolves with what follows from all that is stored, as of one moment, and from the time; looks at once are one after the
   * other. Rejects with StoreError, or as the signal's reason: the next look is as right as if there had been none.
   */
  look(device: Viewed, now: Micros, { after = -Infinity, signal }: LookOptions = {}): Promise<Judgement> {
    return this.#serial.run(async () => {
      const { firings, next, cut } = await this.#judge.look({ device, now, after, signal });
      return { firings, next, cut };
    });
  }
}

export interface AskedRule {
  readonly rule: Pick<Rule, 'when' | 'for_s'>;
  readonly ranges: NormalRanges;
  readonly device: Viewed;
  /** By the clock. */
  readonly now: Micros;
  /** Firings that ended before are left out, and those that fired behind `until`, if that is given. */
  readonly after: Micros;
  readonly until?: Micros | undefined;
}

/** Judges a rule on a device once, from the beginning. Rejects with StoreError, or as the signal's reason. */
export function judgeRule(
  { rule, ranges, device, now, after, until = Infinity }: AskedRule,
  reads: RuleReads,
  signal?: AbortSignal,
): Promise<Judged> {
  const judge = new Judge(rule, ranges, reads, { after, until });
  return judge.look({ device, now, after, signal });
}
