import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { home, clear, usedBefore, inHome } from './clear-home.ts';

/* `fieldbench clear` among files and links that are not Fieldbench's. */

inHome();

describe.runIf(process.platform !== 'win32')('fieldbench clear', () => {
  test('leaves what is not Fieldbench’s in the folder, names it, and follows no link out of it', async () => {
    const directory = await usedBefore();
    await writeFile(join(home, 'letter.txt'), 'mine');
    await writeFile(join(directory, 'notes.txt'), 'mine, too');
    await symlink(home, join(directory, 'data', 'elsewhere'));
    const { code, output } = await clear(directory, '--yes');
    expect([code, output]).toMatchObject([0, expect.stringContaining('stays in')]);
    expect(output).toContain('data/elsewhere, notes.txt');
    expect((await readdir(directory)).toSorted()).toEqual(['data', 'notes.txt']);
    expect(await readFile(join(home, 'letter.txt'), 'utf8')).toBe('mine');
  });

  test('leaves files of others inside its own folders, and names each', async () => {
    const directory = await usedBefore();
    const device = randomUUID();
    const mine = [
      'data/letter.txt',
      `data/${device}/notes.txt`,
      'data/a folder/photo.jpg',
      'tls/lab.key',
      'tls/old/ca.pem',
    ];
    for (const path of mine) {
      await mkdir(join(directory, path, '..'), { recursive: true });
      await writeFile(join(directory, path), 'mine');
    }
    const { code, stdout } = await clear(directory, '--yes', '--json');
    const named = [
      'data/a folder',
      `data/${device}/notes.txt`,
      'data/letter.txt',
      'tls/lab.key',
      'tls/old',
    ].toSorted();
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { removed: true, left: named }]);
    expect((await readdir(directory)).toSorted()).toEqual(['data', 'tls']);
    const left = (await readdir(directory, { recursive: true, withFileTypes: true })).filter((entry) =>
      entry.isFile(),
    );
    expect(left.map((entry) => join(entry.parentPath, entry.name)).toSorted()).toEqual(
      mine.map((path) => join(directory, path)).toSorted(),
    );
  });

  test('leaves a link that stands in place of a folder, and what it leads to, and names it', async () => {
    const directory = await usedBefore();
    const disk = join(home, 'another disk');
    await rename(join(directory, 'data'), disk);
    await writeFile(join(disk, 'letter.txt'), 'mine');
    await symlink(disk, join(directory, 'data'));
    const before = await readdir(disk);
    const { code, output } = await clear(directory, '--yes');
    expect([code, output]).toMatchObject([0, expect.stringMatching(/stays in .*: data$/m)]);
    expect(await readdir(directory)).toEqual(['data']);
    expect(await readdir(disk)).toEqual(before);
  });

  test('clears a directory that a link leads to, and is done', async () => {
    const directory = await usedBefore();
    await symlink(directory, join(home, 'link'));
    const { code, output } = await clear(join(home, 'link'), '--yes');
    expect([code, output]).toMatchObject([0, expect.stringContaining('It is removed.')]);
    expect(await readdir(directory)).toEqual([]);
  });
});
