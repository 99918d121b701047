import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Outcome } from '#core/functions/sandbox/outcome.ts';
import type { Sandbox } from '#core/functions/sandbox/sandbox.ts';
import { openSandbox } from '../../helpers/functions/sandbox.ts';
import { writeScript, type Written } from './write-script.ts';

/** Scripts at once, each lane in a group of its own; one more process is the bystander's. */
const LANES = 3;
/** Scripts of a lane between two looks at scripts beside them. */
const BETWEEN = 10;
const BYSTANDER =
  'let n = 0; function f(x) { n++; return { n, sum: x.reduce((a, b) => a + b, 0), text: JSON.stringify(x), r: Math["random"]() } }';

export interface Found {
  scripts: number;
  calls: number;
  /** Calls by what became of them, and how the scripts came to be. */
  readonly outcomes: Record<string, number>;
  readonly ways: Record<string, number>;
  killed: number;
  crashed: number;
  /** Scripts whose calls were made once more, elsewhere. */
  again: number;
  /** What the engine said where it failed, with a seed. */
  readonly failures: Map<string, number>;
  /** ms of the longest turn of this process's event loop, and of one in a thousand. */
  longestTurn: number;
  p999: number;
}

/**
 * Runs scripts that nobody thought of. Throws an Error that names the seed where a call has no outcome or another one elsewhere, or where a script beside
 * them in its group or in another one answers wrongly.
 */
export async function huntFunctions(
  seed: number,
  scripts: number,
  told: (found: Found) => void = () => undefined,
): Promise<Found> {
  const sandbox = openSandbox();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const found: Found = {
    scripts: 0,
    calls: 0,
    outcomes: {},
    ways: {},
    killed: 0,
    crashed: 0,
    again: 0,
    failures: new Map(),
    longestTurn: 0,
    p999: 0,
  };
  const right = await askBystander(sandbox, 'bystander', 0);
  const hunt = new Hunt(sandbox, found, right);
  delay.enable();
  try {
    let next = 0;
    await Promise.all(
      Array.from({ length: LANES }, async (_, lane) => {
        while (next < scripts) {
          const number = next++;
          await hunt.tryScript(lane, seed + number);
          if (number % 10_000 === 9_999) told(found);
        }
      }),
    );
  } finally {
    await sandbox.close();
    delay.disable();
  }
  found.longestTurn = delay.max / 1e6;
  found.p999 = delay.percentile(99.9) / 1e6;
  return found;
}

const INPUT = JSON.stringify([1, 2.5, 3]);

async function askBystander(sandbox: Sandbox, group: string, seed: number): Promise<string> {
  const outcomes = await sandbox.run(group, BYSTANDER, 'f', [INPUT, INPUT]);
  const [one, other] = outcomes;
  if (!one?.ok || !other?.ok || one.text !== other.text)
    throw new Error(`Seed ${seed}: a script beside it in ${group} came to ${JSON.stringify(outcomes)}.`);
  return one.text;
}

class Hunt {
  readonly #sandbox: Sandbox;
  readonly #found: Found;
  readonly #right: string;
  readonly #groups = Array.from({ length: LANES }, (_, lane) => `lane ${lane}`);
  #made = 0;

  constructor(sandbox: Sandbox, found: Found, right: string) {
    this.#sandbox = sandbox;
    this.#found = found;
    this.#right = right;
  }

  async tryScript(lane: number, seed: number): Promise<void> {
    const written = writeScript(seed);
    const outcomes = await this.#run(lane, written, seed);
    this.#count(written, outcomes, seed);
    if (seed % BETWEEN === 0) await this.#lookBeside(lane, seed);
    if (seed % 20 === 0) await this.#again(written, outcomes, seed);
  }

  /** A group that has to wait, for what scripts before did in it, is left for another one. */
  async #run(lane: number, { script, inputs }: Written, seed: number): Promise<readonly Outcome[]> {
    for (;;) {
      const group = this.#groups[lane]!;
      const before = this.#sandbox.counts(group);
      const outcomes = await this.#sandbox.run(group, script, 'f', inputs);
      const after = this.#sandbox.counts(group);
      this.#found.killed += after.killed - before.killed;
      this.#found.crashed += after.crashed - before.crashed;
      if (outcomes.length !== inputs.length || outcomes.includes(undefined as unknown as Outcome))
        throw new Error(`Seed ${seed}: ${inputs.length} calls, and ${outcomes.length} outcomes.`);
      const made = after.calls - before.calls;
      if (made !== inputs.length)
        throw new Error(`Seed ${seed}: ${inputs.length} calls, and ${made} were counted.`);
      const refused = outcomes.filter((outcome) => !outcome.ok && outcome.kind === 'waiting');
      // Some were made: the script itself has to wait.
      if (refused.length < outcomes.length) return outcomes;
      this.#groups[lane] = `lane ${lane}, ${++this.#made}`;
    }
  }

  #count({ way, inputs }: Written, outcomes: readonly Outcome[], seed: number): void {
    const found = this.#found;
    found.scripts++;
    found.calls += inputs.length;
    found.ways[way] = (found.ways[way] ?? 0) + 1;
    for (const outcome of outcomes) {
      const kind = outcome.ok ? 'ok' : outcome.kind;
      found.outcomes[kind] = (found.outcomes[kind] ?? 0) + 1;
      if (outcome.ok) JSON.parse(outcome.text);
      else if (kind === 'crashed' && !found.failures.has(outcome.message))
        found.failures.set(outcome.message, seed);
    }
  }

  async #lookBeside(lane: number, seed: number): Promise<void> {
    for (const group of [this.#groups[lane]!, 'bystander']) {
      const said = await askBystander(this.#sandbox, group, seed);
      if (said !== this.#right) throw new Error(`Seed ${seed}: a script beside it in ${group} said ${said}.`);
    }
  }

  /** The same calls come to the same in another process, but for those that take too long in one of them: processor time is no count. */
  async #again({ script, inputs }: Written, outcomes: readonly Outcome[], seed: number): Promise<void> {
    const isPassing = (outcome: Outcome) =>
      !outcome.ok && ['late', 'waiting', 'crashed'].includes(outcome.kind);
    if (outcomes.some(isPassing)) return;
    this.#found.again++;
    const other = await this.#sandbox.run('bystander', script, 'f', inputs);
    const isLate = (outcome: Outcome | undefined) => outcome?.ok === false && outcome.kind === 'late';
    const differs = outcomes.some(
      (outcome, n) => !isLate(other[n]) && JSON.stringify(other[n]) !== JSON.stringify(outcome),
    );
    if (differs || other.length !== outcomes.length)
      throw new Error(
        `Seed ${seed}: ${JSON.stringify(outcomes)}, and elsewhere ${JSON.stringify(other)}:\n${script}`,
      );
  }
}
