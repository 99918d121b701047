import type { FaultRule, FaultsNow } from '#shared/operations/service/faults.ts';
import type { Chance } from '../base/chance.ts';
import { isFor, type Act, type FailingDisk } from './act.ts';
import { Ending } from './ending.ts';
import { isAs, mayBeAs, speaksOfRequests, type RequestFacts } from './facts.ts';

/** A rule, and what came of it. */
class Rule {
  readonly name: string;
  readonly given: FaultRule;
  seen = 0;
  done = 0;

  constructor(given: FaultRule, at: number) {
    this.given = given;
    this.name = given.name ?? `rule ${at + 1}`;
  }

  /** Whether it is about the disk all the time, and about no request. */
  get isOfDisk(): boolean {
    return this.given.do.disk !== undefined && !speaksOfRequests(this.given.match);
  }

  /** Counts something that is as its match says, and returns whether it is to act. */
  asks(chance: Pick<Chance, 'number'>): boolean {
    const { after = 0, first = Infinity, every = 1, share } = this.given.match;
    const at = ++this.seen - after;
    if (at <= 0 || at > first || at % every !== 0) return false;
    if (share !== undefined && chance.number() >= share) return false;
    this.done++;
    return true;
  }
}

interface RuleSetParts {
  readonly chance: Pick<Chance, 'number'>;
  /** Null where the rules may not have it. */
  readonly disk: FailingDisk | null;
  /** Called when a rule acts on something, such as "ingest over http". */
  readonly acted: (rule: string, on: string) => void;
}

/**
 * The rules of a world, and how often each has acted. They are asked in their order: the first that acts is the only one, and those
 * behind it do not hear of the request.
 */
export class RuleSet {
  readonly seed: number | null;
  readonly ending = new Ending();
  readonly #rules: readonly Rule[];
  /** Rules about requests. */
  readonly #ofRequests: readonly Rule[];
  readonly #parts: RuleSetParts;

  constructor(seed: number | null, rules: readonly FaultRule[], parts: RuleSetParts) {
    this.seed = seed;
    this.#rules = rules.map((rule, at) => new Rule(rule, at));
    this.#ofRequests = this.#rules.filter(({ isOfDisk }) => !isOfDisk);
    this.#parts = parts;
  }

  get names(): readonly string[] {
    return this.#rules.map(({ name }) => name);
  }

  get now(): FaultsNow {
    const rules = this.#rules.map(({ name, given, seen, done }) => ({
      name,
      match: { ...given.match },
      do: { ...given.do },
      seen,
      done,
    }));
    return { seed: this.seed, rules };
  }

  /** Whether any rule may be about a request of which it is not known yet who asks. */
  mayMeet(facts: Pick<RequestFacts, 'door' | 'operation' | 'method' | 'path'>): boolean {
    return this.#ofRequests.some(
      ({ given: { match, do: does } }) => mayBeAs(match, facts) && isFor(does, match, facts),
    );
  }

  /** What is to be done to a request; null for nothing. */
  meet(facts: RequestFacts): Act | null {
    const { chance, disk, acted } = this.#parts;
    for (const rule of this.#ofRequests) {
      const { match, do: does } = rule.given;
      if (!isAs(match, facts) || !isFor(does, match, facts) || !rule.asks(chance)) continue;
      acted(rule.name, `${facts.operation ?? facts.method} over ${facts.door}`);
      const { disk: how } = does;
      return {
        name: rule.name,
        do: does,
        delayMs: this.#delay(does.delay_ms),
        ending: this.ending,
        failDisk: how === undefined || disk === null ? null : () => disk.fail(how),
      };
    }
    return null;
  }

  /** The rules that are about the disk all the time. */
  get diskRules() {
    const { chance, acted } = this.#parts;
    return this.#rules.flatMap((rule) => {
      const { disk: how } = rule.given.do;
      if (!rule.isOfDisk || how === undefined) return [];
      const asks = () => {
        const isToAct = rule.asks(chance);
        if (isToAct) acted(rule.name, 'the disk');
        return isToAct;
      };
      return [{ how, asks }];
    });
  }

  #delay(given: FaultRule['do']['delay_ms']): number {
    if (typeof given !== 'object') return given ?? 0;
    const [low, high] = given;
    return low + Math.floor(this.#parts.chance.number() * (high - low + 1));
  }
}
