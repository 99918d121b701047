import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { guardSyncs, nodeFiles } from '#core/disk/files.ts';
import { freeSpace } from '#core/disk/free-space.ts';
import { readWhole, writeWhole } from '#core/disk/whole-file.ts';
import { diskFiles } from '../../faults/disk-files.ts';
import { Disk } from '../../faults/disk.ts';

/** Renames that are refused before one works. */
const refusals = vi.hoisted((): string[] => []);

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  return {
    ...fs,
    rename: (from: string, to: string, done: (error: Error | null) => void) => {
      const code = refusals.shift();
      if (code === undefined) fs.rename(from, to, done);
      else done(Object.assign(new Error(`${code}: made by a test`), { code }));
    },
  };
});

let directory: string;
const path = (name: string) => join(directory, name);
const modeOf = async (name: string) => (await stat(path(name))).mode & 0o777;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fieldbench-files-'));
});
afterEach(async () => {
  vi.restoreAllMocks();
  refusals.length = 0;
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
});

describe('a rename', () => {
  const onPlatform = (platform: NodeJS.Platform) =>
    vi.spyOn(process, 'platform', 'get').mockReturnValue(platform);
  const rename = () => nodeFiles.rename(path('from'), path('to'));

  beforeEach(() => writeFile(path('from'), 'content'));

  test.each(['EPERM', 'EACCES', 'EBUSY'])('waits on Windows for who has the file open: %s', async (code) => {
    onPlatform('win32');
    refusals.push(code, code, code);
    await rename();
    expect(await readdir(directory)).toEqual(['to']);
  });

  test('gives up on Windows where nobody lets go', async () => {
    onPlatform('win32');
    refusals.push(...Array.from({ length: 20 }, () => 'EBUSY'));
    await expect(rename()).rejects.toMatchObject({ code: 'EBUSY' });
    expect(refusals).toHaveLength(10);
    expect(await readdir(directory)).toEqual(['from']);
  });

  test.each([
    ['win32', 'ENOSPC'],
    ['linux', 'EBUSY'],
  ] as const)('fails at once on %s with %s', async (platform, code) => {
    onPlatform(platform);
    refusals.push(code);
    await expect(rename()).rejects.toMatchObject({ code });
  });
});

describe('the space that is left', () => {
  test('is a number of bytes, and an error for a folder that is not there', async () => {
    expect(await freeSpace(directory)).toBeGreaterThan(0);
    await expect(freeSpace(path('none'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
