import type { Random } from '../fuzz/files/random.ts';
import {
  backUp,
  dropDevice,
  importFile,
  makeDevice,
  purge,
  read,
  removeDevice,
  removeRecords,
  renewToken,
  settings,
  store,
  takeUndo,
  type Simulated,
} from './acts.ts';
import { correct } from './correct.ts';
import { comeToDue, makeKey } from './due.ts';
import type { Device } from './model.ts';
import { settle } from './oracle.ts';

/* What happens, as the seed draws it: devices and people, and what goes wrong with processes, disks, wires and clocks. */

type Happening = (on: Simulated) => Promise<void>;

const HOUR_US = 3_600_000_000;

/** With a device that is there, if any is. */
const withDevice =
  (what: (on: Simulated, device: Device) => Promise<void>): Happening =>
  async (on) => {
    const { present } = on.model;
    if (present.length > 0) await what(on, on.world.random.of(present));
  };

/** Several devices store at once. */
const burst: Happening = async (on) => {
  const { random } = on.world;
  const devices = on.model.present.filter(() => random.chance(0.6));
  await Promise.all(devices.map((device) => store(on, device)));
};

/** What failed may be half done until the next start. */
const compareAll: Happening = async ({ world, model }) => {
  if (world.isUp && !world.isTroubled && !model.isInDoubt) await settle(world, model);
};

const storeByBadWire = withDevice(async (on, device) => {
  const { random } = on.world;
  const wasInDoubt = on.model.isInDoubt;
  await store(on, device, random.chance(0.5) ? { sent: random.int(1, 700) } : { heard: random.int(0, 500) });
  // What the service has under way for nobody ends by itself.
  await on.world.quiet();
  if (on.world.isUp && !on.world.isTroubled && !wasInDoubt) await settle(on.world, on.model);
});

/**
 * Deletes, and what becomes of those that can be undone, each with how many file operations it takes at most: it is several changes,
 * and a start finishes what was begun.
 */
const DELETES: readonly (readonly [operations: number, Happening])[] = [
  [50, withDevice(removeRecords)],
  [50, withDevice(removeRecords)],
  [4, withDevice(removeDevice)],
  [4, withDevice(removeDevice)],
  [10, withDevice(dropDevice)],
  [10, (on) => takeUndo(on, 'restore')],
  [10, (on) => takeUndo(on, 'restore')],
  [15, (on) => takeUndo(on, 'discard')],
];

/** What changes something, each so many times as often as another. */
const CHANGES: readonly (readonly [weight: number, name: string, Happening])[] = [
  [30, 'a device stores', withDevice(store)],
  [12, 'devices store at once', burst],
  [4, 'a file is imported', withDevice(importFile)],
  [1, 'records are purged', withDevice(purge)],
  [4, 'records are deleted', withDevice(removeRecords)],
  [1.5, 'a device is deleted', withDevice(removeDevice)],
  [0.5, 'a device is deleted for good', withDevice(dropDevice)],
  [3, 'a device is made', makeDevice],
  [1, 'a token is renewed', withDevice(renewToken)],
  [4, 'a delete is undone', (on) => takeUndo(on, 'restore')],
  [1, 'what was deleted is discarded', (on) => takeUndo(on, 'discard')],
  [3, 'a correction is entered, changed or removed', withDevice(correct)],
  [1, 'settings are changed', settings],
  [0.7, 'a key is made', makeKey],
];

/** What goes on between. */
const OTHERS: typeof CHANGES = [
  [6, 'a device is read', withDevice(read)],
  [2, 'all is compared', compareAll],
  [0.5, 'a backup is made', backUp],
  [4, 'a device stores by a bad wire', storeByBadWire],
  [0.7, 'the process is killed', (on) => breakDown(on, 'kill')],
  [0.9, 'the power is cut', (on) => breakDown(on, 'power cut')],
  [0.8, 'a delete is cut off', (on) => cutOff(on)],
  [0.8, 'what was deleted is due', (on) => beDue(on)],
  [0.5, 'the service is started again', (on) => startAgain(on)],
  [0.6, 'the disk is full', async ({ world }) => void (world.disk.health === 'well' && world.turn('full'))],
  [
    0.3,
    'the disk does not sync',
    async ({ world }) => void (world.disk.health === 'well' && world.turn('unsynced')),
  ],
  [0.6, 'the clock is set ahead', ({ world }) => world.set(world.now + world.random.int(1, 60) * HOUR_US)],
  [0.3, 'the clock is set back', ({ world }) => world.set(world.now - world.random.int(1, 3) * HOUR_US)],
];

