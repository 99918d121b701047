/*
 * Sends what nobody thought of to every operation and by every door for as long as one likes: `npm run fuzz -- --minutes N`.
 * The first that breaks a rule ends it with exit code 1, as small as it can be made, and says how to have it again.
 */
import { parseArgs } from 'node:util';
import { freshSeed } from '../helpers/chance.ts';
import { doorNames, openDoorTarget, shareOf } from './doors/run.ts';
import { runFuzz } from './run.ts';
import { openTarget } from './target.ts';
import { Tally } from './tally.ts';

const USAGE =
  'npm run fuzz -- [--minutes N | --inputs-in-all N] [--only doors|operations|<door>|<operation>] [--seed S] [--runs N] [--inputs N]\n' +
  `Doors: ${doorNames.join(', ')}. --runs is for each kind of request to an operation in a round, --inputs for a door in a\n` +
  'round; of several doors it is for all of them, and each takes its share. --inputs-in-all ends it after so many.';

function wholeNumber(name: string, text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 0)
    throw new RangeError(`--${name} takes a whole number, got "${text}".`);
  return number;
}

/** When it ends: after so many minutes, or inputs. */
function limitOf(minutesText: string | undefined, inputsText: string | undefined) {
  const minutes = Number(minutesText ?? (inputsText === undefined ? 5 : Infinity));
  if (!(minutes > 0)) throw new RangeError(`--minutes takes a number above 0, got "${minutesText}".`);
  const mostInputs = inputsText === undefined ? Infinity : wholeNumber('inputs-in-all', inputsText);
  return { minutes, mostInputs };
}

function planOf(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string' },
      'inputs-in-all': { type: 'string' },
      only: { type: 'string' },
      seed: { type: 'string' },
      runs: { type: 'string', default: '20' },
      inputs: { type: 'string', default: '20000' },
    },
  });
  return {
    ...limitOf(values.minutes, values['inputs-in-all']),
    only: values.only ?? 'all',
    seed: values.seed === undefined ? null : wholeNumber('seed', values.seed),
    runs: wholeNumber('runs', values.runs),
    inputs: wholeNumber('inputs', values.inputs),
  };
}

/** What is run in a round: each by its name, resolving with how many it sent; `left` is how many may still be. */
type Part = (seed: number, left: number) => Promise<number>;
type Plan = ReturnType<typeof planOf>;

async function fuzz(plan: Plan): Promise<void> {
  const { only, seed, runs, inputs } = plan;
  const target = await openTarget();
  const doors = openDoorTarget();
  const isAll = only === 'all';
  const names = isAll || only === 'doors' ? doorNames : doorNames.filter((name) => name === only);
  const operations = target.operations
    .map(({ id }) => id)
    .filter((id) => isAll || only === 'operations' || only === id);
  const inputsOf = (name: string, most: number) => (names.length === 1 ? most : shareOf(name, most));
  const parts = new Map<string, Part>([
    ...names.map((name): [string, Part] => [
      name,
      (random, left) => doors.run(name, { seed: random, inputs: inputsOf(name, Math.min(inputs, left)) }),
    ]),
    ...operations.map((id): [string, Part] => [id, (random) => runFuzz(target, id, { seed: random, runs })]),
  ]);
  try {
    if (parts.size === 0) throw new RangeError(`There is no door and no operation ${only}.`);
    // What broke is had again once; else each round has a seed of its own.
    const isAgain = seed !== null && parts.size === 1 && plan.mostInputs === Infinity;
    const rounds = isAgain ? 1 : Infinity;
    await rounded(parts, { ...plan, rounds, seed: seed ?? freshSeed() });
  } finally {
    await doors.stop();
    await target.stop();
  }
}

async function rounded(
  parts: ReadonlyMap<string, Part>,
  { minutes, mostInputs, rounds, seed }: Plan & { readonly rounds: number; readonly seed: number },
): Promise<void> {
  const end = performance.now() + minutes * 60_000;
  const tally = new Tally();
  for (let round = 1; round <= rounds; round++) {
    const random = (seed + round - 1) % 2 ** 31;
    const left = mostInputs - tally.inputs;
    if (left <= 0 || performance.now() >= end) return;
    try {
      for (const [name, run] of parts) {
        if (performance.now() >= end) break;
        await tally.add(name, run(random, left));
      }
    } finally {
      console.log(`round ${round}, seed ${random}: ${tally.described()}`);
    }
  }
}

try {
  const plan = planOf(process.argv.slice(2));
  await fuzz(plan);
} catch (error) {
  if (error instanceof RangeError || (error instanceof TypeError && 'code' in error)) {
    console.error(`${error.message}\n${USAGE}`);
    process.exitCode = 2;
  } else {
    console.error(error);
    process.exitCode = 1;
  }
}
