/*
 * Lets people work on a service with many devices for as long as one likes, while its clock runs fast, and looks whether
 * its memory stays: `npm run soak -- --minutes N`. Ends with exit code 1 where it does not, where an answer is wrong, or
 * where a record is missing after a kill. `-- --lab`: three services over one database, at which devices store single
 * records; it ends with 1 where tables other than those of records grow, records wait to be sealed, or answers get slower.
 * `-- --growth`: two services over a primary with a synchronous standby, of which one each is killed, and 100,000 devices; it
 * says what that took, and ends with 1 where an acknowledged record is missing or there twice.
 */
import { parseArgs } from 'node:util';
import { freshSeed } from '../helpers/chance.ts';
import { soak } from './run.ts';
import { soakGrowth } from './growth.ts';
import { soakLab } from './lab-soak.ts';
import { labVerdictOf } from './lab-verdict.ts';
import { verdictOf } from './verdict.ts';

const USAGE =
  'npm run soak -- [--minutes N] [--devices N] [--seed S] [--factor N], or --lab [--minutes N] [--devices N] [--rate N] [--leftovers N], or --growth [--minutes N] [--devices N] [--rate N] [--each N]';

function planOf(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string', default: '10' },
      devices: { type: 'string' },
      factor: { type: 'string', default: '60' },
      seed: { type: 'string' },
      lab: { type: 'boolean', default: false },
      growth: { type: 'boolean', default: false },
      rate: { type: 'string' },
      each: { type: 'string', default: '1' },
      leftovers: { type: 'string', default: '0' },
    },
  });
  const positive = (name: 'minutes' | 'devices' | 'factor' | 'rate' | 'each', otherwise = 0) => {
    const number = Number(values[name] ?? otherwise);
    if (number > 0) return number;
    throw new RangeError(`--${name} takes a number above 0, got "${values[name]}".`);
  };
  const seed = values.seed === undefined ? freshSeed() : Number(values.seed);
  if (!Number.isSafeInteger(seed)) throw new RangeError(`--seed takes a whole number, got "${values.seed}".`);
  const leftovers = Number(values.leftovers);
  if (!(leftovers >= 0))
    throw new RangeError(`--leftovers takes a number from 0, got "${values.leftovers}".`);
  return {
    minutes: positive('minutes'),
    devices: positive('devices', values.growth ? 100_000 : 1000),
    factor: positive('factor'),
    rate: positive('rate', values.growth ? 10_000 : 2000),
    each: positive('each'),
    isLab: values.lab,
    isGrowth: values.growth,
    leftovers,
    seed,
  };
}

async function run(args: readonly string[]): Promise<number> {
  const plan = planOf(args);
  const began = performance.now();
  const say = (line: string) =>
    console.log(`${((performance.now() - began) / 60_000).toFixed(1)} min  ${line}`);
  if (plan.isLab || plan.isGrowth) {
    const { faults, figures } = plan.isGrowth
      ? await soakGrowth({ ...plan, say })
      : labVerdictOf(await soakLab({ ...plan, say }));
    for (const figure of figures) console.log(figure);
    for (const fault of faults) console.error(`Wrong: ${fault}`);
    return faults.length > 0 ? 1 : 0;
  }
  say(`seed ${plan.seed}, the clock ${plan.factor} times as fast`);
  const { acts, stored, samples } = await soak({ ...plan, say });
  const { faults, figures } = verdictOf(samples);
  say(`${acts} acts, ${stored} records stored`);
  for (const figure of figures) console.log(figure);
  for (const fault of faults) console.error(`Wrong: ${fault}`);
  if (faults.length > 0)
    console.error(`Again: npm run soak -- --seed ${plan.seed} --minutes ${plan.minutes}`);
  return faults.length > 0 ? 1 : 0;
}

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  const isUsage = error instanceof RangeError || (error instanceof TypeError && 'code' in error);
  console.error(error);
  if (isUsage) console.error(USAGE);
  process.exitCode = isUsage ? 2 : 1;
}