/** What was deleted is due: once that has been swept, it is gone, and nothing else. */
async function beDue(on: Simulated): Promise<void> {
  const { world, model } = on;
  if (!world.isUp || world.isTroubled || model.isInDoubt) return;
  await comeToDue(on);
  await settle(world, model);
}

const ALL = [...CHANGES, ...OTHERS];

/** In which share of the steps a disk that is not well gets well again. */
const MENDS = 0.15;

/** The next thing that happens. */
export async function step(on: Simulated): Promise<void> {
  const { world, model } = on;
  const { random } = world;
  if (world.disk.health !== 'well' && random.chance(MENDS)) world.turn('well');
  const mustStart = world.disk.health === 'well' && (world.isPoisoned || model.isInDoubt);
  if (mustStart && random.chance(MENDS)) {
    await (random.chance(0.5) ? startAgain(on) : breakDown(on, random.of(['kill', 'power cut'])));
    return;
  }
  const [, name, happening] = drawn(random, ALL);
  world.say(name);
  await happening(on);
}

function drawn(random: Random, list: typeof CHANGES): (typeof CHANGES)[number] {
  let left = random.next() * list.reduce((sum, [weight]) => sum + weight, 0);
  return list.find(([weight]) => (left -= weight) < 0) ?? list[0]!;
}

/** Ends the process in the middle of something, at any of its file operations. */
async function breakDown(on: Simulated, how: 'kill' | 'power cut'): Promise<void> {
  const { world } = on;
  const { random } = world;
  if (random.chance(0.8)) {
    world.mounted.dieIn(random.int(0, random.of([10, 60, 300])));
    for (let tries = random.int(1, 6); tries > 0 && world.isUp; tries--) {
      // Whatever is rare is cut off as often as the rest.
      const [, name, happening] = random.chance(0.5) ? random.of(CHANGES) : drawn(random, CHANGES);
      world.say(name);
      await happening(on);
    }
  }
  world.say(how);
  world.end(how);
  await startAtLast(on);
}

/** Ends the process between the changes of a delete, or of what becomes of one. */
async function cutOff(on: Simulated): Promise<void> {
  const { world } = on;
  const { random } = world;
  const [operations, happening] = random.of(DELETES);
  world.mounted.dieIn(random.int(0, operations));
  const how = random.of(['kill', 'power cut'] as const);
  await happening(on);
  world.say(how);
  world.end(how);
  await startAtLast(on);
}

/** Time from one day's work to the next, in hours: a night, at times a weekend or some weeks. */
const NIGHTS_H = [12, 14, 16, 16, 20, 24, 64, 340];

/** Nobody does anything until the next day; the machine may be off meanwhile. Resolves with how long it takes, in ms. */
export async function night(on: Simulated): Promise<number> {
  const { world } = on;
  const { random } = world;
  const ms = random.of(NIGHTS_H) * 3_600_000 + random.int(0, 3_600_000);
  world.say('the night');
  if (!world.isUp || random.chance(0.5)) await world.advance(ms);
  else {
    if (random.chance(0.5)) await world.stop();
    else world.end(random.of(['kill', 'power cut']));
    world.off(ms);
    await startAtLast(on);
  }
  return ms;
}

async function startAgain(on: Simulated): Promise<void> {
  on.world.say('stop');
  await on.world.stop();
  await startAtLast(on);
}

/** Starts until it runs: a start may be killed, and whoever finds the disk full makes room. */
async function startAtLast(on: Simulated): Promise<void> {
  const { world, model } = on;
  const { random } = world;
  for (let tries = 0; ; tries++) {
    const dieIn = tries < 3 && random.chance(0.2) ? random.int(0, 400) : null;
    world.say('start');
    if (await world.start(dieIn)) break;
    world.endStart(random.chance(0.5) ? 'kill' : 'power cut');
    if (world.disk.health !== 'well' && random.chance(0.5)) world.turn('well');
  }
  if (world.isTroubled) return;
  await world.quiet();
  await settle(world, model);
}
