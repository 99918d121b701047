import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { killedBackups } from '../crash/backup/kills.ts';
import { killedCorrections } from '../crash/cluster/corrections.ts';
import { killedCluster } from '../crash/cluster/kills.ts';
import { killedSnapshots } from '../crash/snapshots/kills.ts';
import { killRound, nothingYet, someMoment } from '../crash/kill-round.ts';
import { killedWhilePublishing } from '../crash/mqtt/kills.ts';
import { operations } from '../suites/record-store/model-operations.ts';
import { checkHarmed, flips, sampleOf, truncations } from '../faults/damage.ts';
import { erasingProperty } from '../faults/erasing.ts';
import { erasedFromTables } from '../faults/erasing-database.ts';
import { fullFor, singleFaults } from '../faults/faults.ts';
import { journalProperty } from '../faults/journal-lives.ts';
import type { Act } from '../faults/history.ts';
import { powerCuts } from '../faults/power-cuts.ts';
import { crashProperty, generator } from '../faults/random-crashes.ts';
import { removalProperty } from '../faults/removals.ts';
import { sleepingProperty } from '../faults/sleeping.ts';
import { WORKLOAD, type Step } from '../faults/workload.ts';
import { startLab } from '../helpers/lab/lab.ts';
import { hasPostgres, startPostgres } from '../helpers/postgres/postgres.ts';
import { cutPushes } from '../helpers/push/push-cuts.ts';
import { runService, type RunningService } from '../helpers/service/running-service.ts';
import { cutWire, pushTwice, type WireBytes } from '../helpers/push/wire-pushes.ts';
import { openErasing, openSleeping, openTiny } from '../unit/store/log-proof/open-tiny.ts';
import { LAB_JOBS } from './lab-jobs.ts';

/** Works for a while on what its seed says; throws where the log is wrong, else says what it did. */
export type Job = (seed: number) => Promise<string>;

const KILLS = 10;
const PUSH_CUTS = 100;
const PUSHED_TWICE = 1_000_000;
/** Of the bytes of the first push: what the second one may cost. */
const MOST_AGAIN = 0.005;
/** A seed has the same one each time. */
const openerOf = (seed: number) => [openTiny, openErasing, openSleeping][seed % 3] ?? openTiny;
/** Long enough that the journal of sessions is written anew many times. */
const MQTT_KILLS = 30;
const BACKUP_KILLS = 50;
const CORRECTION_KILLS = { services: 20, everyMs: 1000 };
const CLUSTER_KILLS = { services: 30, databases: 10, pauses: 2, everyMs: 400 };

