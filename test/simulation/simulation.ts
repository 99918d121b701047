/*
 * The whole service under one seed: `npm run simulation -- --seed N`. An hour of devices and people, kills, power cuts, full disks, cut
 * wires and steps of the clock, in one process and some seconds; each seed twice, and both times the same to the byte.
 */
import { parseArgs } from 'node:util';
import { freshSeed } from '../helpers/chance.ts';
import { simulate, SimulationFailed } from './run.ts';

const USAGE =
  'npm run simulation -- [--seed N] [--seeds COUNT] [--days D | --hours H | --minutes M] [--steps-a-day N] [--once]';
/** What happens on a day of `--days`. */
const STEPS_A_DAY = 20;

interface Plan {
  readonly seed: number;
  readonly seeds: number;
  readonly minutes: number;
  /** After so many steps the next day begins. */
  readonly stepsADay: number | undefined;
  /** How often each seed runs. */
  readonly runs: number;
}

function planOf(args: readonly string[]): Plan {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: text,
      seeds: text,
      days: text,
      hours: text,
      minutes: text,
      'steps-a-day': text,
      once: { type: 'boolean' },
    },
  });
  const number = <Otherwise>(
    name: 'seed' | 'seeds' | 'days' | 'hours' | 'minutes' | 'steps-a-day',
    otherwise: Otherwise,
  ): number | Otherwise => {
    const given = values[name];
    if (given === undefined) return otherwise;
    const read = Number(given);
    if (!(read >= 0)) throw new RangeError(`--${name} takes a number from 0, got "${given}".`);
    return read;
  };
  const seed = number('seed', freshSeed());
  const seeds = number('seeds', 1);
  if (!Number.isSafeInteger(seed)) throw new RangeError(`--seed takes a whole number, got "${values.seed}".`);
  if (!Number.isSafeInteger(seeds))
    throw new RangeError(`--seeds takes a whole number, got "${values.seeds}".`);
  const days = number('days', null);
  const minutes = number('minutes', days === null ? number('hours', 1) * 60 : days * 1440);
  const stepsADay = number('steps-a-day', days === null ? undefined : STEPS_A_DAY);
  return { seed, seeds, minutes, stepsADay, runs: values.once === true ? 1 : 2 };
}

/** Resolves with the exit code. */
async function simulation({ seed: first, seeds, minutes, stepsADay, runs }: Plan): Promise<number> {
  // What is loaded when it is needed first would take turns of the event loop.
  await simulate({ seed: 0, minutes: 5 });
  const from = process.hrtime.bigint();
  let simulated = 0;
  for (let seed = first; seed < first + seeds; seed++) {
    try {
      const [one, other] = [
        await simulate({ seed, minutes, stepsADay }),
        runs > 1 ? await simulate({ seed, minutes, stepsADay }) : null,
      ];
      simulated += minutes * runs;
      const s = Number(process.hrtime.bigint() - from) / 1e9;
      const { requests, starts, kills, powerCuts, cuts } = one.counts;
      console.log(
        `seed ${seed}: ${one.steps} steps, ${requests} requests, ${one.records} records left, ${starts} starts, ${kills} kills, ` +
          `${powerCuts} power cuts, ${cuts} cut wires; answers ${one.answers.slice(0, 12)}, files ${one.stored.slice(0, 12)}; ` +
          `${Math.round((simulated * 60) / s)} times as fast as the clock`,
      );
      if (other !== null && (other.answers !== one.answers || other.stored !== one.stored)) {
        console.error(
          `Failed: the second run of seed ${seed} differs: answers ${other.answers.slice(0, 12)}, files ${other.stored.slice(0, 12)}.`,
        );
        return 1;
      }
    } catch (error) {
      if (!(error instanceof SimulationFailed)) throw error;
      console.error(`Failed. ${error.message}\n${error.cause instanceof Error ? error.cause.stack : ''}`);
      return 1;
    }
  }
  return 0;
}

try {
  process.exitCode = await simulation(planOf(process.argv.slice(2)));
} catch (error) {
  console.error(
    error instanceof RangeError || error instanceof TypeError ? `${error.message}\n${USAGE}` : error,
  );
  process.exitCode = 2;
}
