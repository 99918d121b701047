import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { calmScripts, largeScripts, roughScripts } from './arbitrary-scripts.ts';
import { startHost, type Host } from './host.ts';
import { Difference, runScript } from './run-script.ts';
import { endsProcess, type Script } from './script.ts';

/*
 * Runs random scripts and shrinks the first that fails. Scripts share a process, for speed; one that fails is tried
 * again in a fresh one. Where it needs what earlier scripts left in the process, those stand before it from then on.
 */

export const KINDS = { calm: calmScripts, rough: roughScripts, large: largeScripts } as const;
export type Kind = keyof typeof KINDS;

export interface Hunt {
  readonly kind: Kind;
  readonly seed: number;
  readonly scripts: number;
  /** ms that shrinking may take; then the smallest so far counts. */
  readonly shrinkMs: number;
  /** No further script begins after so many ms. */
  readonly limitMs?: number;
  /** Hears of the first difference, before it is shrunk. */
  readonly found?: (difference: Difference) => void;
  /** How services are started; `startHost` unless said otherwise. */
  readonly start?: () => Promise<Host>;
}

export interface Finding {
  /** To be run one after the other in one fresh process. */
  readonly scripts: readonly Script[];
  readonly difference: Difference;
}

/** Scripts that one process is asked to run, at most: all of them are kept for a finding. */
const SCRIPTS_A_PROCESS = 50;

/** Answers how many scripts ran and the smallest that fails, if any does. */
export async function hunt(plan: Hunt): Promise<{
  readonly ran: number;
  readonly finding: Finding | null;
}> {
  await using bench = new Bench(plan);
  const property = fc.asyncProperty(KINDS[plan.kind], (script) => bench.run(script));
  const { failed, errorInstance } = await fc.check(property, { seed: plan.seed, numRuns: plan.scripts });
  // No difference, but a service that did not even start.
  if (failed && bench.finding === null) throw errorInstance;
  return { ran: bench.ran, finding: bench.finding };
}

/** Runs scripts in a fresh process; throws a Difference. */
export async function replay(scripts: readonly Script[], start = startHost): Promise<void> {
  const host = await start();
  try {
    for (const script of scripts) await runScript(host, script);
  } catch (error) {
    if (error instanceof Difference) error.message += lastWords(host);
    throw error;
  } finally {
    await host.close();
  }
}

/** What the service said of errors, which its own log explains. */
function lastWords(host: Host): string {
  const errors = host
    .output()
    .split('\n')
    .filter((line) => /error/i.test(line));
  return errors.length > 0 ? `\nThe service said:\n${errors.slice(-20).join('\n')}` : '';
}

class Bench {
  finding: Finding | null = null;
  ran = 0;
  readonly #plan: Hunt;
  readonly #start: () => Promise<Host>;
  /** When no script begins any more; from the first difference on, when shrinking ends. */
  #deadline: number;
  #shared: Host | null = null;
  /** What ran in the shared process. */
  #history: Script[] = [];
  /** Of the script that failed: how many steps it had, and those that it takes to fail. */
  #length = 0;
  #kept: readonly number[] = [];

  constructor(plan: Hunt) {
    this.#plan = plan;
    this.#start = plan.start ?? startHost;
    this.#deadline = performance.now() + (plan.limitMs ?? Infinity);
  }

  async run(script: Script): Promise<void> {
    if (performance.now() > this.#deadline) return;
    if (this.finding !== null) return this.#smaller(script, this.finding);
    this.ran++;
    const difference = await differenceOf(() =>
      endsProcess(script) ? replay([script], this.#start) : this.#share(script),
    );
    if (difference === null) return;
    this.#plan.found?.(difference);
    this.#deadline = performance.now() + this.#plan.shrinkMs;
    const history = this.#history;
    await this.#renew();
    const before = endsProcess(script) ? [] : ((await this.#needed(history, script)) ?? []);
    this.finding = { scripts: [...before, script], difference };
    this.#length = script.steps.length;
    for (let which = before.length; which >= 0; which--) {
      const kept = await this.#leaveOut(which);
      if (which === before.length) this.#kept = kept;
    }
    throw difference;
  }

  /** Which steps of one of the finding's scripts it takes: halves are left out, then quarters, then single ones. */
  async #leaveOut(which: number): Promise<readonly number[]> {
    const { scripts } = this.finding!;
    const { devices, steps } = scripts[which]!;
    let kept = steps.map((_, i) => i);
    for (let size = Math.ceil(kept.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
      for (let at = 0; at < kept.length && performance.now() < this.#deadline;) {
        const fewer = kept.toSpliced(at, size);
        const script = { devices, steps: fewer.map((i) => steps[i]!) };
        if ((await this.#try(scripts.with(which, script))) === null) at += size;
        else kept = fewer;
      }
    return kept;
  }

  /** A script with smaller values than the one that failed, without the steps that it does not take. */
  async #smaller({ devices, steps }: Script, { scripts, difference }: Finding): Promise<void> {
    // Another one with fewer steps: which it takes is known better.
    if (steps.length !== this.#length) return;
    const smaller = scripts.with(scripts.length - 1, { devices, steps: this.#kept.map((i) => steps[i]!) });
    // It changed a step that is left out: smaller without a trial.
    if (isDeepStrictEqual(smaller, scripts)) throw difference;
    const found = await this.#try(smaller);
    if (found !== null) throw found;
  }

  async #share(script: Script): Promise<void> {
    if (this.#history.length >= SCRIPTS_A_PROCESS) await this.#renew();
    this.#shared ??= await this.#start();
    await runScript(this.#shared, script);
    this.#history.push(script);
  }

  /**
   * Runs fewer or smaller scripts; what fails is the finding from then on. A process that ran others is quick to say
   * that all is well, but only a fresh one is believed when it is not.
   */
  async #try(scripts: readonly Script[]): Promise<Difference | null> {
    const [script, more] = scripts;
    if (script !== undefined && more === undefined && !endsProcess(script)) {
      if ((await differenceOf(() => this.#share(script))) === null) return null;
      await this.#renew();
    }
    const difference = await differenceOf(() => replay(scripts, this.#start));
    if (difference !== null) this.finding = { scripts, difference };
    return difference;
  }

  /** The scripts that must have run for this one to fail; null where it does not fail again. */
  async #needed(history: readonly Script[], script: Script): Promise<readonly Script[] | null> {
    const fails = async (before: readonly Script[]) =>
      (await differenceOf(() => replay([...before, script], this.#start))) !== null;
    if (await fails([])) return [];
    if (!(await fails(history))) return null;
    let kept = history;
    for (let size = Math.ceil(kept.length / 2); kept.length > 1; size = Math.ceil(size / 2)) {
      for (let at = 0; at < kept.length && kept.length > 1;) {
        const fewer = kept.toSpliced(at, size);
        if (await fails(fewer)) kept = fewer;
        else at += size;
      }
      if (size === 1) break;
    }
    return kept;
  }

  async #renew(): Promise<void> {
    await this.#shared?.close();
    this.#shared = null;
    this.#history = [];
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#renew();
  }
}

async function differenceOf(work: () => Promise<void>): Promise<Difference | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (error instanceof Difference) return error;
    throw error;
  }
}
