/*
 * Sends requests that nobody thought of to every operation for as long as one likes: `npm run fuzz -- --minutes N`. The
 * first that breaks a rule ends it with exit code 1, as small as it can be made, and says how to have it again.
 */
import { parseArgs } from 'node:util';
import { runFuzz } from './run.ts';
import { openTarget } from './target.ts';

const USAGE = 'npm run fuzz -- [--minutes N] [--only operation] [--seed S] [--runs N]';

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
      runs: { type: 'string', default: '100' },
    },
  });
  const minutes = Number(values.minutes);
  if (!(minutes > 0)) throw new RangeError(`--minutes takes a number above 0, got "${values.minutes}".`);
  const runs = wholeNumber('runs', values.runs);
  const seed = values.seed === undefined ? null : wholeNumber('seed', values.seed);
  return { minutes, only: values.only, seed, runs };
}

async function fuzz({ minutes, only, seed, runs }: ReturnType<typeof planOf>): Promise<void> {
  const target = await openTarget();
  try {
    const ids = only === undefined ? target.operations.map(({ id }) => id) : [only];
    const end = performance.now() + minutes * 60_000;
    // A seed of one operation is had again once; else each round has its own.
    const rounds = seed !== null && only !== undefined ? 1 : Infinity;
    let random = seed ?? Math.floor(Math.random() * 2 ** 31);
    let sent = 0;
    for (let round = 1; round <= rounds && performance.now() < end; round++) {
      for (const id of ids) {
        if (performance.now() >= end) break;
        sent += await runFuzz(target, id, { seed: random, runs });
      }
      console.log(`round ${round}, seed ${random}: ${sent} requests so far, all as they should be`);
      random = (random + 1) % 2 ** 31;
    }
  } finally {
    await target.stop();
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
