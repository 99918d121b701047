import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/* A wall that nothing can hit proves nothing: each rule must stop a file that breaks it. */

const project = resolve(import.meta.dirname, '../..');
const { FLOORS } = createRequire(import.meta.url)('../../scripts/lib/floors.cjs') as {
  FLOORS: readonly { rooms: readonly string[]; name?: string }[];
};
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fieldbench-walls-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What the walls say of a tree of files, by path. */
async function violationsOf(files: Readonly<Record<string, string>>): Promise<string> {
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

/** A file that breaks a rule, and what it needs; all of them lie in one tree, so each has a name of its own. */
interface Break {
  readonly from: string;
  readonly files: Readonly<Record<string, string>>;
}

const target = 'export const value: number = 1;\n';
let made = 0;

/** A file in one folder that imports one in another, or the file that is named. */
function imports(from: string, to: string): Break {
  const number = ++made;
  const importer = /\.tsx?$/.test(from) ? from : `${from}/from-${number}.ts`;
  const imported = /\.tsx?$/.test(to) ? to : `${to}/to-${number}.ts`;
  const path = relative(dirname(importer), imported).replace(/^(?!\.)/, './');
  return { from: importer, files: { [imported]: target, [importer]: `import '${path}';` } };
}
const core = (from: string, to: string) => imports(`electron/core/${from}`, `electron/core/${to}`);

function importsModule(from: string, module: string): Break {
  const importer = `${from}/from-${++made}.ts`;
  return { from: importer, files: { [importer]: `import '${module}';` } };
}

function importsPackage(from: string, name: string): Break {
  const { from: importer, files } = importsModule(from, name);
  const home = `node_modules/${name}`;
  const own = {
    [`${home}/index.js`]: '',
    [`${home}/package.json`]: `{"name":"${name}","main":"index.js"}`,
  };
  return { from: importer, files: { ...files, ...own } };
}

/** Each floor imported from each below it. */
const FLOOR_BREAKS = Object.fromEntries(
  FLOORS.slice(0, -1).map(({ rooms, name = '' }, n) => [
    name,
    FLOORS.slice(n + 1).flatMap((below) => below.rooms.flatMap((from) => rooms.map((to) => core(from, to)))),
  ]),
);

/** By rule, what breaks it. */
const BREAKS: Record<string, readonly Break[]> = {
  ...FLOOR_BREAKS,
  'shared-imports-zod-only': [imports('shared', 'electron/core/base')],
  'client-beside-the-service': [imports('client', 'electron/core/base'), importsPackage('client', 'fastify')],
  'nobody-needs-the-client': [imports('electron/core/http', 'client')],
  'core-without-electron': [
    imports('electron/core/base', 'electron/main.ts'),
    imports('electron/core/base', 'electron/shell'),
  ],
  'renderer-knows-only-the-bridge': [imports('renderer', 'electron/core/base')],
  'renderer-without-node': [importsModule('renderer', 'node:fs')],
  'one-keytar-import': [importsPackage('electron/core/vault', 'keytar')],
  'one-pg-import': [importsPackage('electron/core/store/postgres', 'pg')],
  'one-lowdb-import': [importsPackage('electron/core/api', 'lowdb')],
  'database-without-files': [core('store/postgres', 'store/log'), core('store/postgres/schema', 'store/log')],
  'files-through-the-disk-room': [
    importsModule('electron/core/store/log/wal', 'node:fs'),
    importsModule('electron/core/http', 'node:fs/promises'),
  ],
  'http-without-undici': [importsModule('electron/core/control', 'node:http')],
  'one-system-clock': [core('api', 'base/system-clock.ts'), core('store/metadata', 'base/system-clock.ts')],
  'chance-handed-in': [core('api/handlers', 'base/system-random.ts'), core('mqtt', 'base/system-random.ts')],
  'backends-opened-by-the-service': [core('api', 'lab'), core('push', 'folder'), core('http', 'lab')],
  'bridge-without-http': [core('bridge', 'http')],
  'blocks-without-files': [
    core('store/blocks/query', 'store/log'),
    core('store/blocks/block', 'disk'),
    importsModule('electron/core/store/blocks/block', 'node:fs'),
  ],
  'codec-at-the-bottom': [core('store/blocks/codec', 'store/blocks/block')],
  'blocks-below-queries': [core('store/blocks/block', 'store/blocks/query')],
  'segments-below-devices': [
    core('store/log/segment', 'store/log/device'),
    core('store/log/wal', 'store/log/log.ts'),
  ],
  'devices-below-the-log': [core('store/log/device', 'store/log/checkpoint.ts')],
  'renderer-bridge-below-stores': [imports('renderer/bridge', 'renderer/stores')],
  'no-circular': [
    {
      from: 'shared/circle-a.ts',
      files: {
        'shared/circle-a.ts': "import './circle-b.ts';",
        'shared/circle-b.ts': "import './circle-a.ts';",
      },
    },
  ],
  'not-to-test': [imports('shared', 'test')],
  resolvable: [importsModule('shared', './nowhere.ts')],
};

test('every rule is tried here', async () => {
  const { default: config } = (await import(join(project, '.dependency-cruiser.cjs'))) as {
    default: { forbidden: readonly { name: string; comment: string }[] };
  };
  const tried = [...Object.keys(BREAKS), 'no-circle-of-rooms'];
  expect(config.forbidden.map(({ name }) => name).toSorted()).toEqual(tried.toSorted());
});

describe('a tree that breaks every rule', () => {
  let output: string;
  beforeAll(async () => {
    output = await violationsOf(
      Object.assign(
        {},
        ...Object.values(BREAKS)
          .flat()
          .map(({ files }) => files),
      ),
    );
  });

  test.each(Object.entries(BREAKS))('is stopped by %s', (rule, breaks) => {
    for (const { from } of breaks) expect(output).toContain(`error ${rule}: ${from} →`);
  });
});

test('rooms that need each other are stopped, though no file needs itself', async () => {
  const circle = {
    ...core('api/handlers', 'api/removal').files,
    ...core('api/removal', 'api/handlers').files,
  };
  expect(await violationsOf(circle)).toContain('error no-circle-of-rooms: electron/core/api/');
});

test('code that keeps to its room passes', async () => {
  const output = await violationsOf({ 'renderer/a.ts': "import '../shared/b.ts';", 'shared/b.ts': target });
  expect(output).toContain('no dependency violations found (2 modules');
});

test('every room of core is on one floor, and nothing lies loose', async () => {
  const inside = await readdir(join(project, 'electron/core'), { withFileTypes: true });
  const rooms = inside.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const loose = inside.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
  expect(FLOORS.flatMap((floor) => floor.rooms).toSorted()).toEqual(rooms.toSorted());
  expect(loose).toEqual(['tsconfig.json']);
});

/** Folders of the source tree, each with its files. */
async function roomsIn(
  room: string,
): Promise<readonly (readonly [room: string, files: readonly string[]])[]> {
  const entries = await readdir(join(project, room), { withFileTypes: true });
  const inside = entries.filter(
    (entry) => entry.isDirectory() && !['node_modules', 'fixtures'].includes(entry.name),
  );
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => `${room}/${name}`);
  return [[room, files], ...(await Promise.all(inside.map(({ name }) => roomsIn(`${room}/${name}`)))).flat()];
}

test('no room has more than 25 files, and no file more than 300 lines', async () => {
  const trees = ['electron', 'renderer', 'shared', 'client', 'test', 'scripts', 'packaging', 'bench'];
  const rooms = (await Promise.all(trees.map(roomsIn))).flat();
  const sources = rooms.flatMap(([, files]) => files.filter((file) => /\.(?:tsx?|mjs|cjs)$/.test(file)));
  expect(sources.length).toBeGreaterThan(2000);
  expect(rooms.filter(([, files]) => files.length > 25).map(([room]) => room)).toEqual([]);
  const lines = await Promise.all(
    sources.map(
      async (file) => [file, (await readFile(join(project, file), 'utf8')).split('\n').length - 1] as const,
    ),
  );
  expect(lines.filter(([, count]) => count > 300)).toEqual([]);
});
