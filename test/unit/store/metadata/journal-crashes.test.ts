import {
  array,
  assert,
  asyncProperty,
  boolean,
  constantFrom,
  integer,
  nat,
  option,
  record,
} from 'fast-check';
import { describe, expect, test } from 'vitest';
import { StoreError } from '#core/base/errors.ts';
import type { Metadata } from '#core/store/metadata/metadata.ts';
import { withSeed } from '../../../helpers/chance.ts';
import { crashStates, randomCrashState } from '../../../faults/crash-states.ts';
import { diskFiles } from '../../../faults/disk-files.ts';
import { Disk, type Operation } from '../../../faults/disk.ts';
import type { Attempt, Fault } from '../../../faults/failing-files.ts';
import { verifyFolder } from '#core/store/metadata/file/verify-folder.ts';
import { expectTold } from '../../../suites/metadata/replay.ts';
import { FOLDER, openOn, projectsOf, toggle } from './disk-metadata.ts';
import { clock } from './metadata-folder.ts';
import { somePlaces, someRuns } from '../../../helpers/some-runs.ts';

/** Notes that only a crash explains; anything else would call it damage. */
const CRASHED = /cut off|left by an unfinished write/;

/** Applies a change to what a list of names is to be. */
const toggled = (names: readonly string[], name: string) =>
  names.includes(name) ? names.filter((each) => each !== name) : [...names, name];

/** Opens what is left of a disk, expects one of the states, and goes on from there. */
async function goesOnFrom(disk: Disk, possible: readonly (readonly string[])[]): Promise<void> {
  expect(await verifyFolder(FOLDER, { clock, files: diskFiles(disk.copy()) })).toMatchObject({ harmed: 0 });
  const store = await openOn(diskFiles(disk));
  const found = await projectsOf(store);
  expect(possible).toContainEqual(found);
  await expectTold(store);
  expect(store.notes.filter((note) => !CRASHED.test(note))).toEqual([]);
  await store.change(toggle('since'));
  await store.close();
  const again = await openOn(diskFiles(disk));
  expect([await projectsOf(again), again.notes]).toEqual([[...found, 'since'], []]);
  await again.close();
}

describe('a power cut', () => {
  test('after any file operation leaves what was confirmed, and nothing else but the change under way', async () => {
    const files = diskFiles(new Disk());
    // Long enough that all is written anew twice.
    const names = ['a', 'b', 'c', 'a', 'd', 'e', 'c', 'f'];
    const states: (readonly string[])[] = [[]];
    const begun: number[] = [0];
    const confirmed: number[] = [];
    let store = await openOn(files, 1);
    confirmed.push(files.trace.length);
    for (const [n, name] of names.entries()) {
      if (n === 5) {
        await store.close();
        store = await openOn(files, 1);
      }
      begun.push(files.trace.length);
      await store.change(toggle(name, 300));
      confirmed.push(files.trace.length);
      states.push(toggled(states.at(-1) ?? [], name));
    }
    await store.close();
    const renames = files.trace.filter(({ kind }) => kind === 'rename').length;
    expect(renames).toBeGreaterThan(8);
    const places = (seed: number) => somePlaces(confirmed[0] ?? 0, files.trace.length, { seed });
    await withSeed(async (seed) => {
      for (const length of places(seed)) await expectAfter(length);
    });

    async function expectAfter(length: number): Promise<void> {
      const first = confirmed.findLastIndex((at) => at <= length);
      const last = begun.findLastIndex((at) => at < length || at === 0);
      for (const { name, disk } of crashStates(files.trace, length)) {
        try {
          await goesOnFrom(disk, states.slice(first, last + 1));
        } catch (error) {
          throw new Error(name, { cause: error });
        }
      }
    }
  }, 120_000);
});

type End = 'stop' | 'kill' | 'power cut';
interface Life {
  readonly changes: readonly { readonly name: string; readonly length: number; readonly together: boolean }[];
  /** What fails, from which attempt on, and how often. */
  readonly fault: { readonly at: number; readonly times: number; readonly fault: Fault } | null;
  readonly end: End;
}

const lives = array(
  record<Life>({
    changes: array(
      record({
        name: constantFrom('a', 'b', 'c', 'd'),
        length: constantFrom(0, 0, 900),
        together: boolean(),
      }),
      { maxLength: 8 },
    ),
    fault: option(
      record({
        at: nat({ max: 40 }),
        times: integer({ min: 1, max: 4 }),
        fault: constantFrom<Fault>('EIO', 'ENOSPC', 'short'),
      }),
    ),
    end: constantFrom<End>('stop', 'kill', 'power cut'),
  }),
  { minLength: 1, maxLength: 5 },
);

