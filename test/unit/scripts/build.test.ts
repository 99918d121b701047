import { cp, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { build, isBuilt, RESULTS, sourceHash } from '../../../scripts/lib/build.mjs';

describe('the hash that decides about a build', () => {
  const names = ['electron', 'package.json'];
  let root: string;
  let before: string;

  beforeEach(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'fieldbench-build-'));
    await mkdir(path.join(root, 'electron', 'core'), { recursive: true });
    await writeFile(path.join(root, 'electron', 'core', 'a.ts'), 'a');
    await writeFile(path.join(root, 'package.json'), '{}');
    before = sourceHash(root, names);
  });
  afterEach(() => rm(root, { recursive: true }));

  test('stays while no source changes, even when one is written again or a file elsewhere changes', async () => {
    await writeFile(path.join(root, 'electron', 'core', 'a.ts'), 'a');
    await writeFile(path.join(root, 'README.md'), 'new');
    expect(sourceHash(root, names)).toBe(before);
  });

  test('changes with a content, a new file, a new name and a deleted file', async () => {
    const file = path.join(root, 'electron', 'core', 'a.ts');
    await writeFile(file, 'b');
    expect(sourceHash(root, names)).not.toBe(before);
    await writeFile(file, 'a');
    await writeFile(path.join(root, 'electron', 'b.ts'), '');
    expect(sourceHash(root, names)).not.toBe(before);
    await rm(path.join(root, 'electron', 'b.ts'));
    await rename(file, path.join(root, 'electron', 'core', 'b.ts'));
    expect(sourceHash(root, names)).not.toBe(before);
    await rm(path.join(root, 'electron'), { recursive: true });
    expect(sourceHash(root, names)).not.toBe(before);
  });
});

describe('a build', () => {
  let root: string;
  beforeEach(async () => {
    vi.spyOn(console, 'log').mockImplementation(() => {});
    root = await mkdtemp(path.join(tmpdir(), 'fieldbench-build-'));
    await writeFile(path.join(root, 'package.json'), '{}');
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await rm(root, { recursive: true });
  });

  const ended = (code: number) => async () => {
    for (const file of RESULTS) {
      await mkdir(path.dirname(path.join(root, file)), { recursive: true });
      await writeFile(path.join(root, file), '');
    }
    return { code, output: '200 lines\nand why\n' };
  };

  test('is known again, also in a copy of the project, and says one line', async () => {
    expect(isBuilt(root)).toBe(false);
    await build(root, ended(0));
    expect(vi.mocked(console.log).mock.calls).toEqual([['Building …']]);
    const copy = path.join(root, 'copy');
    for (const name of ['package.json', 'out'])
      await cp(path.join(root, name), path.join(copy, name), { recursive: true });
    expect([isBuilt(root), isBuilt(copy)]).toEqual([true, true]);
    await writeFile(path.join(copy, 'package.json'), '{"name":"other"}');
    expect(isBuilt(copy)).toBe(false);
  });

  test('that fails says why, and is done again', async () => {
    await build(root, ended(0));
    await expect(build(root, ended(1))).rejects.toThrow('the build failed:\n200 lines\nand why');
    expect(isBuilt(root)).toBe(false);
  });
});
