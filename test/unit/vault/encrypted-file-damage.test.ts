import { deepStrictEqual, ok } from 'node:assert/strict';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { VaultError } from '#core/base/errors.ts';
import { diskFiles } from '../../faults/disk-files.ts';
import { Disk } from '../../faults/disk.ts';
import { named } from '../../faults/power-cuts.ts';
import { held, key, live, open, tokenOf, type Held } from './lives.ts';
import { someRuns } from '../../helpers/some-runs.ts';

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
      { numRuns: someRuns(1000) },
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
