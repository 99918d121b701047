import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

/* A wall that nothing can hit proves nothing: each rule must stop a file that breaks it. */

const project = resolve(import.meta.dirname, '../..');
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fieldbench-walls-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function violationsOf(files: Record<string, string>): Promise<string> {
  const root = await mkdtemp(join(folder, 'tree-'));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  const cruiser = join(project, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
  const config = join(project, '.dependency-cruiser.cjs');
  return new Promise((done) => {
    execFile(process.execPath, [cruiser, '--config', config, '.'], { cwd: root }, (_error, stdout) =>
      done(stdout),
    );
  });
}

const target = 'export const value: number = 1;\n';

test.each([
  [
    'shared-imports-zod-only',
    { 'shared/a.ts': "import '../electron/core/b.ts';", 'electron/core/b.ts': target },
  ],
  ['core-without-electron', { 'electron/core/a.ts': "import '../main.ts';", 'electron/main.ts': target }],
  [
    'renderer-knows-only-the-bridge',
    { 'renderer/a.tsx': "import '../electron/core/b.ts';", 'electron/core/b.ts': target },
  ],
  ['renderer-without-node', { 'renderer/a.tsx': "import 'node:fs';" }],
  ['log-files-through-the-file-layer', { 'electron/core/store/log/wal/wal.ts': "import 'node:fs';" }],
  ['no-circular', { 'shared/a.ts': "import './b.ts';", 'shared/b.ts': "import './a.ts';" }],
  ['not-to-test', { 'shared/a.ts': "import '../test/b.ts';", 'test/b.ts': target }],
  ['resolvable', { 'shared/a.ts': "import './nowhere.ts';" }],
])('%s stops what breaks it', async (rule, files) => {
  expect(await violationsOf(files)).toContain(`error ${rule}:`);
});

test('code that keeps to its room passes', async () => {
  const output = await violationsOf({ 'renderer/a.ts': "import '../shared/b.ts';", 'shared/b.ts': target });
  expect(output).toContain('no dependency violations found (2 modules');
});