export const JOBS: Readonly<Record<string, Job>> = {
  async model(seed) {
    const numRuns = 500;
    await fc.assert(crashProperty(openTiny), { seed, numRuns });
    return `${numRuns} random sequences with kills and power cuts`;
  },

  async removals(seed) {
    const numRuns = 1000;
    await fc.assert(removalProperty(openerOf(seed)), { seed, numRuns });
    return `${numRuns} removals of devices in the middle of everything`;
  },

  async sleeping(seed) {
    const numRuns = 1000;
    await fc.assert(sleepingProperty(openSleeping), { seed, numRuns });
    return `${numRuns} sequences in which some devices sleep while others store, and removals, kills and power cuts go on`;
  },

  async erasing(seed) {
    const numRuns = 500;
    let acts = 0;
    for (const open of [openTiny, openErasing, openSleeping])
      await fc.assert(
        erasingProperty(open, (some) => (acts += some)),
        { seed, numRuns },
      );
    return `${acts} random acts in ${3 * numRuns} sequences, after which nothing deleted is found`;
  },

  async 'erasing-database'(seed) {
    if (!hasPostgres) return 'skipped: there is no PostgreSQL for this system in node_modules';
    const numRuns = 20;
    let acts = 0;
    const server = await startPostgres();
    await fc.assert(await erasedFromTables(server, (some) => (acts += some)), { seed, numRuns });
    await server.stop();
    return `${acts} random acts in ${numRuns} sequences, after which nothing deleted is in a table`;
  },

  async 'power-cuts'(seed) {
    const stride = 1 + (seed % 7);
    const steps = stepsOf(seed);
    const states = await powerCuts(openerOf(seed), {
      steps,
      first: seed % stride,
      stride,
    });
    return `${states} states of the disk after power cuts during ${steps.length} steps`;
  },

  async faults(seed) {
    const random = generator(seed);
    const stride = 1 + (seed % 5);
    const steps = stepsOf(seed);
    const runs = await singleFaults(openerOf(seed), {
      steps,
      first: seed % stride,
      stride,
    });
    for (let i = 0; i < 20; i++)
      await fullFor(openTiny, 10 + Math.floor(random() * 400), 1 + Math.floor(random() * 200));
    return `${runs} failing file operations, 20 full disks`;
  },

  async damage(seed) {
    const open = openerOf(seed);
    const sample = await sampleOf(open, actsOf(stepsOf(seed)));
    let tried = 0;
    // Every place and bit in turn would take minutes: another part of them each time.
    for (const harms of [truncations(sample, 5, seed % 5), flips(sample, 37, seed % 37)])
      for (const harm of harms) {
        await checkHarmed(open, sample, harm);
        tried++;
      }
    return `${tried} truncations and flipped bits`;
  },

  async journal(seed) {
    const numRuns = 5000;
    await fc.assert(journalProperty(), { seed, numRuns });
    return `${numRuns} journals of lines on disks that fail and lose power`;
  },

  mqtt: (seed) => killedWhilePublishing(seed, MQTT_KILLS),

  async push(seed) {
    const directory = await mkdtemp(join(tmpdir(), 'fieldbench-torture-'));
    const random = generator(seed);
    const { records, requests } = await cutPushes({ directory, cuts: PUSH_CUTS, records: 50_000, random });
    await rm(directory, { recursive: true });
    const wires = [await cutInFolder(random), ...(hasPostgres ? [await cutInDatabase(random)] : [])];
    return `${PUSH_CUTS} cuts in ${requests} requests, then equal digests of ${records} records, none twice; ${wires.join('; ')}`;
  },

  async 'push-again'() {
    const here = await runService();
    const lab = await runService();
    const { first, second } = await pushTwice(here, lab, PUSHED_TWICE);
    await here.stop();
    await lab.stop();
    const bytes = ({ there, back }: WireBytes) => `${there} bytes there, ${back} back`;
    const part = (second.there + second.back) / (first.there + first.back);
    const said = `${PUSHED_TWICE} records: ${bytes(first)}; again: ${bytes(second)}, ${(part * 100).toFixed(3)} %`;
    if (part > MOST_AGAIN) throw new Error(`A second push costs too much. ${said}`);
    return said;
  },

  backups: (seed) => killedBackups(seed, BACKUP_KILLS),
  snapshots: (seed) => killedSnapshots(seed, BACKUP_KILLS),
  cluster: (seed) => killedCluster(seed, CLUSTER_KILLS),
  corrections: (seed) => killedCorrections(seed, CORRECTION_KILLS),
  ...LAB_JOBS,

  async kills(seed) {
    const random = generator(seed);
    const directory = await mkdtemp(join(tmpdir(), 'fieldbench-torture-'));
    const victim = {
      module: fileURLToPath(new URL('../crash/open-small-log.ts', import.meta.url)),
      name: 'openSmallLog',
      directory,
    };
    const ever = nothingYet();
    for (let round = 0; round < KILLS; round++)
      await killRound(victim, round, someMoment(round, random), ever);
    // Kept where a round failed, for whoever looks into it.
    await rm(directory, { recursive: true });
    return `${KILLS} kills, ${[...ever.stored.values()].reduce((sum, last) => sum + last + 1, 0)} records kept`;
  },
};

async function cutInFolder(random: () => number): Promise<string> {
  const here = await runService();
  const lab = await runService();
  const { pushes, records } = await cutWire({ here, lab, cuts: PUSH_CUTS, records: 50_000, random });
  await here.stop();
  await lab.stop();
  return `${PUSH_CUTS} cuts of the wire to a service in ${pushes} pushes, ${records} records`;
}

async function cutInDatabase(random: () => number): Promise<string> {
  const here = await runService();
  const postgres = await startPostgres();
  const lab = await startLab(postgres, 1);
  const [service] = lab.services as [RunningService];
  const { pushes, records } = await cutWire({
    here,
    lab: service,
    cuts: PUSH_CUTS,
    records: 50_000,
    random,
  });
  await here.stop();
  await lab.stop();
  await postgres.stop();
  return `${PUSH_CUTS} of the wire to one over a database in ${pushes} pushes, ${records} records`;
}

/** The suite's own workload now and then, else a random one. */
function stepsOf(seed: number): readonly Step[] {
  if (seed % 4 === 0) return WORKLOAD;
  const [sequence = []] = fc.sample(fc.array(operations, { minLength: 8, maxLength: 25 }), {
    seed,
    numRuns: 1,
  });
  return sequence.map((operation) => {
    if (operation.kind === 'reopen') return 'reopen';
    if (operation.kind === 'batch' && !operation.commit) return [];
    return [operation];
  });
}

function actsOf(steps: readonly Step[]): Act[] {
  const acts = steps.flatMap((step) => (step === 'reopen' ? [] : step));
  // Something is there to be harmed, whatever the last acts removed.
  const [append] = WORKLOAD.flatMap((step) => (step === 'reopen' ? [] : step));
  return append ? [...acts, append] : acts;
}
