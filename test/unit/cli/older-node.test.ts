import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { parse, type Identifier, type Node } from 'acorn';
import { simple } from 'acorn-walk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCli, startServiceProcess, type CommandLine } from '../../helpers/service/service-process.ts';
import { globalHolders, moduleHolders, readList } from '../../older-node/names.mjs';

/* README, "Two commands": the service runs on Node 20, although the project's own Node is newer. */

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../../..');
const BUILT = join(ROOT, 'out/main');
const PRETEND = join(ROOT, 'test/older-node/pretend.mjs');

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'fieldbench-older-node-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A Node that this project did not bring, where it is an older one; the tests then run on it, too. */
async function olderNode(): Promise<string | null> {
  for (const place of (process.env['PATH'] ?? '').split(delimiter)) {
    if (place.includes('node_modules')) continue;
    const program = join(place, 'node');
    const version = await run(program, ['--version']).then(
      ({ stdout }) => Number.parseInt(stdout.slice(1), 10),
      () => Number.NaN,
    );
    if (version >= 20 && version < 24) return program;
  }
  return null;
}

const older = await olderNode();
const cli = join(BUILT, 'cli.js');
const commands: readonly (readonly [name: string, command: CommandLine | null])[] = [
  ['with nothing that Node 20 lacks', [process.execPath, '--import', PRETEND, cli]],
  ['on an older Node of this machine', older === null ? null : [older, cli]],
];

describe.each(commands)('the built service %s', (name, command) => {
  test.skipIf(command === null)('stores, imports, exports, deletes, stops and is checked', async () => {
    if (command === null) return;
    const directory = join(folder, name);
    const service = await startServiceProcess({ directory, cli: command });
    const made = await service.call<{ id: string }>('POST', '/_local/v1/projects', { name: 'Rig' });
    const devices = `/v2/projects/${made.data?.id}/devices`;
    const created = await service.call<{ id: string; metadata: { device_token: string } }>('POST', devices, {
      name: 'Pump',
      source: 'http',
    });
    const { id = '', metadata } = created.data ?? {};
    const stored = await service.fetch('/integrations/http', {
      method: 'POST',
      headers: { authorization: `Bearer ${metadata?.device_token}` },
      body: JSON.stringify([{ timestamp: '2026-01-05T08:00:00Z', bar: 1 }, { bar: 2 }]),
    });
    expect(await stored.json()).toMatchObject({ status: 200, data: { stored: 2 } });

    // Enough rows for worker threads to do the work.
    const rows = Array.from({ length: 20_000 }, (_, second) => ({
      timestamp: new Date(Date.UTC(2026, 0, 6, 0, 0, second)).toISOString(),
      bar: second,
    }));
    const records = `/_local/v1/projects/${made.data?.id}/devices/${id}/records`;
    const imported = await service.fetch(records, {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson' },
      body: rows.map((row) => JSON.stringify(row)).join('\n'),
    });
    expect(await imported.json()).toMatchObject({ status: 200, data: { stored: 20_000 } });
    const page = await service.call('GET', `${devices}/${id}/data?page=2&limit=10000&range=all`);
    expect(page.data).toHaveLength(10_000);
    const exported = await (await service.fetch(`${records}?format=csv`)).text();
    expect(exported.trim().split('\n')).toHaveLength(20_003);
    const range = 'start=2026-01-06T00:00:00Z&end=2026-01-06T00:59:59Z';
    expect(await service.call('DELETE', `${records}?${range}`)).toMatchObject({
      data: { deleted: { records: 3600 } },
    });
    expect(await service.stop()).toBe(0);
    const checked = await runCli(['check', '--data', directory, '--repair'], {}, command);
    expect(checked).toMatchObject({ code: 0, stdout: expect.stringContaining('Nothing is damaged.') });

    const again = await startServiceProcess({ directory, cli: command });
    expect(await again.call('DELETE', `/v2/projects/${made.data?.id}`)).toMatchObject({
      data: { deleted: { devices: 1, records: 16_402 } },
    });
    expect(await again.stop()).toBe(0);
  });
});

