/*
 * Does random things to a running service and to a naive model of it, for as long as one likes, and compares what both
 * say: `npm run differential -- --minutes N`. The first difference is shrunk, written to a file and ends it with exit
 * code 1; `--replay FILE` has it again.
 */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { freshSeed } from '../helpers/chance.ts';
import { hunt, KINDS, replay, type Kind } from './hunt.ts';
import { report } from './report.ts';
import { Difference } from './run-script.ts';
import type { Script } from './script.ts';

const USAGE = `npm run differential -- [--minutes N] [--only ${Object.keys(KINDS).join('|')}] [--seed S] | --replay FILE`;
const SHRINK_MS = 5 * 60_000;
/** Scripts a round, in about the same time each. */
const ROUND = { calm: 60, rough: 12, large: 1 } as const;

interface Plan {
  readonly minutes: number;
  readonly kinds: readonly Kind[];
  /** Null: a new one each round. */
  readonly seed: number | null;
  readonly file: string | undefined;
}

function planOf(args: readonly string[]): Plan {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: { minutes: text, only: text, seed: text, replay: text },
  });
  const minutes = Number(values.minutes ?? 5);
  if (!(minutes > 0)) throw new RangeError(`--minutes takes a number above 0, got "${values.minutes}".`);
  if (values.only !== undefined && !Object.hasOwn(KINDS, values.only))
    throw new RangeError(`--only takes one of ${Object.keys(KINDS).join(', ')}, got "${values.only}".`);
  const seed = values.seed === undefined ? null : Number(values.seed);
  if (seed !== null && !Number.isSafeInteger(seed))
    throw new RangeError(`--seed takes a whole number, got "${values.seed}".`);
  const kinds = values.only === undefined ? (Object.keys(KINDS) as Kind[]) : [values.only as Kind];
  return { minutes, kinds, seed, file: values.replay };
}

/** Resolves with the exit code: 0 when the time is over, 1 when there is a difference. */
async function differential({ minutes, kinds, seed }: Plan): Promise<number> {
  const start = performance.now();
  const elapsed = () => performance.now() - start;
  for (let round = 0; elapsed() < minutes * 60_000; round++) {
    const kind = kinds[round % kinds.length]!;
    const chosen = seed === null ? freshSeed() : seed + Math.floor(round / kinds.length);
    const { ran, finding } = await hunt({
      kind,
      seed: chosen,
      scripts: ROUND[kind],
      shrinkMs: SHRINK_MS,
      limitMs: minutes * 60_000 - elapsed(),
      found: ({ message }) =>
        console.error(`${kind}, seed ${chosen}: ${message}\nLooking for the least that shows it …`),
    });
    if (finding !== null) {
      console.error(await report({ kind, seed: chosen }, finding));
      return 1;
    }
    console.log(
      `${(elapsed() / 60_000).toFixed(1)} min  ${kind}, seed ${chosen}: ${ran} scripts, no difference`,
    );
  }
  return 0;
}

/** Runs the scripts of a file; resolves with the exit code. */
async function again(file: string): Promise<number> {
  const scripts = JSON.parse(await readFile(file, 'utf8')) as readonly Script[];
  try {
    await replay(scripts);
  } catch (error) {
    if (!(error instanceof Difference)) throw error;
    console.error(`${error.message}\n\n${error.shell}`);
    return 1;
  }
  console.log('No difference.');
  return 0;
}

try {
  const plan = planOf(process.argv.slice(2));
  process.exitCode = await (plan.file === undefined ? differential(plan) : again(plan.file));
} catch (error) {
  console.error(
    error instanceof RangeError || error instanceof TypeError ? `${error.message}\n${USAGE}` : error,
  );
  process.exitCode = 2;
}
