import { deepStrictEqual, ok } from 'node:assert/strict';
import * as fc from 'fast-check';
import type { RecordStore } from '#core/store/store.ts';
import { operations, perform, type Operation } from '../suites/record-store/model-operations.ts';
import { checkContents, checkReceipts } from './check-store.ts';
import { diskFiles } from './disk-files.ts';
import { Disk } from './disk.ts';
import { heldTime } from './held-time.ts';
import { applied, NOTHING, type Content } from './history.ts';
import { left, start, turns, type Machine } from './random-crashes.ts';
import type { OpenStore } from './run.ts';

/** So many that after a start some are asked for and others are not. */
const DEVICES = ['a', 'b', 'c', 'd', 'e', 'f'] as const;
const device = fc.constantFrom(...DEVICES);

type Doing = Exclude<Operation, { kind: 'reopen' }>;
const doing = fc
  .tuple(
    operations.filter((operation): operation is Doing => operation.kind !== 'reopen'),
    device,
  )
  .map(([operation, of]): Doing => ({ ...operation, device: of }));

/** A question about one device, or which there are. The first alone has it read whole. */
const question = fc.record({
  device,
  what: fc.constantFrom('contents', 'last contact', 'extent', 'devices'),
});

/** Devices at the same time, then what becomes of the process, and who asks of the next one. */
const steps = fc.array(
  fc.record({
    together: fc.uniqueArray(doing, { selector: (operation) => operation.device, maxLength: 3 }),
    ends: fc.oneof(
      { weight: 4, arbitrary: fc.constant(null) },
      { weight: 2, arbitrary: fc.constant('close' as const) },
      {
        weight: 2,
        arbitrary: fc.record({
          /** Of the event loop, until the process ends, whether or not what was asked for was answered. */
          turns: fc.integer({ min: 0, max: 60 }),
          /** Draws what a power cut leaves; null is a kill, which loses nothing. */
          seed: fc.option(fc.integer({ min: 1, max: 1 << 30 })),
        }),
      },
    ),
    questions: fc.array(question, { maxLength: 2 }),
  }),
  { minLength: 1, maxLength: 25 },
);

export type Step = (typeof steps extends fc.Arbitrary<infer T> ? T : never)[number];
type Question = Step['questions'][number];

/**
 * What devices hold is there, whoever of them was asked for since the start, and whatever happened to others meanwhile or to
 * the process; and of what was deleted nothing comes back.
 */
export function sleepingProperty(openStore: OpenStore) {
  return fc.asyncProperty(steps, (sequence) => heldTime(() => live(openStore, sequence)));
}

/** What each device may hold: what was under way when a process ended may have happened. */
type Possible = Map<string, readonly Content[]>;
/** Devices with something under way when a process ended: what was begun of it may be left on the disk, a folder at the least. */
type Cut = Set<string>;

async function live(openStore: OpenStore, sequence: readonly Step[]): Promise<void> {
  const possible: Possible = new Map();
  const cut: Cut = new Set();
  let machine = await start(openStore, diskFiles(new Disk()), new Disk());
  for (const { together, ends, questions } of sequence) {
    if (ends !== null && ends !== 'close') {
      machine = await ended(openStore, machine, together, ends, possible);
      for (const { device: id } of together) cut.add(id);
    } else {
      const said = await Promise.all(together.map((operation) => perform(machine.store, operation)));
      for (const [i, operation] of together.entries()) {
        if (operation.kind === 'drop') wentOf(operation.device, said[i], possible);
        happened(possible, operation, true);
        if (operation.kind === 'drop') cut.delete(operation.device);
      }
      if (ends === 'close') machine = await startedAgain(openStore, machine);
    }
    for (const each of questions) await ask(machine.store, each, possible, cut);
    expectNoDamage(machine.store);
  }
  machine = await startedAgain(openStore, machine);
  expectNoDamage(machine.store);
  const found = await checkContents(machine.store, possible);
  const sure = new Map([...found].filter(([id]) => possible.get(id)?.length === 1));
  await checkReceipts(machine.store, sure, possible);
  await machine.store.close();
}

async function startedAgain(openStore: OpenStore, machine: Machine): Promise<Machine> {
  await machine.store.close();
  return start(openStore, machine.files, machine.base);
}

/** The process ends in the middle of what is under way. */
async function ended(
  openStore: OpenStore,
  machine: Machine,
  together: readonly Doing[],
  end: { readonly turns: number; readonly seed: number | null },
  possible: Possible,
): Promise<Machine> {
  const acknowledged = new Set<Doing>();
  for (const operation of together)
    perform(machine.store, operation).then(
      () => acknowledged.add(operation),
      () => {},
    );
  await turns(end.turns);
  for (const operation of together) happened(possible, operation, acknowledged.has(operation));
  return start(openStore, ...(await left(machine, end.seed)));
}

function happened(possible: Possible, operation: Doing, isSure: boolean): void {
  if (operation.kind === 'batch' && !operation.commit) return;
  const before = possible.get(operation.device) ?? [NOTHING];
  const after = before.map((content) => applied(content, operation));
  // What was refused has left a device that never held anything its folder, as a batch that is aborted does.
  if (operation.kind === 'replace' && !possible.has(operation.device) && after[0] === NOTHING) return;
  possible.set(operation.device, isSure ? after : [...after, ...before]);
}

async function ask(
  store: RecordStore,
  { device: id, what }: Question,
  possible: Possible,
  cut: Cut,
): Promise<void> {
  const contents = possible.get(id) ?? [NOTHING];
  if (what === 'contents') {
    const found = await checkContents(store, new Map([[id, contents]]));
    possible.set(
      id,
      contents.filter((content) => isSame(content, found.get(id))),
    );
  } else if (what === 'last contact') {
    const [seen = null] = await store.lastSeen([id]);
    ok(
      contents.some(({ lastSeen }) => lastSeen === seen),
      `device "${id}" was seen at ${seen}`,
    );
  } else if (what === 'extent') {
    const [extent] = await store.extents([id]);
    ok(
      contents.some(({ records }) => records.length === extent?.records),
      `device "${id}" has ${extent?.records} records`,
    );
  } else {
    const stored = await store.devices();
    for (const [each, may] of possible) {
      const isThere = stored.includes(each);
      if (!cut.has(each) && may.every((content) => content === NOTHING))
        ok(!isThere, `device "${each}", which is gone, is named`);
      if (may.every(({ records }) => records.length > 0)) ok(isThere, `device "${each}" is not named`);
    }
  }
}

/** A delete says how many records went, also of one that sleeps. */
function wentOf(id: string, said: unknown, possible: Possible): void {
  const counts = (possible.get(id) ?? [NOTHING]).map(({ records }) => records.length);
  ok(typeof said === 'number' && counts.includes(said), `of device "${id}" went ${String(said)} records`);
}

/** As far as the store can tell: two that differ in receipts alone stay possible. */
function isSame(content: Content, found: Content | undefined): boolean {
  const { records, lastSeen, purgedAt } = content;
  return (
    lastSeen === found?.lastSeen &&
    purgedAt === found.purgedAt &&
    records.length === found.records.length &&
    content.kept.length === found.kept.length
  );
}

function expectNoDamage({ recovery }: RecordStore): void {
  const damage = recovery.filter(({ kind }) => kind === 'damaged');
  deepStrictEqual(damage, [], 'a crash was taken for damage');
}
