import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isBuilt } from '../../../scripts/lib/build.mjs';
import { licencesOf, packageFolder } from '../../../scripts/lib/licences.mjs';

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'fieldbench-licences-'))));
afterAll(() => rm(folder, { recursive: true }));

async function library(name: string, about: object, files: Readonly<Record<string, string>> = {}) {
  const place = join(folder, name);
  await mkdir(place);
  await writeFile(join(place, 'package.json'), JSON.stringify({ name, version: '1.0.0', ...about }));
  for (const [file, text] of Object.entries(files)) await writeFile(join(place, file), text);
  return place;
}

describe('the licences of what ships', () => {
  test('are in one text, by name, each with what its package brings', async () => {
    const b = await library(
      'b',
      { license: 'ISC' },
      { LICENSE: 'Text of b.\r\n', 'NOTICE.md': 'Notice of b.' },
    );
    const a = await library('a', { license: 'MIT', author: 'Ann' });
    const text = licencesOf([b, a]);
    expect(text.startsWith(await readFile('LICENSE', 'utf8'))).toBe(true);
    expect(text.indexOf('a 1.0.0: MIT')).toBeLessThan(
      text.indexOf('b 1.0.0: ISC\n\nText of b.\n\nNotice of b.\n'),
    );
    expect(text).toMatch(
      /a 1\.0\.0: MIT\n\nMIT License\n\nCopyright \(c\) Ann\n\nPermission is hereby granted/,
    );
  });

  test('are asked for where a package has none', async () => {
    const none = await library('none', {});
    const wordless = await library('wordless', { license: 'Apache-2.0' });
    expect(() => licencesOf([none])).toThrow('none 1.0.0 names no licence in its package.json.');
    expect(() => licencesOf([wordless])).toThrow(
      'wordless 1.0.0 (Apache-2.0) brings no text of its licence.',
    );
  });

  test('are those of the packages that modules are of, the innermost one', () => {
    expect(packageFolder('/p/node_modules/a/node_modules/@s/b/lib/c.js')).toBe(
      '/p/node_modules/a/node_modules/@s/b',
    );
    expect(packageFolder('\0/p/node_modules/a/index.js?commonjs-module')).toBe('/p/node_modules/a');
    expect(packageFolder('/p/electron/main.ts')).toBeNull();
  });

  test.skipIf(!isBuilt())('name every library that the build has', async () => {
    const text = await readFile('out/renderer/licences.txt', 'utf8');
    const { dependencies } = JSON.parse(await readFile('package.json', 'utf8')) as {
      dependencies: Record<string, string>;
    };
    const ofTheApp = ['@mantine/core', 'react', 'react-dom', 'uplot', 'zustand', 'keytar', 'find-my-way'];
    for (const name of [...Object.keys(dependencies), ...ofTheApp]) expect(text).toContain(`\n${name} `);
  });
});
