import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sourceHash } from '../../../scripts/lib/build.mjs';

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
