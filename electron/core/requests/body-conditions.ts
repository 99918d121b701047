import { createContext, Script } from 'node:vm';
import type { BodyCondition } from '#shared/operations/service/requests.ts';
import { parseJson } from '#shared/values/json.ts';
import { quote } from '#shared/values/validate.ts';
import { badRequest } from '../base/errors.ts';

/** Conditions on the body of a request, by paths such as `temperature` or `0.state`. */
export type BodyConditions = Readonly<Record<string, BodyCondition>>;

/** ms that a regular expression may take for one text. */
const MATCH_MS = 50;

/** Conditions that are held against bodies; regular expressions are compiled once. */
export class BodyChecker {
  readonly #conditions: readonly (readonly [path: string, condition: BodyCondition, test: Test | null])[];

  /** Throws a 400 Refusal where a regular expression is none. */
  constructor(conditions: BodyConditions) {
    this.#conditions = Object.entries(conditions).map(([path, condition]) => [
      path,
      condition,
      typeof condition === 'object' && condition !== null && 'matches' in condition
        ? testOf(path, condition.matches)
        : null,
    ]);
  }

  /**
   * How the body differs, a sentence for each condition; none where it is so. Of several records, in an array or a line each,
   * the one that comes nearest counts, or the array itself, whose paths begin with an index. Throws a 400 Refusal where a regular
   * expression takes too long.
   */
  differences(body: string | null): string[] {
    if (this.#conditions.length === 0) return [];
    const found = recordsIn(body);
    if (found === null)
      return [`body: ${body === null ? 'there is none' : 'it is no JSON, or longer than what is kept'}`];
    let nearest: string[] | null = null;
    for (const each of found) {
      const differs = this.#of(each);
      if (differs.length === 0) return [];
      if (nearest === null || differs.length < nearest.length) nearest = differs;
    }
    return nearest ?? [];
  }

  #of(value: unknown): string[] {
    return this.#conditions.flatMap(([path, condition, test]) => {
      const is = valueAt(value, path);
      if (is === undefined) return [`body.${path} is missing`];
      return differenceOf(is, condition, test).map((differs) => `body.${path}: ${quote(is)} ${differs}`);
    });
  }
}

/** The JSON values of a body; null where it is none. */
function recordsIn(body: string | null): readonly unknown[] | null {
  if (body === null) return null;
  const whole = parsed(body);
  if (Array.isArray(whole) && whole.length > 0) return [...(whole as unknown[]), whole];
  if (whole !== undefined) return [whole];
  const lines = body
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(parsed);
  return lines.length > 1 && lines.every((line) => line !== undefined) ? lines : null;
}

/** Undefined for what is no JSON. */
function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function valueAt(value: unknown, path: string): unknown {
  if (typeof value === 'object' && value !== null && Object.hasOwn(value, path)) return at(value, path);
  return path.split('.').reduce<unknown>(at, value);
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

function differenceOf(is: unknown, condition: BodyCondition, test: Test | null): string[] {
  if (typeof condition !== 'object' || condition === null)
    return is === condition ? [] : [`is not ${quote(condition)}`];
  if ('matches' in condition)
    return typeof is === 'string' && test?.(is) ? [] : [`does not match ${quote(condition.matches)}`];
  return (Object.keys(BOUNDS) as (keyof typeof BOUNDS)[]).flatMap((name) => {
    const bound = condition[name];
    const [sign, holds] = BOUNDS[name];
    return bound === undefined || (typeof is === 'number' && holds(is, bound))
      ? []
      : [`is not ${sign} ${bound}`];
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
