import { deepStrictEqual, ok } from 'node:assert/strict';
import { describe, expect, test } from 'vitest';
import { crashStates, randomCrashState } from '../../faults/crash-states.ts';
import { diskFiles, type DiskFiles } from '../../faults/disk-files.ts';
import { Disk, type Operation } from '../../faults/disk.ts';
import { named } from '../../faults/power-cuts.ts';
import { vaultModelSuite } from '../../suites/vault-model.ts';
import {
  FIRST_LIFE,
  held,
  key,
  live,
  open,
  REFS,
  SECOND_LIFE,
  tokenOf,
  type Held,
  type Moment,
} from './lives.ts';

async function checkState(
  disk: Disk,
  past: readonly Operation[],
  moments: readonly Moment[],
  length: number,
) {
  const now = moments.findLastIndex((moment) => moment.length <= length);
  const passphrase = moments[now]?.passphrase ?? null;
  const possible = moments.slice(now, now + 2).map(({ holds }) => holds);
  const files = diskFiles(disk, undefined, past);
  const vault = await open(files, passphrase);
  const found = await held(vault);
  ok(
    possible.some((one) => JSON.stringify(one) === JSON.stringify(found)),
    `it holds ${JSON.stringify(found)}, and may hold ${JSON.stringify(possible)}`,
  );
  await vault.set(tokenOf('b'), 'after');
  const expected = found.map((secret, i) => (i === 2 ? 'after' : secret));
  return { files, vault, passphrase, expected };
}

describe('a power cut after any file operation', () => {
  test.each([
    ['with a passphrase', 'secret', 'secret'],
    ['with a key beside it', null, null],
    ['where a passphrase takes the place of the key beside it', null, 'secret'],
  ])('keeps what was promised, %s', async (_, first, second) => {
    const files = diskFiles(new Disk());
    const moments = await live(files, first, second);
    let states = 0;
    for (let length = 0; length <= files.trace.length; length++)
      for (const { name, disk } of crashStates(files.trace, length))
        await named(name, async () => {
          const { vault, passphrase, expected } = await checkState(disk, [], moments, length);
          await vault.close();
          const again = await open(diskFiles(disk), passphrase);
          deepStrictEqual(await held(again), expected);
          await again.close();
          const left = [...disk.paths()].map(([path]) => path.replace(/[0-9a-f]{16}/, 'ID'));
          const whole = ['/vault-ID.journal', '/vault.json', ...(passphrase === null ? ['/vault.key'] : [])];
          deepStrictEqual(left.toSorted(), whole);
          states++;
        });
    expect(states).toBeGreaterThan(100);
  });

  test('keeps what a start after a kill promised, though the killed one had not synced it', async () => {
    const files = diskFiles(new Disk());
    const moments = await live(files, 'secret', 'secret');
    for (let length = 0; length <= files.trace.length; length++) {
      const past = files.trace.slice(0, length);
      const disk = new Disk();
      for (const operation of past) disk.apply(operation);
      const { files: next, expected } = await checkState(disk, past, moments, length);
      for (const state of crashStates(next.trace, next.trace.length))
        await named(`killed after ${length}; ${state.name}`, async () => {
          const again = await open(diskFiles(state.disk), 'secret');
          deepStrictEqual(await held(again), expected);
        });
    }
  });
});

test('a change of which any number of bytes reached the disk is there as a whole or not at all', async () => {
  const files = diskFiles(new Disk());
  const vault = await open(files, 'secret');
  await vault.set(key, 'old');
  const before = files.trace.length;
  await vault.set(key, 'new');
  const write = files.trace[before];
  if (write?.kind !== 'write') throw new Error('A change begins with something else than its frame.');
  for (let bytes = 0; bytes <= write.bytes.length; bytes++)
    await named(`${bytes} bytes of ${write.bytes.length}`, async () => {
      const disk = new Disk();
      for (const operation of files.trace.slice(0, before)) disk.apply(operation);
      disk.apply({ ...write, bytes: write.bytes.subarray(0, bytes) });
      const again = await open(diskFiles(disk), 'secret');
      deepStrictEqual(await again.get(key), bytes === write.bytes.length ? 'new' : 'old');
      await again.set(tokenOf('a'), 'after');
      await again.close();
      const last = await open(diskFiles(disk), 'secret');
      deepStrictEqual(await last.get(tokenOf('a')), 'after');
    });
  await vault.close();
});