/** Names that core/base/older-node.ts brings to an older Node, as it brings them to one that has lost them. */
async function brought(): Promise<ReadonlySet<string>> {
  const after = `import(${JSON.stringify(join(ROOT, 'electron/core/base/older-node.ts'))})
    .then(() => import(${JSON.stringify(join(ROOT, 'test/older-node/names.mjs'))}))
    .then(({ globalHolders }) => globalHolders())
    .then((all) => console.log(JSON.stringify(all.flatMap(({ name, value }) =>
      Object.getOwnPropertyNames(value).map((own) => name + ' ' + own)))))`;
  const { stdout } = await run(process.execPath, ['--import', PRETEND, '-e', after], {
    cwd: ROOT,
    maxBuffer: 2 ** 26,
  });
  return new Set(JSON.parse(stdout) as string[]);
}

/** The names that a program has from modules: none of these is the global of that name. */
function importedBy(program: Node): ReadonlySet<string> {
  const names = new Set<string>();
  simple(program, {
    ImportDeclaration({ specifiers }) {
      for (const { local } of specifiers) names.add(local.name);
    },
  });
  return names;
}

test('nothing that is built asks an older Node for what it has not', async () => {
  const has = await brought();
  const list = readList(await readFile(join(ROOT, 'test/older-node/node-20.txt'), 'utf8'));
  const names = new Set([...list.values()].flatMap((held) => [...held]));
  for (const entry of has) names.add(entry.slice(entry.indexOf(' ') + 1));
  /** What only newer Nodes have, by its own name and, where it belongs to a global, by both. */
  const newer = new Set<string>();
  for (const { name, value } of [...globalHolders(), ...moduleHolders()])
    for (const part of Object.getOwnPropertyNames(value)) {
      if (list.get(name)?.has(part) || has.has(`${name} ${part}`)) continue;
      newer.add(`${name}.${part}`);
      if (!names.has(part)) newer.add(part);
    }
  expect(newer).toContain('RegExp.escape');
  expect(newer).toContain('toCryptoKey');
  expect(newer).not.toContain('withResolvers');

  const files = (await readdir(BUILT)).filter(
    (file) => file.endsWith('.js') && !/^(older-node|library)/.test(file),
  );
  expect(files).toContain('cli.js');
  const programs = await Promise.all(
    files.map(async (file) => ({ file, program: parse(await readFile(join(BUILT, file), 'utf8'), READ) })),
  );
  /** Names that the service gives to its own: `sync`, say, which newer Nodes happen to have somewhere, too. */
  const own = new Set<string>(OTHERS);
  const define = ({ key, computed }: { key: Node; computed: boolean }) => {
    if (!computed && isIdentifier(key)) own.add(key.name);
  };
  for (const { program } of programs)
    simple(program, { Property: define, MethodDefinition: define, PropertyDefinition: define });

  const asked: string[] = [];
  for (const { file, program } of programs) {
    const ask = (name: string) => void (newer.has(name) && !own.has(name) && asked.push(`${file}: ${name}`));
    const imported = importedBy(program);
    simple(program, {
      Identifier: ({ name }) => void (imported.has(name) || ask(`globalThis.${name}`)),
      MemberExpression({ object, property, computed }) {
        if (computed || !isIdentifier(property)) return;
        ask(property.name);
        if (isIdentifier(object)) ask(`${object.name}.${property.name}`);
      },
      ImportDeclaration({ source, specifiers }) {
        const module = String(source.value);
        if (!module.startsWith('node:')) return;
        for (const one of specifiers)
          if (one.type === 'ImportSpecifier' && isIdentifier(one.imported))
            if (!list.get(module)?.has(one.imported.name))
              asked.push(`${file}: ${one.imported.name} of ${module}`);
      },
    });
  }
  expect(asked).toEqual([]);
});

/** Names of packages' own, of a socket of ws; and what is looked for before it is used. */
const OTHERS = ['OPEN', 'bufferedAmount', 'execve', 'threadCpuUsage'];

/** ES2023 is the newest that Node 20 reads in full. */
const READ = { ecmaVersion: 2023, sourceType: 'module', allowHashBang: true } as const;

const isIdentifier = (node: Node): node is Identifier => node.type === 'Identifier';