/** The sync of the audit trail fails, the process is killed, and the power is cut once the next one has changed something. */
const LIVES_WITH_A_LOST_TRAIL: Life[] = [
  { changes: [{ name: 'a', length: 0, together: false }], fault: null, end: 'power cut' },
  {
    changes: [
      { name: 'b', length: 900, together: false },
      { name: 'a', length: 0, together: false },
    ],
    fault: { at: 13, times: 1, fault: 'EIO' },
    end: 'kill',
  },
  { changes: [{ name: 'a', length: 0, together: false }], fault: null, end: 'power cut' },
  { changes: [], fault: null, end: 'stop' },
];

/** The first process is killed as it has made the first file of the audit trail, and the next one writes lines to it. */
const LIVES_WITH_A_NEW_TRAIL: Life[] = [
  { changes: [{ name: 'a', length: 900, together: false }], fault: null, end: 'kill' },
  { changes: [{ name: 'a', length: 0, together: false }], fault: null, end: 'kill' },
  {
    changes: [
      { name: 'a', length: 0, together: false },
      { name: 'a', length: 0, together: false },
    ],
    fault: null,
    end: 'power cut',
  },
  { changes: [], fault: null, end: 'stop' },
];

/** What a failing disk may refuse: a closed list, so that reading what is there never fails. */
const WRITES = new Set<Attempt>(['make', 'grow', 'write', 'sync', 'sync-folder', 'rename', 'truncate']);

describe('whatever a disk fails at, and however a service ends', () => {
  test('a change that was confirmed is there, and one that failed is not, unless nobody could say', async () => {
    await assert(
      asyncProperty(lives, nat(), async (given, seed) => {
        let disk = new Disk();
        /** What processes that were killed did since the disk was whole: the system may not have written it yet. */
        let past: readonly Operation[] = [];
        let base = disk.copy();
        /** Any of these; more than one after a change of which nobody could say. */
        let possible: readonly (readonly string[])[] = [[]];
        for (const life of given) possible = await live(life);

        async function live({ changes, fault, end }: Life): Promise<readonly (readonly string[])[]> {
          let [tries, left] = [0, 0];
          let isDead = false;
          const asked = (_: number, what: Attempt): Fault | null => {
            // What it was still about to do, nobody does any more.
            if (isDead) return 'EIO';
            if (!WRITES.has(what)) return null;
            if (tries++ === fault?.at) left = fault.times;
            return left-- > 0 ? (fault?.fault ?? null) : null;
          };
          const files = diskFiles(disk, asked, past);
          let store: Metadata;
          try {
            store = await openOn(files, 1500);
          } catch (error) {
            expect(error).toMatchObject({ name: 'StartError' });
            isDead = true;
            return crashed(files.trace, 'kill', possible);
          }
          let names: readonly string[] = await projectsOf(store);
          await expectTold(store);
          expect(possible).toContainEqual(names);
          let after: readonly (readonly string[])[] = [names];
          for (let n = 0; n < changes.length;) {
            const group = [changes[n++]!];
            while (changes[n]?.together) group.push(changes[n++]!);
            const results = await Promise.allSettled(
              group.map(({ name, length }) => store.change(toggle(name, length))),
            );
            const wanted = group.reduce((before, { name }) => toggled(before, name), names);
            const [result] = results;
            expect(new Set(results.map(({ status }) => status)).size).toBe(1);
            if (result?.status === 'fulfilled') after = [(names = wanted)];
            else {
              expect(result?.reason).toBeInstanceOf(StoreError);
              // Once nobody can say, it stays so until something was stored.
              if (String(result?.reason).includes('nobody can say')) after = [...after, wanted];
              else after = [names];
            }
            expect(await projectsOf(store)).toEqual(names);
          }
          if (end !== 'stop') {
            isDead = true;
            return crashed(files.trace, end, after);
          }
          const closing = await store.close().then(
            () => null,
            (error: unknown) => error,
          );
          if (closing !== null) expect(closing).toBeInstanceOf(StoreError);
          return crashed(files.trace, 'kill', closing === null ? [names] : after);
        }

        function crashed(
          trace: readonly Operation[],
          how: End,
          after: readonly (readonly string[])[],
        ): readonly (readonly string[])[] {
          let state = seed;
          const random = () => (state = (state * 48_271 + 11) % 2_147_483_647) / 2_147_483_647;
          past = [...trace];
          if (how === 'power cut') {
            disk = randomCrashState(past, random, base);
            past = [];
            base = disk.copy();
          }
          return after;
        }
      }),
      {
        numRuns: someRuns(300),
        examples: [
          [LIVES_WITH_A_LOST_TRAIL, 0],
          [LIVES_WITH_A_NEW_TRAIL, 0],
        ],
      },
    );
  }, 120_000);
});
