import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseYaml } from '@redocly/openapi-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseServeFlags } from '#core/cli/flags.ts';
import { openDatabase, type Database } from '#core/store/postgres/connection/connections.ts';
import { hasPostgres, startPostgres, type Postgres } from '../../helpers/postgres/postgres.ts';

/* What an operator is given (deploy/) fits the tables that there are. */

const ROOT = join(import.meta.dirname, '../../..');
const read = (name: string) => readFile(join(ROOT, name), 'utf8');

/** The names in the lists of a script: '{a,b}'. */
const listed = (sql: string) =>
  [...sql.matchAll(/'\{([^}]*)\}'/g)].map(([, names = '']) => names.split(',').map((name) => name.trim()));

const served = (flags: string) => parseServeFlags(flags.trim().split(/\s+/));
const AS_SERVED = {
  host: '0.0.0.0',
  store: expect.stringMatching(/^postgres:/),
  keyFile: expect.stringContaining('lab.key'),
  certificate: expect.anything(),
  mqttsPort: 8883,
  trustedProxies: [expect.stringMatching(/^[\d.]+(\/24)?$/)],
  drainMs: 10_000,
};

test('the unit starts a service as the command line takes it', async () => {
  const text = (await read('deploy/fieldbench.service')).replaceAll('\\\n', ' ');
  const [, flags = ''] = /node \S*cli\.js serve (.*)$/m.exec(text) ?? [];
  // An authority is read with the address: test/deploy/administrator.test.ts has one.
  expect(served(flags.replace(/&sslrootcert=\S+/, ''))).toMatchObject(AS_SERVED);
});

test.each([
  ['deploy/fieldbench-files.service', { host: '0.0.0.0', mqttsPort: 8883 }],
  ['deploy/rig/fieldbench.service', { host: '127.0.0.1', mqttsPort: null }],
])(
  '%s starts the package’s own program over files, with secrets that need no keychain',
  async (unit, doors) => {
    const text = (await read(unit)).replaceAll('\\\n', ' ');
    const [, flags = ''] = /^ExecStart=\S+\/fieldbench serve (.*)$/m.exec(text) ?? [];
    expect(served(flags)).toMatchObject({ store: null, vault: 'file', ...doors });
    expect(served(flags).readyFile).toContain('.json');
    // It holds a key.
    expect(text).toContain('UMask=0077');
  },
);

test('so do the recipes for launchd and for Windows, which also says how the service ends', async () => {
  const texts = (xml: string, tag: string) =>
    [...xml.matchAll(new RegExp(`<${tag}>([^<]*)</${tag}>`, 'g'))].map(([, text = '']) => text);
  const [words = ''] = /<array>[^]*<\/array>/.exec(await read('deploy/rig/fieldbench.plist')) ?? [];
  const [macNode, macScript, ...mac] = texts(words, 'string');
  // Beside the clone's own Node, as on Windows: what else is on a machine, and where, differs.
  expect([macNode, macScript]).toEqual(
    ['node_modules/.bin/node', 'out/main/cli.js'].map((path) => `/Users/rig/fieldbench/${path}`),
  );
  const xml = await read('deploy/rig/fieldbench-windows.xml');
  const [, ...windows] = (texts(xml, 'arguments')[0] ?? '').split(' ');
  for (const [command, ...flags] of [mac, windows])
    expect([command, parseServeFlags(flags)]).toMatchObject(['serve', { store: null, vault: 'file' }]);
  const [, ...stop] = (texts(xml, 'stoparguments')[0] ?? '').split(' ');
  expect(stop).toEqual(['stop', ...windows.slice(1, 3)]);
});

test('the systemd unit hands over each secret that the command line names, and none by the environment', async () => {
  const text = await read('deploy/fieldbench.service');
  const handed = [...text.matchAll(/^LoadCredential=(\S+):/gm)].map(([, name = '']) => name);
  const named = [...text.matchAll(/ --\S+ \$\{CREDENTIALS_DIRECTORY\}\/(\S+)/g)].map(([, name = '']) => name);
  expect(named.toSorted()).toEqual(['lab.key', 'store.password', 'tls.key', 'tls.pem']);
  // The database's authority is named in its address.
  expect(handed.toSorted()).toEqual(['ca.pem', ...named].toSorted());
  expect(text).not.toMatch(/^Environment(File)?=.*(PASS|environment)/m);
});

