import { createContext, Script } from 'node:vm';
import type { BodyCondition } from '#shared/operations/service/requests.ts';
import { parseJson } from '#shared/values/json.ts';
import { quote } from '#shared/values/validate.ts';
import { badRequest } from '../base/errors.ts';

/** Conditions on the body of a request, by paths such as `temperature` or `0.state`. */
export type BodyConditions = Readonly<Record<string, BodyCondition>>;

/** ms that a regular expression may take for one text. */
const MATCH_MS = 50;

interface Rule {
  readonly holds: (is: unknown) => boolean;
  /** Behind the value: how it is not so. */
  readonly failure: string;
}

interface Check {
  readonly path: string;
  readonly steps: readonly string[];
  readonly rules: readonly Rule[];
}

/** Conditions that are held against bodies; they are made ready once. */
export class BodyChecker {
  readonly #checks: readonly Check[];

  /** Throws a 400 Refusal where a regular expression is none. */
  constructor(conditions: BodyConditions) {
    this.#checks = Object.entries(conditions).map(([path, condition]) => {
      return { path, steps: path.split('.'), rules: rulesOf(path, condition) };
    });
  }

  /**
   * How many differences the body has from the conditions. Of several records, in an array or a line each, the one that comes
   * nearest counts, or the array itself, whose paths begin with an index. Throws a 400 Refusal where a regular expression takes too long.
   */
  count(body: string | null): number {
    if (this.#checks.length === 0) return 0;
    const nearest = this.#nearest(body);
    return nearest === undefined ? 1 : this.#countOf(nearest);
  }

  /** The differences that `count` counts, in words. Throws as it does. */
  differences(body: string | null): readonly string[] {
    if (this.#checks.length === 0) return [];
    const nearest = this.#nearest(body);
    if (nearest === undefined)
      return [`body: ${body === null ? 'there is none' : 'it is no JSON, or longer than what is kept'}`];
    return this.#checks.flatMap(({ path, steps, rules }) => {
      const is = valueAt(nearest, path, steps);
      if (is === undefined) return [`body.${path} is missing`];
      return rules.flatMap(({ holds, failure }) =>
        holds(is) ? [] : [`body.${path}: ${quote(is)} ${failure}`],
      );
    });
  }

  /** The record with the fewest differences; undefined where the body has none. */
  #nearest(body: string | null): unknown {
    if (body === null) return undefined;
    const whole = parsed(body);
    if (whole === undefined) return this.#first(linesIn(body));
    if (!Array.isArray(whole) || whole.length === 0) return whole;
    const first = this.#first(whole);
    const fewest = this.#countOf(first);
    return fewest > 0 && this.#countOf(whole) < fewest ? whole : first;
  }

  /** The first of some records with the fewest differences. */
  #first(records: readonly unknown[]): unknown {
    let fewest = Infinity;
    let first: unknown;
    for (const record of records) {
      const count = this.#countOf(record);
      if (count >= fewest) continue;
      first = record;
      fewest = count;
      if (count === 0) break;
    }
    return first;
  }

  #countOf(record: unknown): number {
    let count = 0;
    for (const { path, steps, rules } of this.#checks) {
      const is = valueAt(record, path, steps);
      if (is === undefined) count++;
      else for (const { holds } of rules) if (!holds(is)) count++;
    }
    return count;
  }
}

/** The values of lines of JSON, several of them; none where a line is no JSON. */
function linesIn(body: string): readonly unknown[] {
  const lines = body
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(parsed);
  return lines.length > 1 && lines.every((line) => line !== undefined) ? lines : [];
}

/** Undefined for what is no JSON. */
function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function valueAt(value: unknown, path: string, steps: readonly string[]): unknown {
  if (typeof value === 'object' && value !== null && Object.hasOwn(value, path)) return at(value, path);
  return steps.reduce(at, value);
}

function at(value: unknown, step: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, step)
    ? (value as Readonly<Record<string, unknown>>)[step]
    : undefined;
}

const BOUNDS = {
  gt: ['>', (a: number, b: number) => a > b],
  gte: ['>=', (a: number, b: number) => a >= b],
  lt: ['<', (a: number, b: number) => a < b],
  lte: ['<=', (a: number, b: number) => a <= b],
} as const;

/** Throws a 400 Refusal where a regular expression is none. */
function rulesOf(path: string, condition: BodyCondition): readonly Rule[] {
  if (typeof condition !== 'object' || condition === null)
    return [{ holds: (is) => is === condition, failure: `is not ${quote(condition)}` }];
  if ('matches' in condition) {
    const test = testOf(path, condition.matches);
    const failure = `does not match ${quote(condition.matches)}`;
    return [{ holds: (is) => typeof is === 'string' && test(is), failure }];
  }
  return (Object.keys(BOUNDS) as (keyof typeof BOUNDS)[]).flatMap((name) => {
    const bound = condition[name];
    const [sign, isWithin] = BOUNDS[name];
    if (bound === undefined) return [];
    return {
      holds: (is) => typeof is === 'number' && isWithin(is, bound),
      failure: `is not ${sign} ${bound}`,
    };
  });
}

type Test = (text: string) => boolean;

/** A test that ends in time: some expressions take for ever for some texts. */
function testOf(path: string, expression: string): Test {
  const field = `body.${path}.matches`;
  try {
    void new RegExp(expression, 'u');
  } catch (error) {
    throw badRequest(`${field} must be a regular expression: ${(error as Error).message}`);
  }
  const context = createContext({ expression, text: '' });
  const script = new Script('new RegExp(expression, "u").test(text)');
  return (text) => {
    context['text'] = text;
    try {
      return script.runInContext(context, { timeout: MATCH_MS }) as boolean;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      throw badRequest(
        `${field} must be a regular expression that ends in ${MATCH_MS} ms, got ${quote(expression)}`,
      );
    }
  };
}
