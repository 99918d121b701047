/*
 * Sends what nobody thought of to every operation and by every door for as long as one likes: `npm run fuzz -- --minutes N`.
 * The first that breaks a rule ends it with exit code 1, as small as it can be made, and says how to have it again.
 */
import { parseArgs } from 'node:util';
import { doorNames, openDoorTarget } from './doors/run.ts';
import { runFuzz } from './run.ts';
import { openTarget } from './target.ts';

const USAGE =
  'npm run fuzz -- [--minutes N] [--only doors|operations|<door>|<operation>] [--seed S] [--runs N] [--inputs N]\n' +
  `Doors: ${doorNames.join(', ')}. --runs is for each kind of request to an operation, --inputs for each door, in a round.`;

function wholeNumber(name: string, text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 0)
    throw new RangeError(`--${name} takes a whole number, got "${text}".`);
  return number;
}

function planOf(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string', default: '5' },
      only: { type: 'string' },
      seed: { type: 'string' },
      runs: { type: 'string', default: '20' },
      inputs: { type: 'string', default: '4000' },
    },
  });
  const minutes = Number(values.minutes);
  if (!(minutes > 0)) throw new RangeError(`--minutes takes a number above 0, got "${values.minutes}".`);
  const runs = wholeNumber('runs', values.runs);
  const seed = values.seed === undefined ? null : wholeNumber('seed', values.seed);
  return { minutes, only: values.only ?? 'all', seed, runs, inputs: wholeNumber('inputs', values.inputs) };
}

/** What is run in a round: each by its name, resolving with how many it sent. */
type Part = (seed: number) => Promise<number>;

async function fuzz({ minutes, only, seed, runs, inputs }: ReturnType<typeof planOf>): Promise<void> {
  const target = await openTarget();
  const doors = openDoorTarget();
  const isAll = only === 'all';
  const names = isAll || only === 'doors' ? doorNames : doorNames.filter((name) => name === only);
  const operations = target.operations
    .map(({ id }) => id)
    .filter((id) => isAll || only === 'operations' || only === id);
  const parts = new Map<string, Part>([
    ...names.map((name): [string, Part] => [name, (random) => doors.run(name, { seed: random, inputs })]),
    ...operations.map((id): [string, Part] => [id, (random) => runFuzz(target, id, { seed: random, runs })]),
  ]);
  try {
    if (parts.size === 0) throw new RangeError(`There is no door and no operation ${only}.`);
    // What broke is had again once; else each round has a seed of its own.
    const rounds = seed !== null && parts.size === 1 ? 1 : Infinity;
    await rounded(parts, { minutes, rounds, seed: seed ?? Math.floor(Math.random() * 2 ** 31) });
  } finally {
    await doors.stop();
    await target.stop();
  }
}

async function rounded(
  parts: ReadonlyMap<string, Part>,
  { minutes, rounds, seed }: { readonly minutes: number; readonly rounds: number; readonly seed: number },
): Promise<void> {
  const end = performance.now() + minutes * 60_000;
  const sent = new Map<string, number>();
  for (let round = 1; round <= rounds && performance.now() < end; round++) {
    const random = (seed + round - 1) % 2 ** 31;
    for (const [name, run] of parts) {
      if (performance.now() >= end) break;
      sent.set(name, (sent.get(name) ?? 0) + (await run(random)));
    }
    console.log(`round ${round}, seed ${random}: ${described(sent)}`);
  }
}

function described(sent: ReadonlyMap<string, number>): string {
  const all = [...sent.values()].reduce((sum, count) => sum + count, 0);
  const ofDoors = doorNames.filter((name) => sent.has(name)).map((name) => `${name} ${sent.get(name)}`);
  return `${all} inputs so far, all as they should be (${ofDoors.join(', ')})`;
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
