import { systemRandom } from '#core/base/system-random.ts';
import { SeededChance } from '#core/base/seeded-chance.ts';
import { Random } from '../fuzz/files/random.ts';
import { heldTime } from '../faults/held-time.ts';
import { makeDevice, restoreElsewhere, settings, type Simulated } from './acts.ts';
import { checkFinished } from './due.ts';
import { Model } from './model.ts';
import { settle } from './oracle.ts';
import { night, step } from './script.ts';
import { World } from './world.ts';

export interface Simulation {
  readonly seed: number;
  /** Time of the service that it takes, without steps of the clock. */
  readonly minutes: number;
  /** After so many steps everybody goes home until the next day; without it nobody does. */
  readonly stepsADay?: number | undefined;
}

export interface Outcome {
  /** Digests of all answers, exports among them, and of all files. */
  readonly answers: string;
  readonly stored: string;
  readonly steps: number;
  readonly counts: World['counts'];
  readonly records: number;
}

/** What failed, in which step. */
export class SimulationFailed extends Error {}

const MOST_BETWEEN_MS = 15_000;

/** Runs the service for so long. Throws SimulationFailed at the first thing that is not as it should be. */
export function simulate(simulation: Simulation): Promise<Outcome> {
  return heldTime(() => seeded(simulation.seed, () => run(simulation)));
}

async function run({ seed, minutes, stepsADay = Infinity }: Simulation): Promise<Outcome> {
  const random = new Random(seed);
  const world = new World(seed, random);
  let steps = 0;
  try {
    await world.start();
    const { id } = await world.data('POST', '/_local/v1/projects', { body: { name: 'Plant' } });
    const model = new Model(id as string);
    const on: Simulated = { world, model };
    await settings(on);
    for (let n = 0; n < 4; n++) await makeDevice(on);
    for (let left = minutes * 60_000; left > 0; steps++) {
      if (steps > 0 && steps % stepsADay === 0) left -= await night(on);
      const ms = random.int(100, MOST_BETWEEN_MS);
      left -= ms;
      await world.advance(ms);
      await step(on);
    }
    if (world.disk.health !== 'well') world.turn('well');
    world.say('the end');
    await world.stop();
    await world.start();
    await settle(world, model);
    const restored = await restoreElsewhere(on, new World(seed + 1, random));
    await world.stop();
    checkFinished(world);
    const records = model.devices.reduce((sum, { content }) => sum + content.records.length, 0);
    return {
      answers: `${world.answers} ${restored}`,
      stored: world.stored,
      steps,
      counts: world.counts,
      records,
    };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const lines = [
      `Seed ${seed}, step ${steps}: ${why}`,
      'Before it:',
      ...world.trail.map((line) => `  ${line}`),
      ...(world.logged.length > 0
        ? ['The service said:', ...world.logged.slice(-12).map((line) => `  ${line}`)]
        : []),
      `Again: npm run simulation -- --seed ${seed} --minutes ${minutes}${stepsADay < Infinity ? ` --steps-a-day ${stepsADay}` : ''}`,
    ];
    throw new SimulationFailed(lines.join('\n'), { cause: error });
  } finally {
    world.close();
  }
}

/** Draws from a seed, too, what no seed of a service reaches: salts, and the ids of errors. */
async function seeded<T>(seed: number, work: () => Promise<T>): Promise<T> {
  const before = { ...systemRandom };
  const chance = new SeededChance(`simulation ${seed}`);
  Object.assign(systemRandom, {
    uuid: () => chance.uuid(),
    bytes: (count: number) => chance.bytes(count),
    number: () => chance.number(),
  });
  try {
    return await work();
  } finally {
    Object.assign(systemRandom, before);
  }
}
