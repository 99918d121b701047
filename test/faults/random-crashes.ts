import { deepStrictEqual } from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import * as fc from 'fast-check';
import type { RecordStore } from '#core/store/store.ts';
import { createMemoryRecordStore } from '../helpers/store/memory-record-store.ts';
import {
  answers,
  operations,
  perform,
  questions,
  type Operation,
} from '../suites/record-store/model-operations.ts';
import { checkContents } from './check-store.ts';
import { randomCrashState } from './crash-states.ts';
import { diskFiles, type DiskFiles } from './disk-files.ts';
import { Disk } from './disk.ts';
import { heldTime } from './held-time.ts';
import { applied, NOTHING, type Content } from './history.ts';
import type { OpenStore } from './run.ts';

/**
 * An operation, and what happens to the process: nothing, or it ends after so many turns of the event loop, before or
 * after the operation was acknowledged. `seed` draws what a power cut leaves; null is a kill, which loses nothing.
 */
const steps = fc.array(
  fc.record({
    operation: operations,
    question: questions,
    ends: fc.option(
      fc.record({
        turns: fc.integer({ min: 0, max: 40 }),
        seed: fc.option(fc.integer({ min: 1, max: 1 << 30 })),
      }),
      { freq: 3 },
    ),
  }),
  { minLength: 1, maxLength: 20 },
);

type Steps = typeof steps extends fc.Arbitrary<infer T> ? T : never;

/** Any sequence of operations, kills and power cuts leaves what the naive model says. */
export function crashProperty(openStore: OpenStore) {
  return fc.asyncProperty(steps, (sequence) => heldTime(() => live(openStore, sequence)));
}

async function live(openStore: OpenStore, sequence: Steps): Promise<void> {
  const model = createMemoryRecordStore();
  const contents = new Map<string, Content>();
  let machine = await start(openStore, diskFiles(new Disk()), new Disk());
  for (const { operation, question, ends } of sequence) {
    if (operation.kind === 'reopen') {
      await machine.store.close();
      machine = await start(openStore, machine.files, machine.base);
    } else if (!ends) {
      deepStrictEqual(await perform(machine.store, operation), await perform(model, operation));
      remember(contents, operation);
    } else {
      const under = perform(machine.store, operation).then(
        () => true,
        () => false,
      );
      const acknowledged = await Promise.race([under, turns(ends.turns)]);
      machine = await start(openStore, ...(await left(machine, ends.seed)));
      const before = contents.get(operation.device) ?? NOTHING;
      const after = remember(contents, operation);
      const possible = new Map([[operation.device, acknowledged ? [after] : [after, before]]]);
      const found = (await checkContents(machine.store, possible)).get(operation.device);
      if (found === after) await perform(model, operation);
      else contents.set(operation.device, before);
    }
    deepStrictEqual(await answers(machine.store, question), await answers(model, question));
    deepStrictEqual(
      machine.store.recovery.filter(({ kind }) => kind === 'damaged'),
      [],
      'a crash was taken for damage',
    );
  }
  await machine.store.close();
}

export interface Machine {
  readonly store: RecordStore;
  readonly files: DiskFiles;
  /** The disk as it was before the first operation of the trace of `files`. */
  readonly base: Disk;
}

export async function start(openStore: OpenStore, files: DiskFiles, base: Disk): Promise<Machine> {
  return { store: await openStore(files), files, base };
}

/** What the next process finds. The old one goes on in a world of its own. */
export async function left(
  { files, base }: Machine,
  seed: number | null,
): Promise<[files: DiskFiles, base: Disk]> {
  const past = [...files.trace];
  if (seed !== null) {
    const disk = randomCrashState(past, generator(seed), base);
    return [diskFiles(disk.copy()), disk];
  }
  const disk = base.copy();
  for (const operation of past) disk.apply(operation);
  return [diskFiles(disk, undefined, past), base];
}

function remember(
  contents: Map<string, Content>,
  operation: Exclude<Operation, { kind: 'reopen' }>,
): Content {
  const before = contents.get(operation.device) ?? NOTHING;
  const after = operation.kind === 'batch' && !operation.commit ? before : applied(before, operation);
  contents.set(operation.device, after);
  return after;
}

export async function turns(count: number): Promise<false> {
  for (let i = 0; i < count; i++) await setImmediate();
  return false;
}

/** Park and Miller's generator: the same numbers for the same seed. */
export function generator(seed: number): () => number {
  let state = 1 + (seed % 2_147_483_646);
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}
