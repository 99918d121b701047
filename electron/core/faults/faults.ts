import type { FaultRule, FaultsNow } from '#shared/operations/service/faults.ts';
import type { Chances } from '../base/chance.ts';
import type { EventBus } from '../base/event-bus.ts';
import type { Logger } from '../base/logger.ts';
import { machineClock, type MonotonicMs } from '../base/machine-clock.ts';
import { SeededChance } from '../base/seeded-chance.ts';
import type { Act } from './act.ts';
import { checkRules } from './check-rules.ts';
import type { DiskFaults } from './disk-faults.ts';
import type { RequestFacts } from './facts.ts';
import { RuleSet } from './rule-set.ts';

export interface FaultsParts {
  readonly chance: Pick<Chances, 'of'>;
  readonly events: EventBus;
  readonly log: Pick<Logger, 'warn'>;
  /** Its rules are those of requests of nobody, too, and may have the disk. */
  readonly default_account_id: string;
  /** Null where this service keeps nothing in files of its own, or nobody may make them fail. */
  readonly disk: DiskFaults | null;
}

/** ms between two lines in the log about one rule. */
const QUIET_MS = 1000;
const NONE: FaultsNow = { seed: null, rules: [] };

/** What goes wrong on purpose, in each world (docs/rigs.md, "Faults"). In memory alone. */
export class Faults {
  readonly #parts: FaultsParts;
  /** By account; those with rules alone. */
  readonly #worlds = new Map<string, RuleSet>();
  #isClosed = false;

  constructor(parts: FaultsParts) {
    this.#parts = parts;
  }

  /** Whether any world has rules: all that is asked while none has. */
  get isOn(): boolean {
    return this.#worlds.size > 0;
  }

  of(account_id: string): FaultsNow {
    return this.#worlds.get(account_id)?.now ?? NONE;
  }

  /** Replaces the rules of an account. Throws a 400 Refusal that names the field; then the rules before are still on. */
  set(account_id: string, seed: number | null, rules: readonly FaultRule[]): FaultsNow {
    const { chance, disk, default_account_id } = this.#parts;
    const isDefault = account_id === default_account_id;
    checkRules(rules, { isDefault, hasFiles: disk !== null });
    const before = this.#worlds.get(account_id);
    this.#worlds.delete(account_id);
    if (rules.length > 0 && !this.#isClosed)
      this.#worlds.set(
        account_id,
        new RuleSet(seed, rules, {
          // A stream of its own, so that nothing else is drawn otherwise because rules are on.
          chance: seed === null ? chance.of(`faults of ${account_id}`) : new SeededChance(`faults ${seed}`),
          disk: isDefault ? disk : null,
          acted: this.#logOf(),
        }),
      );
    this.#changed(account_id, before);
    return this.of(account_id);
  }

  /** Ends the rules of an account; returns them with what came of them. */
  end(account_id: string): FaultsNow {
    const ended = this.#worlds.get(account_id);
    if (ended === undefined) return NONE;
    const { now } = ended;
    this.#worlds.delete(account_id);
    this.#changed(account_id, ended);
    return now;
  }

  /** Whether a request, of which it is not known yet who asks, may meet a rule. */
  mayMeet(facts: Pick<RequestFacts, 'door' | 'operation' | 'method' | 'path'>): boolean {
    for (const rules of this.#worlds.values()) if (rules.mayMeet(facts)) return true;
    return false;
  }

  /** What is to be done to a request of an account, or of nobody (null); null for nothing. */
  meet(account_id: string | null, facts: RequestFacts): Act | null {
    return this.#worlds.get(account_id ?? this.#parts.default_account_id)?.meet(facts) ?? null;
  }

  /** For people to read. */
  get notes(): readonly string[] {
    const { default_account_id } = this.#parts;
    return [...this.#worlds].map(([account_id, { names }]) => {
      const whose = account_id === default_account_id ? '' : ` for account ${account_id}`;
      const named = names.map((name) => JSON.stringify(name)).join(', ');
      return `Faults are switched on${whose}: ${named}. What they are about goes wrong on purpose, until DELETE /_local/v1/faults ends them.`;
    });
  }

  /** Ends them all: who is kept waiting is let go. */
  close(): void {
    this.#isClosed = true;
    for (const account_id of this.#worlds.keys()) this.end(account_id);
  }

  #changed(account_id: string, before: RuleSet | undefined): void {
    const { events, log, disk, default_account_id } = this.#parts;
    const rules = this.#worlds.get(account_id);
    if (account_id === default_account_id) disk?.follow(rules?.diskRules ?? []);
    before?.ending.end();
    if (before === undefined && rules === undefined) return;
    if (rules === undefined) log.warn(`Faults of account ${account_id} were switched off.`);
    else
      log.warn(
        `Faults of account ${account_id} were switched on: ${rules.names.map((name) => JSON.stringify(name)).join(', ')}.`,
      );
    events.publish('faults.changed', { account_id, project_id: '' });
  }

  /** Tells the log of each rule that acts: a rule of every request would fill it. */
  #logOf(): (rule: string, on: string) => void {
    const heard = new Map<string, { readonly at: MonotonicMs; since: number }>();
    return (rule, on) => {
      const last = heard.get(rule);
      const now = machineClock.monotonicMs();
      if (last !== undefined && now - last.at < QUIET_MS) {
        last.since++;
        return;
      }
      const others =
        last === undefined || last.since === 0 ? '' : `, and ${last.since} more since the last such line`;
      this.#parts.log.warn(`The fault ${JSON.stringify(rule)} acts on ${on}${others}.`);
      heard.set(rule, { at: now, since: 0 });
    };
  }
}
