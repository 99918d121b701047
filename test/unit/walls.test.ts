import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
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

/** A file that imports another. */
const imports = (from: string, to: string) => ({
  [from]: `import '${relative(dirname(from), to).replace(/^(?!\\.)/, './')}';`,
  [to]: target,
});
const core = (from: string, to: string) => imports(`electron/core/${from}`, `electron/core/${to}`);

/** By rule, what breaks it. */
const BREAKS: Record<string, readonly Record<string, string>[]> = {
  'shared-imports-zod-only': [imports('shared/a.ts', 'electron/core/b.ts')],
  'core-without-electron': [
    imports('electron/core/a.ts', 'electron/main.ts'),
    imports('electron/core/a.ts', 'electron/shell/window.ts'),
  ],
  'renderer-knows-only-the-bridge': [imports('renderer/a.tsx', 'electron/core/b.ts')],
  'renderer-without-node': [{ 'renderer/a.tsx': "import 'node:fs';" }],
  'one-keytar-import': [
    {
      'electron/core/vault/other.ts': "import 'keytar';",
      'node_modules/keytar/index.js': '',
      'node_modules/keytar/package.json': '{"name":"keytar","main":"index.js"}',
    },
  ],
  'one-pg-import': [
    {
      'electron/core/store/postgres/other.ts': "import 'pg';",
      'node_modules/pg/index.js': '',
      'node_modules/pg/package.json': '{"name":"pg","main":"index.js"}',
    },
  ],
  'database-without-files': [
    core('store/postgres/records.ts', 'store/log/log.ts'),
    core('store/postgres/schema/migrate.ts', 'store/plain-log/frame.ts'),
  ],
  'one-lowdb-import': [
    {
      'electron/core/api/other.ts': "import 'lowdb';",
      'node_modules/lowdb/index.js': '',
      'node_modules/lowdb/package.json': '{"name":"lowdb","main":"index.js"}',
    },
  ],
  'files-through-the-disk-room': [
    { 'electron/core/store/log/wal/wal.ts': "import 'node:fs';" },
    { 'electron/core/http/a.ts': "import 'node:fs/promises';" },
  ],
  'doors-on-top': [core('api/a.ts', 'http/b.ts'), core('page/a.ts', 'cli/b.ts')],
  'operations-above-records': [core('ingest/a.ts', 'api/b.ts'), core('threads/a.ts', 'api/b.ts')],
  'records-above-stores': [core('store/a.ts', 'import/b.ts'), core('turns/a.ts', 'work/b.ts')],
  'stores-above-ground': [core('disk/a.ts', 'store/b.ts'), core('tls/a.ts', 'vault/b.ts')],
  'one-composition': [core('http/a.ts', 'service.ts'), core('api/a.ts', 'worker.ts')],
  'bridge-without-http': [core('bridge/a.ts', 'http/b.ts')],
  'blocks-without-files': [
    core('store/blocks/query/a.ts', 'store/log/b.ts'),
    core('store/blocks/block/a.ts', 'disk/b.ts'),
    { 'electron/core/store/blocks/block/a.ts': "import 'node:fs';" },
  ],
  'codec-at-the-bottom': [core('store/blocks/codec/a.ts', 'store/blocks/block/b.ts')],
  'blocks-below-queries': [core('store/blocks/block/a.ts', 'store/blocks/query/b.ts')],
  'segments-below-devices': [
    core('store/log/segment/a.ts', 'store/log/device/b.ts'),
    core('store/log/wal/a.ts', 'store/log/log.ts'),
  ],
  'devices-below-the-log': [core('store/log/device/a.ts', 'store/log/checkpoint.ts')],
  'renderer-bridge-below-stores': [imports('renderer/bridge/a.ts', 'renderer/stores/b.ts')],
  'no-circle-of-rooms': [
    {
      ...core('api/handlers/a.ts', 'api/removal/b.ts'),
      ...core('api/removal/c.ts', 'api/handlers/d.ts'),
    },
  ],
  'no-circular': [{ 'shared/a.ts': "import './b.ts';", 'shared/b.ts': "import './a.ts';" }],
  'not-to-test': [imports('shared/a.ts', 'test/b.ts')],
  resolvable: [{ 'shared/a.ts': "import './nowhere.ts';" }],
};

test('every rule is tried here', async () => {
  const { default: config } = (await import(join(project, '.dependency-cruiser.cjs'))) as {
    default: { forbidden: readonly { name: string; comment: string }[] };
  };
  expect(config.forbidden.map(({ name }) => name).toSorted()).toEqual(Object.keys(BREAKS).toSorted());
});

test.each(Object.entries(BREAKS))('%s stops what breaks it', async (rule, trees) => {
  for (const files of trees) expect(await violationsOf(files)).toContain(`error ${rule}:`);
});

test('code that keeps to its room passes', async () => {
  const output = await violationsOf({ 'renderer/a.ts': "import '../shared/b.ts';", 'shared/b.ts': target });
  expect(output).toContain('no dependency violations found (2 modules');
});
