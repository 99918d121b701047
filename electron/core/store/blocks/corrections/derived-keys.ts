import type { Correction, DerivedKey } from '#shared/domain/corrections.ts';
import { parseFormula } from '#shared/domain/formula/derived-formula.ts';
import { keysOfFormula, meansOfFormula, type Formula } from '#shared/domain/formula/formula-terms.ts';
import { valueOfFormula } from '#shared/domain/formula/formula-value.ts';
import type { Micros } from '#shared/values/time.ts';
import type { KeySummary } from '../../store.ts';
import { ABSENT, NUMBER } from '../block/cell-kind.ts';
import type { GatheredRows } from './gathered-rows.ts';
import { Operand } from './operand.ts';

/** A derived key, and what its values hang on. */
interface Derived {
  readonly key: string;
  readonly formula: Formula;
  readonly operands: ReadonlySet<string>;
  /** How old an operand may be that a record itself lacks, in µs. */
  readonly within: Micros;
  /** How far back the values of one record reach, those of derived operands included. */
  readonly lookback: Micros;
}

/**
 * The derived keys of a device (docs/local-api.md, "Formulas"). A record that has an operand has a value, where all others are there
 * or were not longer ago than allowed, and where it is a finite number. What is stored under the same key stays.
 */
export class DerivedKeys {
  /** Operands before what is derived of them. */
  readonly #all: readonly Derived[];

  constructor(corrections: readonly Correction[]) {
    const rules = new Map<string, DerivedKey>();
    for (const each of corrections) if (each.kind === 'derived') rules.set(each.key, each);
    const inOrder = new Map<string, Derived>();
    for (const key of rules.keys()) addDerived(key, rules, inOrder);
    this.#all = [...inOrder.values()];
  }

  get isEmpty(): boolean {
    return this.#all.length === 0;
  }

  has(key: string): boolean {
    return this.#all.some((each) => each.key === key);
  }

  /** Of asked keys (undefined: all) those that have to be read, and how far back. */
  needs(asked: ReadonlySet<string> | undefined): {
    readonly keys: ReadonlySet<string> | undefined;
    readonly lookback: Micros;
  } {
    const derived = this.#asked(asked);
    const lookback = derived.reduce((most, each) => Math.max(most, each.lookback), 0);
    if (asked === undefined) return { keys: undefined, lookback };
    return { keys: new Set([...asked, ...derived.flatMap(({ operands }) => [...operands])]), lookback };
  }

  /** Adds the values of asked keys to rows that begin as far back as they need. */
  addTo(rows: GatheredRows, asked: ReadonlySet<string> | undefined): void {
    for (const { key, formula, operands, within } of this.#asked(asked)) {
      const read = new Map([...operands].map((name) => [name, new Operand(rows, name, within)]));
      const value = valueOfFormula(formula, (name) => read.get(name)!);
      const out = rows.column(key);
      for (let row = 0; row < rows.size; row++) {
        if (out.kinds[row] !== ABSENT || ![...read.values()].some((operand) => operand.isAt(row))) continue;
        const number = value(row);
        if (!Number.isFinite(number)) continue;
        out.kinds[row] = NUMBER;
        out.numbers[row] = number;
      }
    }
  }

  /**
   * About how many values each has: as many as the operand that comes least often, or most often where older ones count. They
   * are reckoned when they are read, so that nobody counts them.
   */
  *counts(stored: ReadonlyMap<string, KeySummary>): Generator<KeySummary> {
    const known = new Map([...stored].map(([key, { numeric }]) => [key, numeric]));
    for (const { key, operands, within } of this.#all) {
      const counts = [...operands].map((operand) => known.get(operand) ?? 0);
      const count = counts.length === 0 ? 0 : within > 0 ? Math.max(...counts) : Math.min(...counts);
      known.set(key, Math.max(known.get(key) ?? 0, count));
      if (!stored.has(key)) yield { key, count, numeric: count, isEstimate: true };
    }
  }

  /** A key that is stored, of which a derived one comes as often as it. */
  storedOperand(key: string): string | null {
    const derived = this.#all.find((each) => each.key === key);
    if (derived === undefined) return key;
    for (const operand of derived.operands) return this.storedOperand(operand);
    return null;
  }

  /** The asked derived keys and those that they are derived of, operands first. */
  #asked(asked: ReadonlySet<string> | undefined): readonly Derived[] {
    if (asked === undefined) return this.#all;
    const wanted = new Set(asked);
    for (const { key, operands } of this.#all.toReversed())
      if (wanted.has(key)) for (const operand of operands) wanted.add(operand);
    return this.#all.filter(({ key }) => wanted.has(key));
  }
}

/** Adds a key behind those that it is derived of. What leads back to itself, which no correction may, is left out. */
function addDerived(
  key: string,
  rules: ReadonlyMap<string, DerivedKey>,
  found: Map<string, Derived>,
  under: ReadonlySet<string> = new Set(),
): void {
  const rule = rules.get(key);
  if (rule === undefined || found.has(key) || under.has(key)) return;
  const formula = parseFormula(rule.of);
  const operands = keysOfFormula(formula);
  for (const operand of operands) addDerived(operand, rules, found, new Set([...under, key]));
  const within = Math.round(rule.within_s * 1e6);
  const own = Math.max(within, ...meansOfFormula(formula).map(({ over }) => over));
  const before = [...operands].map((operand) => found.get(operand)?.lookback ?? 0);
  found.set(key, { key, formula, operands, within, lookback: own + Math.max(0, ...before) });
}
