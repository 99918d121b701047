import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nodeFiles } from '#core/disk/files.ts';
import { guardSyncs } from '#core/disk/guard-syncs.ts';
import { makeLasting } from '#core/disk/make-lasting.ts';
import { diskSpace } from '#core/disk/free-space.ts';
import { readWhole, writeWhole } from '#core/disk/whole-file.ts';
import { diskFiles } from '../../faults/disk-files.ts';
import { Disk } from '../../faults/disk.ts';

let directory: string;
const path = (name: string) => join(directory, name);
const modeOf = async (name: string) => (await stat(path(name))).mode & 0o777;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fieldbench-files-'));
});
afterEach(async () => {
  await rm(directory, { recursive: true });
});

describe('a file as a whole', () => {
  test.each(['', 'a text', 'ü€😀'.repeat(100_000)])('is read as it was written', async (text) => {
    await writeWhole(nodeFiles, path('file'), text);
    expect((await readWhole(nodeFiles, path('file')))?.toString()).toBe(text);
    await writeWhole(nodeFiles, path('file'), Buffer.from('shorter'));
    expect((await readWhole(nodeFiles, path('file')))?.toString()).toBe('shorter');
  });

  test('is null where there is none, and an error where there is something else', async () => {
    expect(await readWhole(nodeFiles, path('none'))).toBeNull();
    expect(await readWhole(nodeFiles, path('none/below'))).toBeNull();
    await expect(readWhole(nodeFiles, directory)).rejects.toMatchObject({ code: 'EISDIR' });
  });

  test.each(['grow', 'sync', 'read'])('is not left open by a failing %s', async (step) => {
    const files = diskFiles(new Disk(), (_, what) => (what === step ? 'EIO' : null));
    const used = async () => {
      await writeWhole(files, '/file', 'text');
      await readWhole(files, '/file');
    };
    await expect(used()).rejects.toMatchObject({ code: 'EIO' });
    expect(files.open).toBe(0);
  });
});

describe.skipIf(process.platform === 'win32')('who may use what', () => {
  test('is said when it is made, and stays', async () => {
    await writeWhole(nodeFiles, path('secret'), 'x', 0o600);
    await writeWhole(nodeFiles, path('public'), 'x', 0o644);
    await nodeFiles.makeDirectory(path('one/two'), 0o700);
    expect(await Promise.all(['secret', 'public', 'one', 'one/two'].map(modeOf))).toEqual([
      0o600, 0o644, 0o700, 0o700,
    ]);
    await writeWhole(nodeFiles, path('secret'), 'y', 0o644);
    await nodeFiles.makeDirectory(path('one/two'), 0o755);
    expect(await Promise.all(['secret', 'one/two'].map(modeOf))).toEqual([0o600, 0o700]);
  });

  test('is as the user has it where nothing is said', async () => {
    const usual = process.umask(0o027);
    try {
      await writeWhole(nodeFiles, path('file'), 'x');
      await nodeFiles.makeDirectory(path('folder'));
      expect(await Promise.all(['file', 'folder'].map(modeOf))).toEqual([0o640, 0o750]);
    } finally {
      process.umask(usual);
    }
  });

  test('passes through the guard of syncs', async () => {
    const guarded = guardSyncs(nodeFiles, () => new Error('not synced'));
    await writeWhole(guarded, path('secret'), 'x', 0o600);
    await guarded.makeDirectory(path('folder'), 0o700);
    expect(await Promise.all(['secret', 'folder'].map(modeOf))).toEqual([0o600, 0o700]);
  });

  test('is the user of the service alone for files of records', async () => {
    const usual = process.umask(0o022);
    try {
      const guarded = guardSyncs(nodeFiles, () => new Error('not synced'));
      await writeWhole(guarded, path('1.seg'), 'x');
      await guarded.makeDirectory(path('device'));
      expect(await Promise.all(['1.seg', 'device'].map(modeOf))).toEqual([0o600, 0o700]);
    } finally {
      process.umask(usual);
    }
  });
});

describe('a guarded sync', () => {
  const poisoned = new Error('not synced');
  const guarded = (error: Error) =>
    guardSyncs({ ...nodeFiles, syncDirectory: () => refuse(error) }, () => poisoned);
  const refuse = async (error: Error) => {
    throw error;
  };
  const failure = (code: string, syscall: string) => Object.assign(new Error(code), { code, syscall });

  test('that failed leaves nobody knowing what is on disk', async () => {
    await expect(guarded(failure('EIO', 'fsync')).syncDirectory(directory)).rejects.toBe(poisoned);
  });

  test.each(['EMFILE', 'ENFILE', 'EACCES', 'ENOENT'])(
    'of a folder that cannot be opened, %s, was none',
    async (code) => {
      const error = failure(code, 'open');
      await expect(guarded(error).syncDirectory(directory)).rejects.toBe(error);
    },
  );

  test('of a folder that is gone was none, on a real disk', async () => {
    const files = guardSyncs(nodeFiles, () => poisoned);
    await expect(files.syncDirectory(path('none'))).rejects.toMatchObject({
      code: 'ENOENT',
      syscall: 'open',
    });
  });

  test.each(['EINVAL', 'ENOTSUP'])('that a file system does not know, %s, is said so', async (code) => {
    await expect(guarded(failure(code, 'fsync')).syncDirectory(directory)).rejects.toMatchObject({
      code: 'io',
      message: expect.stringMatching(/file system of the data folder .* Choose a folder on a local disk/),
    });
  });
});

describe('a folder that lasts', () => {
  test('has every name on its way synced, above the ones that were there', async () => {
    const synced: string[] = [];
    const files = { ...nodeFiles, syncDirectory: async (folder: string) => void synced.push(folder) };
    await makeLasting(files, path('a/b/c'), 0o700);
    expect(synced).toEqual([directory, path('a'), path('a/b')]);
    expect((await stat(path('a/b/c'))).isDirectory()).toBe(true);
    await makeLasting(files, path('a/b/c'), 0o700);
    expect(synced).toHaveLength(3);
  });

  test('does not need a parent that may not be opened, and needs every other sync', async () => {
    const failing = (code: string) => ({
      ...nodeFiles,
      syncDirectory: () => Promise.reject(Object.assign(new Error(code), { code })),
    });
    await makeLasting(failing('EACCES'), path('a/b'), 0o700);
    await expect(makeLasting(failing('EIO'), path('c'), 0o700)).rejects.toMatchObject({ code: 'EIO' });
  });
});

describe('the space that is left', () => {
  test('is a number of bytes, and an error for a folder that is not there', async () => {
    const { free, total } = await diskSpace(directory);
    expect(free).toBeGreaterThan(0);
    expect(total).toBeGreaterThanOrEqual(free);
    await expect(diskSpace(path('none'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