test('a write or sync that fails promises nothing, and loses nothing that was promised', async () => {
  const calm = diskFiles(new Disk());
  await live(calm, null, 'secret');
  for (let failing = 0; failing < calm.attempts.length; failing++)
    for (const fault of ['EIO', 'short'] as const) {
      const disk = new Disk();
      const files = diskFiles(disk, (attempt) => (attempt === failing ? fault : null));
      let promised: Held = REFS.map(() => null);
      let after: Held = promised;
      let passphrase: string | null = null;
      try {
        for (const [steps, given] of [
          [FIRST_LIFE, null],
          [SECOND_LIFE, 'secret'],
        ] as const) {
          passphrase = given;
          const vault = await open(files, given);
          for (const { act, holds } of steps) {
            after = holds;
            await act(vault);
            promised = holds;
            deepStrictEqual(await held(vault), promised);
          }
        }
      } catch (error) {
        if (!(error instanceof Error) || error.name === 'AssertionError') throw error;
      }
      // What a kill leaves, and what a power cut right then may.
      const states = [
        disk.copy(),
        ...[...crashStates(files.trace, files.trace.length)].map((state) => state.disk),
      ];
      for (const state of states)
        await named(`${fault} at attempt ${failing}`, async () => {
          const again = await open(diskFiles(state), passphrase);
          const found = JSON.stringify(await held(again));
          ok(
            [promised, after].some((one) => JSON.stringify(one) === found),
            `it holds ${found}`,
          );
        });
    }
});

for (const passphrase of ['secret', null])
  vaultModelSuite(
    `encrypted file, ${passphrase === null ? 'with a key beside it' : 'with a passphrase'}`,
    () => {
      let base = new Disk();
      let files = diskFiles(base.copy());
      let seed = 1;
      const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
      return Promise.resolve({
        open: () => open(files, passphrase),
        afterCrash: () => {
          base = randomCrashState(files.trace, random, base);
          files = diskFiles(base.copy());
          return open(files, passphrase);
        },
      });
    },
  );

test('goes on after a write or sync that failed: what is promised then is kept, and what a start finds stays', async () => {
  /** Tokens one after the other and a delete, so that some changes write the journal anew; answers what was promised. */
  const goOn = async (files: DiskFiles): Promise<Held> => {
    const vault = await open(files, 'secret');
    const promised: (string | null)[] = REFS.map(() => null);
    for (let i = 0; i < 8; i++) {
      const ref = REFS[i % 4] ?? key;
      const kept = await vault.set(ref, `${i}`).then(
        () => true,
        () => false,
      );
      if (kept) promised[i % 4] = `${i}`;
      deepStrictEqual(await held(vault), promised);
    }
    return promised;
  };
  const calm = diskFiles(new Disk());
  await goOn(calm);
  for (let failing = 0; failing < calm.attempts.length - 3; failing++)
    // One fault, and one more right behind it: in what the vault does about the first.
    for (const faults of [1, 2, 5]) {
      const disk = new Disk();
      const files = diskFiles(disk, (attempt) =>
        attempt >= failing && attempt < failing + faults ? 'EIO' : null,
      );
      const promised = await goOn(files).catch(() => null);
      // It could not be opened, or the last change is the one that failed.
      if (promised?.[3] !== '7') continue;
      await named(`${faults} from attempt ${failing} on`, async () => {
        for (const state of crashStates(files.trace, files.trace.length))
          deepStrictEqual(await held(await open(diskFiles(state.disk), 'secret')), promised, state.name);
      });
    }
});
