import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { temporaryName, writeAtomically } from '#core/disk/atomic-file.ts';
import { nodeFiles } from '#core/disk/files.ts';
import { readWhole } from '#core/disk/whole-file.ts';
import { crashStates } from '../../faults/crash-states.ts';
import { diskFiles } from '../../faults/disk-files.ts';
import { Disk } from '../../faults/disk.ts';
import { failingFiles, type Fault } from '../../faults/failing-files.ts';

const OLD = 'the old content';
const NEW = 'something else, and longer than what there was';

describe('a file that is replaced', () => {
  let directory: string;
  const path = () => join(directory, 'file');

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'fieldbench-atomic-'));
    await writeAtomically(path(), OLD);
  });
  afterEach(() => rm(directory, { recursive: true }));

  test('holds the new content, for its user alone, and leaves nothing beside it', async () => {
    await writeAtomically(path(), Buffer.from(NEW));
    expect(await readFile(path(), 'utf8')).toBe(NEW);
    expect(await readdir(directory)).toEqual(['file']);
    if (process.platform !== 'win32') expect((await stat(path())).mode & 0o777).toBe(0o600);
  });

  test.skipIf(process.platform === 'win32')('is for whom it is said to be', async () => {
    await writeAtomically(path(), NEW, { mode: 0o644 });
    expect((await stat(path())).mode & 0o777).toBe(0o644);
  });

  test('is whole, old or new, whichever operation fails, and the next write works', async () => {
    const faults: readonly Fault[] = ['EIO', 'ENOSPC', 'EROFS', 'short'];
    for (const fault of faults)
      for (let at = 0; ; at++) {
        await writeAtomically(path(), OLD);
        let attempts = 0;
        let failed: string | null = null;
        const files = failingFiles(nodeFiles, (what) => {
          if (attempts++ !== at) return null;
          failed = what;
          return fault;
        });
        const error: unknown = await writeAtomically(path(), NEW, { files }).catch(
          (thrown: unknown) => thrown,
        );
        if (failed === null) break;
        expect(error).toMatchObject({ name: 'StoreError' });
        // Only the last step, which comes after the rename, may leave the new content.
        expect(await readFile(path(), 'utf8')).toBe(failed === 'sync-folder' ? NEW : OLD);
        expect(await readdir(directory)).toEqual(['file']);
      }
    await writeAtomically(path(), NEW);
    expect(await readFile(path(), 'utf8')).toBe(NEW);
  });

  test('says what is wrong first where not even the temporary file can be removed', async () => {
    const files = failingFiles(nodeFiles, (what) =>
      what === 'grow' ? 'ENOSPC' : what === 'remove' ? 'EIO' : null,
    );
    await expect(writeAtomically(path(), NEW, { files })).rejects.toMatchObject({
      code: 'disk-full',
      message: 'The disk is full: nothing was changed. Free some space and try again.',
    });
    expect(await readdir(directory)).toEqual(['file', 'file.tmp']);
    expect(temporaryName(path())).toBe(join(directory, 'file.tmp'));
  });
});

describe('a power cut', () => {
  test('at any moment of a replacement leaves the old content or the new, and after it the new', async () => {
    const base = new Disk();
    const before = diskFiles(base);
    await before.makeDirectory('/d');
    await writeAtomically('/d/file', OLD, { files: before });
    const files = diskFiles(base.copy());
    await writeAtomically('/d/file', NEW, { files });
    const found = new Set<string | undefined>();
    const { length } = files.trace;
    for (let cut = 0; cut <= length; cut++)
      for (const { disk } of crashStates(files.trace, cut, base)) {
        const content = (await readWhole(diskFiles(disk), '/d/file'))?.toString();
        found.add(content);
        if (cut === length) expect(content).toBe(NEW);
      }
    expect(found).toEqual(new Set([OLD, NEW]));
    expect(files.open).toBe(0);
  });
});
