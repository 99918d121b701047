import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/* Time and chance reach core by electron/core/base alone: .oxlintrc.json refuses every other way but `new Date()`. */

const project = resolve(import.meta.dirname, '../..');
const core = join(project, 'electron/core');
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fieldbench-lint-'));
  await copyFile(join(project, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What the linter says of these files, by path. */
async function lint(files: Readonly<Record<string, string>>): Promise<string> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const oxlint = join(project, 'node_modules/oxlint/bin/oxlint');
  return new Promise((done) => {
    execFile(process.execPath, [oxlint, '--format', 'unix', '.'], { cwd: folder }, (_error, stdout) =>
      done(stdout),
    );
  });
}

const WAYS_AROUND = [
  'export const found = Date.now();',
  'export const found = performance.now();',
  'export const found = process.hrtime();',
  'export const found = setTimeout(() => {}, 1);',
  'export const found = setInterval(() => {}, 1);',
  'export const found = AbortSignal.timeout(1);',
  "import { setTimeout as delay } from 'node:timers/promises';\nexport const found = delay;",
  "import { setTimeout as after } from 'node:timers';\nexport const found = after;",
  "import { performance as clock } from 'node:perf_hooks';\nexport const found = clock;",
  'export const found = Math.random();',
  'export const found = crypto.randomUUID();',
  "import { randomUUID } from 'node:crypto';\nexport const found = randomUUID();",
  "import { randomBytes as bytes } from 'node:crypto';\nexport const found = bytes(8);",
  "import { randomInt } from 'node:crypto';\nexport const found = randomInt(8);",
  "import * as all from 'node:crypto';\nexport const found = all.randomBytes(8);",
  "import { webcrypto } from 'node:crypto';\nexport const found = webcrypto.randomUUID();",
];

/** Lines that read the present, which no rule of the linter knows. */
const presentIn = (text: string) =>
  text
    .split('\n')
    .flatMap((line, index) => (/\bnew Date(?:\(\s*\)|\b(?!\s*\())/.test(line) ? index + 1 : []));

describe('in core', () => {
  test('every way around Clock and Chance is refused', async () => {
    const files = WAYS_AROUND.map((text, n) => [`electron/core/api/around-${n}.ts`, text] as const);
    const said = await lint(Object.fromEntries(files));
    for (const [path, text] of files)
      expect(said, text).toMatch(new RegExp(`${path}:\\d+:\\d+: .*restricted`));
  });

  test('a date of the present is found, one of a time is not', () => {
    const text = 'const a = new Date(0);\nconst b = new Date();\nconst c = new Date( );\nconst d = new Date;';
    expect(presentIn(text)).toEqual([2, 3, 4]);
  });

  test('no date is of the present', async () => {
    const found: string[] = [];
    for (const name of await readdir(core, { recursive: true }))
      if (name.endsWith('.ts'))
        for (const line of presentIn(await readFile(join(core, name), 'utf8'))) found.push(`${name}:${line}`);
    expect(found).toEqual([]);
  });
});