describe('the compose file', () => {
  interface Service {
    readonly image: string;
    readonly command: string;
    readonly volumes: readonly string[];
    readonly networks?: { readonly default: { readonly aliases: readonly string[] } };
    readonly depends_on?: unknown;
  }
  interface Compose {
    readonly services: Readonly<Record<string, Service>>;
    readonly volumes: Readonly<Record<string, null>>;
  }
  let text: string;
  let compose: Compose;
  let services: [string, Service][];
  beforeAll(async () => {
    text = await read('deploy/compose.yaml');
    compose = parseYaml(text) as Compose;
    services = Object.entries(compose.services).filter(([, { command }]) => command.includes(' serve '));
  });

  test('starts three services as the command line takes it, on what is built here', async () => {
    expect(services).toHaveLength(3);
    for (const [, { command }] of services) {
      const [, program, flags = ''] = /^node (\S+) serve (.*)$/.exec(command) ?? [];
      expect(program).toBe(
        (JSON.parse(await read('package.json')) as { main: string }).main
          .replace('./', '')
          .replace('main.js', 'cli.js'),
      );
      expect(served(flags)).toMatchObject(AS_SERVED);
    }
  });

  test('pins each image by its digest, of an exact version, and the Node that the project pins', async () => {
    for (const { image } of Object.values(compose.services))
      expect(image).toMatch(/^\w+:\d+(\.\d+)+(-[\w-]+)?@sha256:[\da-f]{64}$/);
    const { devDependencies } = JSON.parse(await read('package.json')) as {
      devDependencies: { node: string };
    };
    for (const [, { image }] of services) expect(image).toMatch(`node:${devDependencies.node}-`);
  });

  test('gives the balancer the services that its file names, and all of its files', async () => {
    const config = await read('deploy/haproxy.cfg');
    const named = new Set([...config.matchAll(/^ +server \w+ ([\w.]+):/gm)].map(([, name]) => name));
    expect(new Set(services.flatMap(([, { networks }]) => networks?.default.aliases))).toEqual(named);
    const mounted = compose.services['balancer']?.volumes.map((volume) => volume.split(':')[1]);
    const files = new Set([...config.matchAll(/^[^#\n]*?(?:crt|ca-file) (\S+)/gm)].map(([, file]) => file));
    expect(mounted).toEqual(expect.arrayContaining([...files]));
  });

  test('mounts what there is, or what the commands in it make for nobody else to read', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'fieldbench-'));
    try {
      const commands = [...text.matchAll(/^# {3}(\(.*\))$/gm)].map(([, line = '']) => line);
      execFileSync('sh', ['-e', '-c', commands.join('\n')], { cwd: folder, stdio: 'pipe' });
      const made = await readdir(folder);
      for (const name of made) expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
      expect((await stat(join(folder, 'lab.key'))).size).toBe(32);
      for (const { volumes } of Object.values(compose.services))
        for (const [from = ''] of volumes.map((volume) => volume.split(':')))
          if (!from.startsWith('.')) expect(Object.keys(compose.volumes)).toContain(from);
          else if (!made.includes(from.slice(2))) await stat(join(ROOT, 'deploy', from));
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe.skipIf(!hasPostgres)('the scripts for the database', () => {
  let postgres: Postgres;
  let database: Database;
  let tables: { readonly name: string; readonly lanes: boolean }[];
  beforeAll(async () => {
    postgres = await startPostgres();
    database = await openDatabase({ url: await postgres.database() });
    tables = [
      ...(await database.ask<{ name: string; lanes: boolean }>(
        `SELECT c.relname AS name, EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'lane') AS lanes
           FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND n.nspname = 'public'`,
        [],
      )),
    ];
  });
  afterAll(async () => {
    await database.close();
    await postgres.stop();
  });

  test('of Citus deal every table that has lanes by them, and keep every other one on the coordinator', async () => {
    const sql = await read('deploy/citus.sql');
    const [colocated = [], coordinated = []] = listed(sql);
    const withLanes = tables.filter(({ lanes }) => lanes).map(({ name }) => name);
    const others = tables.filter(({ lanes }) => !lanes).map(({ name }) => name);
    expect(sql).toContain("create_distributed_table('device_head', 'lane'");
    expect(sql).toContain('citus_add_local_table_to_metadata(name)');
    expect(['device_head', ...colocated].toSorted()).toEqual(withLanes.toSorted());
    expect(coordinated.toSorted()).toEqual(others.toSorted());
  });

  test('of PostgreSQL run, again and again', async () => {
    const sql = await read('deploy/postgres.sql');
    for (let round = 0; round < 2; round++) await database.ask(sql);
    const [block] = await database.ask(
      "SELECT attstorage AS how FROM pg_attribute WHERE attrelid = 'block'::regclass AND attname = 'bytes'",
      [],
    );
    expect(block).toEqual({ how: 'e' });
  });
});
