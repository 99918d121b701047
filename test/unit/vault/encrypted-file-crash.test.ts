import { deepStrictEqual, ok } from 'node:assert/strict';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { VaultError } from '#core/errors.ts';
import { openEncryptedFile } from '#core/vault/encrypted-file.ts';
import type { SecretRef, Vault } from '#core/vault/vault.ts';
import { crashStates, randomCrashState } from '../../faults/crash-states.ts';
import { diskFiles, type DiskFiles } from '../../faults/disk-files.ts';
import { Disk } from '../../faults/disk.ts';
import type { Operation } from '../../faults/disk.ts';
import { named } from '../../faults/power-cuts.ts';
import { vaultModelSuite } from '../../suites/vault-model.ts';

/** The least that scrypt takes: these tests open thousands of vaults. */
const cost = 2;
const quiet = { warn: () => {} };

const open = (files: DiskFiles, passphrase: string | null) =>
  openEncryptedFile({ directory: '/', passphrase, cost, files, log: quiet });

const tokenOf = (device_id: string, project_id = 'p'): SecretRef => ({
  kind: 'device-token',
  project_id,
  device_id,
});
const key: SecretRef = { kind: 'api-key', id: 'k' };
const REFS = [key, tokenOf('a'), tokenOf('b'), tokenOf('c', 'q')];

type Held = readonly (string | null)[];
const held = (vault: Vault): Promise<Held> => Promise.all(REFS.map((ref) => vault.get(ref)));

/** A step of a vault's life, and what it holds after it. */
interface Step {
  readonly act: (vault: Vault) => Promise<unknown>;
  readonly holds: Held;
}

const FIRST_LIFE: readonly Step[] = [
  { act: (vault) => vault.set(key, 'key'), holds: ['key', null, null, null] },
  {
    act: (vault) => Promise.all([vault.set(tokenOf('a'), 'A'), vault.set(tokenOf('c', 'q'), 'C')]),
    holds: ['key', 'A', null, 'C'],
  },
  { act: (vault) => vault.set(tokenOf('a'), 'A2'), holds: ['key', 'A2', null, 'C'] },
  { act: (vault) => vault.deleteProject('p'), holds: ['key', null, null, 'C'] },
  { act: (vault) => vault.close(), holds: ['key', null, null, 'C'] },
];
const SECOND_LIFE: readonly Step[] = [
  { act: (vault) => vault.set(tokenOf('b'), 'B'), holds: ['key', null, 'B', 'C'] },
  { act: (vault) => vault.delete(key), holds: [null, null, 'B', 'C'] },
  { act: (vault) => vault.close(), holds: [null, null, 'B', 'C'] },
];

interface Moment {
  /** File operations that were done when it was answered. */
  readonly length: number;
  readonly holds: Held;
  readonly passphrase: string | null;
}

/** Lives two lives on a disk; answers what was promised when. */
async function live(files: DiskFiles, first: string | null, second: string | null): Promise<Moment[]> {
  const moments: Moment[] = [{ length: 0, holds: REFS.map(() => null), passphrase: first }];
  for (const [steps, passphrase] of [
    [FIRST_LIFE, first],
    [SECOND_LIFE, second],
  ] as const) {
    // From here on it is opened with this.
    moments.push({ length: files.trace.length, holds: moments.at(-1)?.holds ?? [], passphrase });
    const vault = await open(files, passphrase);
    for (const { act, holds } of steps) {
      await act(vault);
      moments.push({ length: files.trace.length, holds, passphrase });
    }
  }
  return moments;
}

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

