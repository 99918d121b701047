import { deepStrictEqual } from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { FileVault } from '#core/vault/encrypted-file.ts';
import { crashStates } from '../../faults/crash-states.ts';
import { diskFiles, type DiskFiles } from '../../faults/disk-files.ts';
import { Disk } from '../../faults/disk.ts';
import { named } from '../../faults/power-cuts.ts';
import { held, key, open, REFS, tokenOf, type Held } from './lives.ts';
import { ref, VaultFolder } from './vault-folder.ts';

/* Rotating the keys of a file vault: whatever step it dies at, every secret is readable. */

const STEPS: readonly { readonly act: (vault: FileVault) => Promise<unknown>; readonly holds: Held }[] = [
  { act: (vault) => vault.set(key, 'key'), holds: ['key', null, null, null] },
  { act: (vault) => vault.set(tokenOf('a'), 'A'), holds: ['key', 'A', null, null] },
  { act: (vault) => vault.rotate(), holds: ['key', 'A', null, null] },
  { act: (vault) => vault.set(tokenOf('b'), 'B'), holds: ['key', 'A', 'B', null] },
  { act: (vault) => vault.rotate(), holds: ['key', 'A', 'B', null] },
  { act: (vault) => vault.close(), holds: ['key', 'A', 'B', null] },
];
const NONE: Held = REFS.map(() => null);

async function opensWith(disk: Disk, passphrase: string | null, possible: readonly Held[]): Promise<void> {
  const vault = await open(diskFiles(disk), passphrase);
  const found = await held(vault);
  expect(possible).toContainEqual(found);
  // It goes on being used: changed, rotated again and opened once more.
  await vault.set(tokenOf('c', 'q'), 'after');
  await vault.rotate();
  await vault.close();
  const again = await open(diskFiles(disk), passphrase);
  deepStrictEqual(await held(again), [...found.slice(0, 3), 'after']);
  await again.close();
  const left = [...disk.paths()].map(([path]) => path.replace(/[0-9a-f]{16}/, 'ID'));
  const whole = ['/vault-ID.journal', '/vault.json', ...(passphrase === null ? ['/vault.key'] : [])];
  deepStrictEqual(left.toSorted(), whole);
}

describe.each([
  ['vault.key', null],
  ['a passphrase', 'secret'],
])('a rotation with %s', (_, passphrase) => {
  async function live(files: DiskFiles): Promise<{ length: number; holds: Held }[]> {
    const moments = [{ length: 0, holds: NONE }];
    const vault = await open(files, passphrase);
    for (const { act, holds } of STEPS) {
      await act(vault);
      moments.push({ length: files.trace.length, holds });
    }
    return moments;
  }

  test('leaves every secret readable after a power cut behind any file operation', async () => {
    const files = diskFiles(new Disk());
    const moments = await live(files);
    let states = 0;
    for (let length = 0; length <= files.trace.length; length++) {
      const now = moments.findLastIndex((moment) => moment.length <= length);
      const possible = moments.slice(now, now + 2).map(({ holds }) => holds);
      for (const { name, disk } of crashStates(files.trace, length))
        await named(name, async () => {
          await opensWith(disk, passphrase, possible);
          states++;
        });
    }
    expect(states).toBeGreaterThan(100);
  });

  test('promises nothing where the disk fails in it, and loses nothing', async () => {
    const calm = diskFiles(new Disk());
    await live(calm);
    for (let failing = 0; failing < calm.attempts.length; failing++) {
      const disk = new Disk();
      const files = diskFiles(disk, (attempt) => (attempt === failing ? 'EIO' : null));
      const possible: Held[] = [NONE];
      await named(`the disk fails at attempt ${failing}`, async () => {
        const vault = await open(files, passphrase).catch(() => null);
        for (const { act, holds } of vault === null ? [] : STEPS) {
          const done = await act(vault as FileVault).then(
            () => true,
            () => false,
          );
          if (done) possible.length = 0;
          possible.push(holds);
          if (!done) {
            // What failed may be tried again at once, and then stands.
            await act(vault as FileVault);
            possible.splice(0, possible.length, holds);
          }
        }
        await opensWith(disk, passphrase, possible);
      });
    }
  });
});

describe('after a rotation', () => {
  let folder: VaultFolder;
  beforeEach(async () => {
    folder = await VaultFolder.make();
  });
  afterEach(() => folder.remove());

  test('neither the old key nor the old files open anything', async () => {
    const vault = await folder.open({ passphrase: null });
    await vault.set(ref, 'a secret');
    const before = await folder.everything();
    await vault.rotate();
    expect(await vault.readKept([ref])).toEqual(['a secret']);
    const after = await folder.everything();
    expect(Object.keys(after)).toHaveLength(Object.keys(before).length);
    for (const [name, bytes] of Object.entries(after))
      expect(before[name]?.equals(bytes) ?? false).toBe(false);
    expect((await readFile(folder.path)).equals(before['vault.json'] ?? Buffer.alloc(0))).toBe(false);
  });
});
