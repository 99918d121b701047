import { cp, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { showProgress } from '../../../scripts/lib/build-progress.mjs';
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
  let said: string;
  const out = { write: (text: string) => (said += text) };
  beforeEach(async () => {
    said = '';
    root = await mkdtemp(path.join(tmpdir(), 'fieldbench-build-'));
    await writeFile(path.join(root, 'package.json'), '{}');
  });
  afterEach(async () => {
    await rm(root, { recursive: true });
  });

  /** A builder that writes what a build has, and talks of its bundles. */
  const ended = (code: number) => async (how: { hear: (text: string) => void }) => {
    for (const file of RESULTS) {
      await mkdir(path.dirname(path.join(root, file)), { recursive: true });
      await writeFile(path.join(root, file), '');
    }
    for (const piece of [
      'vite \u001b[3',
      '6mbuilding \u001b[32mssr envi',
      'ronment for production',
      '✓ 500 modules',
    ])
      how.hear(piece);
    return { code, output: '200 lines\nand why\n' };
  };

  test('is known again, also in a copy of the project', async () => {
    expect(isBuilt(root)).toBe(false);
    await build({ root, out, work: ended(0) });
    const copy = path.join(root, 'copy');
    for (const name of ['package.json', 'out'])
      await cp(path.join(root, name), path.join(copy, name), { recursive: true });
    expect([isBuilt(root), isBuilt(copy)]).toEqual([true, true]);
    await writeFile(path.join(copy, 'package.json'), '{"name":"other"}');
    expect(isBuilt(copy)).toBe(false);
  });

  test('says how far it is, and nothing that the builder says', async () => {
    await build({ root, out, work: ended(0) });
    expect(said).toMatch(/^Building …\nBuilding … 1 of 3: the service\nBuilt in \d+ s\.\n$/);
  });

  test('leaves everything to the builder where all is to be seen', async () => {
    const heard: boolean[] = [];
    await build({
      root,
      out,
      isVerbose: true,
      work: (how) => {
        heard.push(how.isVerbose);
        return ended(0)(how);
      },
    });
    expect([heard, said]).toEqual([[true], '']);
    await expect(build({ root, out, isVerbose: true, work: ended(1) })).rejects.toThrow(
      /^the build failed\.$/,
    );
  });

  test('that fails says why, and is done again', async () => {
    await build({ root, out, work: ended(0) });
    said = '';
    await expect(build({ root, out, work: ended(1) })).rejects.toThrow(
      'the build failed:\n200 lines\nand why',
    );
    expect(said).not.toContain('Built');
    expect(isBuilt(root)).toBe(false);
  });
});

describe('the progress of a build on a terminal', () => {
  test('is one line that is written over, and gone at the end', () => {
    let said = '';
    const progress = showProgress({ isTTY: true, write: (text: string) => (said += text) });
    for (const name of ['ssr', 'ssr', 'client'])
      progress.hear(`building ${name} environment for production\n`);
    progress.end(true);
    expect(said).not.toMatch(/\n(?!$)/);
    expect(said.split('\r\u001b[K').map((line) => line.replace(/ \(\d+ s\)$/, ''))).toEqual([
      '',
      'Building …',
      'Building … 1 of 3: the service',
      'Building … 2 of 3: the bridge to the window',
      'Building … 3 of 3: the app',
      expect.stringMatching(/^Built in \d+ s\.\n$/),
    ]);
  });
});
