import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inProject } from '../../scripts/lib/project.mjs';
import { installPacked, lend, type Installed } from './packed.ts';

/* `fieldbench/client` as others have it: packed, installed without a network, checked by their compiler, run by their Node. */

let installed: Installed;
beforeAll(async () => {
  installed = await installPacked();
  await lend(installed.folder, ['@types/node', 'undici-types']);
});
afterAll(() => installed.remove());

const tsc = async (files: readonly string[]) => {
  const compilerOptions = {
    strict: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    skipLibCheck: false,
    target: 'ES2022',
    module: 'nodenext',
    types: ['node'],
  };
  await writeFile(join(installed.folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  return installed.run(process.execPath, [inProject('node_modules/typescript/bin/tsc'), '-p', '.']);
};

test('an install asks no registry and brings no other package', async () => {
  const modules = await readdir(join(installed.folder, 'node_modules'));
  expect(modules.filter((name) => !name.startsWith('.')).toSorted()).toEqual([
    '@types',
    'fieldbench',
    'undici-types',
  ]);
  expect(await installed.run('fieldbench', ['--version'])).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test('the client knows no schema: it is small, and imports nothing but Node', async () => {
  const text = await readFile(join(installed.folder, 'node_modules/fieldbench/out/main/client.js'), 'utf8');
  const imported = Array.from(text.matchAll(/\bfrom\s*["']([^"']+)["']/g), ([, name = '']) => name);
  expect(imported.filter((name) => !name.startsWith('node:'))).toEqual([]);
  expect(text.length).toBeLessThan(40_000);
});

test('its types compile where they are used, and refuse what the service would', async () => {
  const wrong = `import { createClient, type Inputs, type Outputs } from 'fieldbench/client';
const client = createClient({ url: 'http://localhost', key: 'k' });
const list: Outputs['projects.list'] = await client.projects.list();
export const name: string = list[0]?.name ?? '';
const device: Inputs['devices.create'] = { project_id: 'p', name: 'Pump', source: 'mqtt' };
export const id: string = (await client.devices.create(device)).metadata.device_id;
export const file: Response = await client.records.export({ project_id: 'p', device_id: 'd', format: 'csv' });
export const stored: number = (await client.records.import({ project_id: 'p', device_id: 'd' }, 'a,b')).stored;
// @ts-expect-error: there is no such field.
await client.clock.advance({ seconds: 1 });
// @ts-expect-error: nor such a value.
await client.devices.create({ project_id: 'p', name: 'Pump', source: 'carrier pigeon' });
// @ts-expect-error: nor such an operation.
await client.devices.polish();
// @ts-expect-error: the id is missing.
await client.projects.get({});
`;
  await writeFile(join(installed.folder, 'types.ts'), wrong);
  expect(await tsc(['types.ts'])).toBe('');
});

test('what is published fits the table: each operation, what it takes and what it gives', async () => {
  const { folder } = installed;
  const same = `import type * as Published from 'fieldbench/client';
import type * as Table from ${JSON.stringify(inProject('client/operations.ts'))};
type Same<A, B> = [A, keyof A] extends [B, keyof B] ? ([B, keyof B] extends [A, keyof A] ? true : false) : false;
export const all: Same<Published.OperationId, Table.OperationId> = true;
export const methods = (client: Table.Nouns): Published.Nouns => client;
`;
  await writeFile(join(folder, 'same.ts'), same);
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: 'ES2024',
    lib: ['ES2025'],
    module: 'preserve',
    moduleResolution: 'bundler',
    allowImportingTsExtensions: true,
    types: ['node'],
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['same.ts'] }));
  const compiler = inProject('node_modules/typescript/bin/tsc');
  expect(await installed.run(process.execPath, [compiler, '-p', '.'])).toBe('');
});

test('the example of the documentation compiles and passes', async () => {
  await copyFile(inProject('examples/typescript/boiler.test.ts'), join(installed.folder, 'boiler.test.ts'));
  expect(await tsc(['boiler.test.ts'])).toBe('');
  expect(await installed.run(process.execPath, ['--test', 'boiler.test.ts'])).toMatch(/pass 1\n/);
});

const JOURNEY = `import { createClient, FieldbenchError, startService } from 'fieldbench/client';
const asked = [];
const service = await startService({ seed: 7, clock: 'frozen@2026-01-15T10:30:00Z' });
const counting = (url, init) => { asked.push(init.method + ' ' + new URL(url).pathname); return fetch(url, init); };
const client = createClient({ url: service.url + '/', key: service.key, fetch: counting });
const refusal = (work) => work.then(() => null, (e) => e instanceof FieldbenchError && [e.status, e.action, e.message, e.requestId, e.retryAfterS]);
const project = await client.projects.create({ name: 'Boiler room' });
const { id: device_id, metadata: { device_token: token } } = await client.devices.create({ project_id: project.id, name: 'Pump', source: 'http' });
const at = { project_id: project.id, device_id };
const records = [{ n: 1 }, { n: 2, timestamp: '2026-01-15T10:00:00Z' }];
const twice = [await client.ingest({ token, records, idempotencyKey: 'a"b"\\\\' }), await client.ingest({ token, records, idempotencyKey: 'a"b"\\\\' })];
const page = await client.call('data.list', { ...at, page: 1, limit: 1, range: 'all' });
const file = await client.records.export({ ...at, format: 'ndjson' });
const text = await file.text();
const state = file.headers.get('etag').replaceAll('"', '');
const rest = await client.records.export({ ...at, format: 'ndjson', from: 10, state });
const imported = await client.records.import(at, 'timestamp,n\\n2026-01-15T11:00:00Z,3\\n');
const moved = await client.clock.advance({ ms: 86400000 });
const backup = await client.backup.get();
await service.client.projects.remove({ project_id: project.id });
const aborted = new AbortController(); aborted.abort(new Error('enough'));
console.log(JSON.stringify({
  project: project.id.length, twice, total: page.headers.get('x-total-count'), one: page.data.length,
  whole: rest.status === 206 && text.slice(10) === await rest.text(), stored: imported.stored, now: moved.now,
  backup: backup.headers.get('content-type'), bytes: (await backup.arrayBuffer()).byteLength > 1000,
  gone: await refusal(client.devices.get(at)),
  wrong: await refusal(client.projects.create({ name: '' })),
  nobody: await refusal(createClient({ url: service.url, key: 'nonsense' }).projects.list()),
  noId: await client.projects.get({ project_id: '' }).catch((e) => e.message),
  enough: await client.projects.list({}, { signal: aborted.signal }).catch((e) => e.message),
  asked: asked.slice(0, 3),
}));
await service.stop();
await service.stop();
const start = (options) => startService(options).catch((e) => e.message);
console.log(JSON.stringify([await start({ args: ['--colour', 'red'] }), await start({ inMemory: true, data: '/x' }), await start({ timeoutMs: 1 })]));
`;

test('it makes the main journey, tells refusals apart, and ends what it started', async () => {
  await writeFile(join(installed.folder, 'journey.mjs'), JOURNEY);
  const [journey = '', starts = ''] = (await installed.run(process.execPath, ['journey.mjs'])).split('\n');
  expect(JSON.parse(journey)).toEqual({
    project: 36,
    twice: [{ stored: 2 }, { stored: 2 }],
    total: '2',
    one: 1,
    whole: true,
    stored: 1,
    now: '2026-01-16T10:30:00.000000Z',
    backup: 'application/x-tar',
    bytes: true,
    gone: [404, 'get device', expect.stringMatching(/not found/), null, null],
    wrong: [
      400,
      'create project',
      expect.stringMatching(/^name must be text of 1 to 100 characters/),
      null,
      null,
    ],
    nobody: [401, expect.any(String), expect.any(String), null, null],
    noId: 'projects.get takes project_id, an id, got "".',
    enough: 'enough',
    asked: [
      'POST /_local/v1/projects',
      expect.stringMatching(/^POST \/v2\/projects\//),
      'POST /integrations/http',
    ],
  });
  expect(JSON.parse(starts)).toEqual([
    expect.stringMatching(/^fieldbench serve ended at its start, exit code 2:\n[^]*--colour/),
    'startService takes inMemory or data, a folder: one of the two.',
    expect.stringMatching(/^fieldbench serve was not ready after 1 ms/),
  ]);
});