describe('a vault in which something changed', () => {
  const filesOf = (disk: Disk) => [...disk.paths()].map(([path, node]) => ({ path, file: disk.file(node) }));
  const bytesOf = (disk: Disk) => filesOf(disk).map(({ path, file }) => [path, file.bytes.toString('hex')]);

  async function lived(passphrase: string | null): Promise<{ disk: Disk; expected: Held }> {
    const disk = new Disk();
    const files = diskFiles(disk);
    await live(files, passphrase, passphrase);
    const vault = await open(files, passphrase);
    await vault.set(key, 'key');
    await vault.set(tokenOf('a'), 'A');
    await vault.close();
    return { disk, expected: ['key', 'A', 'B', 'C'] };
  }

  /** Expects an error that names a file, and files that are as they were; or every secret as it was. */
  async function expectRightOrRefused(
    disk: Disk,
    passphrase: string | null,
    expected: Held,
  ): Promise<boolean> {
    const before = bytesOf(disk);
    try {
      const vault = await open(diskFiles(disk), passphrase);
      deepStrictEqual(await held(vault), expected);
      return true;
    } catch (error) {
      if (!(error instanceof VaultError)) throw error;
      ok(['damaged', 'wrong-passphrase', 'no-passphrase'].includes(error.code), error.message);
      ok(/\/vault[-.]/.test(error.message), error.message);
      for (const secret of expected) ok(!error.message.includes(`"${secret}"`));
      deepStrictEqual(bytesOf(disk), before);
      return false;
    }
  }

  test.each(['secret', null])(
    'by any one byte is refused by name, or has lost nothing (%s)',
    async (passphrase) => {
      const { disk, expected } = await lived(passphrase);
      let refusals = 0;
      for (const [i, { path, file }] of filesOf(disk).entries())
        for (let at = 0; at < file.size; at++)
          await named(`byte ${at} of ${path}`, async () => {
            const changed = disk.copy();
            const target = filesOf(changed)[i]?.file;
            target?.write(Buffer.from([(file.bytes[at] ?? 0) ^ (1 << (at % 8))]), at);
            if (!(await expectRightOrRefused(changed, passphrase, expected))) refusals++;
          });
      expect(refusals).toBeGreaterThan(500);
    },
  );

  test('by bytes that were overwritten, put in or taken out anywhere is refused, or has lost nothing', async () => {
    const { disk, expected } = await lived(null);
    const harm = fc.record({
      file: fc.nat(2),
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      removed: fc.nat(120),
      put: fc.uint8Array({ maxLength: 120 }),
    });
    await fc.assert(
      fc.asyncProperty(harm, async ({ file, at, removed, put }) => {
        const changed = disk.copy();
        const target = filesOf(changed)[file]?.file;
        if (!target) throw new Error('There are fewer files.');
        const before = Buffer.from(target.bytes);
        const start = Math.floor(at * before.length);
        const after = Buffer.concat([before.subarray(0, start), put, before.subarray(start + removed)]);
        target.resize(after.length);
        target.write(after, 0);
        await expectRightOrRefused(changed, null, expected);
      }),
      { numRuns: 1000 },
    );
  });

  test('by its end being cut off is refused, wherever the cut is', async () => {
    const { disk, expected } = await lived('secret');
    for (const [i, { path, file }] of filesOf(disk).entries())
      for (let size = 0; size < file.size - 1; size++)
        await named(`${path} cut off after ${size} bytes`, async () => {
          const changed = disk.copy();
          filesOf(changed)[i]?.file.resize(size);
          deepStrictEqual(await expectRightOrRefused(changed, 'secret', expected), false);
        });
  });

  test('by its frames changing places, or coming from another vault, is refused', async () => {
    const { disk, expected } = await lived('secret');
    const other = await lived('secret');
    const journalOf = (one: Disk) => filesOf(one).find(({ path }) => path.endsWith('.journal'))?.file;
    const bytes = Buffer.from(journalOf(disk)?.bytes ?? []);
    const frames: Buffer[] = [];
    for (let at = 96; at < bytes.length;) {
      const length = 4 + 12 + bytes.readUInt32LE(at) + 16;
      frames.push(bytes.subarray(at, at + length));
      at += length;
    }
    expect(frames.length).toBeGreaterThanOrEqual(3);
    const [one, two, ...rest] = frames;
    const foreign = Buffer.from(journalOf(other.disk)?.bytes ?? []);
    const head = bytes.subarray(0, 96);
    const forgeries = [
      [head, two, one, ...rest],
      [head, one, ...rest],
      [head, two, two, ...rest],
      [head, foreign.subarray(96)],
      [foreign],
    ];
    for (const parts of forgeries) {
      const changed = disk.copy();
      const forged = Buffer.concat(parts.filter((part) => part !== undefined));
      journalOf(changed)?.resize(forged.length);
      journalOf(changed)?.write(forged, 0);
      expect(await expectRightOrRefused(changed, 'secret', expected)).toBe(false);
    }
  });
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
