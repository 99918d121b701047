import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { dataOf } from '../world.ts';

/* docs/rigs.md, "Worlds": --seed-file. */

const PROJECT = '6a0f2a52-5d0e-4c39-8f7c-2f6a1d7b9c01';
const DEVICE = '0d3c1c8e-7d70-4f0e-9a53-7f8d5b0c1a02';
const SEED = `
projects:
  - id: ${PROJECT}
    name: Boiler room
    devices:
      - id: ${DEVICE}
        token: boiler-token
        name: Boiler
        tags: [hot]
        interval_s: 60
        records:
          - { timestamp: 2026-03-02T20:30:00Z, temperature: 20.5, state: idle }
          - { timestamp: 2026-03-02T20:31:00Z, temperature: 21 }
      - { name: Pump, source: mqtt, records: { file: pump.csv, zone: UTC } }
keys:
  - { name: reader, key: key-of-the-reader, permissions: [read], projects: [Boiler room] }
accounts:
  - name: Suite 1
    keys: [{ name: all, key: key-of-suite-1 }]
    projects: [{ name: Hall, devices: [{ name: Press, token: press-token }] }]
  - { name: Suite 2 }
`;
let folder: string;
let service: RunningService | null = null;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fieldbench-seed-'));
  await writeFile(join(folder, 'pump.csv'), 'time,rpm\n2026-03-02 20:30:00,1450\n2026-03-02 20:31:00,1460\n');
});
afterEach(async () => {
  await service?.stop();
  service = null;
  await rm(folder, { recursive: true, force: true });
});

async function start(text: string, directory?: string): Promise<RunningService> {
  const seedFile = join(folder, 'seed.yaml');
  await writeFile(seedFile, text);
  const settings = { vault: 'file', seedFile, ...(directory !== undefined && { directory }) } as const;
  return (service = await runService(settings, { isAlone: true }));
}

/** Data of a device as a key sees it, oldest first. */
async function records(asked: RunningService, key: string, project: string, device: string) {
  const path = `/v2/projects/${project}/devices/${device}/data?page=1&limit=10&range=all`;
  const { envelope } = await asked.request('GET', path, { key });
  return ((envelope.data ?? []) as unknown as object[]).toReversed();
}

interface Named {
  readonly id: string;
  readonly name: string;
}
const listed = async (asked: RunningService, path: string, key?: string) =>
  (await asked.request('GET', path, { ...(key !== undefined && { key }) })).envelope
    .data as unknown as Named[];

test('what a seed file says is there at the first request, by its ids, tokens and keys', async () => {
  const running = await start(SEED);
  const key = 'key-of-the-reader';
  expect(await records(running, key, PROJECT, DEVICE)).toEqual([
    { timestamp: '2026-03-02T20:30:00.000000Z', temperature: 20.5, state: 'idle' },
    { timestamp: '2026-03-02T20:31:00.000000Z', temperature: 21 },
  ]);
  const devices = await listed(running, `/v2/projects/${PROJECT}/devices`, key);
  const pump = devices.find(({ name }) => name === 'Pump');
  expect(await records(running, key, PROJECT, pump?.id ?? '')).toEqual([
    { timestamp: '2026-03-02T20:30:00.000000Z', rpm: 1450 },
    { timestamp: '2026-03-02T20:31:00.000000Z', rpm: 1460 },
  ]);
  const boiler = await dataOf(running, 'GET', `/v2/projects/${PROJECT}/devices/${DEVICE}`);
  expect(boiler).toMatchObject({
    name: 'Boiler',
    tags: ['hot'],
    device_credentials: { device_token: 'boiler-token' },
  });
  // What stands in the file was sent by the device; what was imported is no sign of life.
  expect(boiler['last_seen']).not.toMatch(/^1970/);

  const stored = await running.request('POST', '/integrations/http', { key: 'boiler-token', body: { t: 1 } });
  expect(stored.status).toBe(200);
  const suite = await listed(running, '/v2/projects', 'key-of-suite-1');
  expect(suite.map(({ name }) => name)).toEqual(['Hall']);
  expect((await listed(running, '/_local/v1/accounts')).map(({ name }) => name)).toEqual([
    'Default',
    'Suite 1',
    'Suite 2',
  ]);
  const { notes } = await dataOf(running, 'GET', '/_local/v1/status');
  expect(notes).toContain('Of the seed file came 2 accounts, 2 projects, 3 devices, 2 API keys.');
});

test('a start on data that is there makes what is missing, and changes nothing else', async () => {
  const first = await start(SEED);
  await first.request('POST', '/integrations/http', { key: 'boiler-token', body: { later: 1 } });
  await first.request('PATCH', `/_local/v1/projects/${PROJECT}`, { body: { name: 'Renamed' } });
  const pump = (await listed(first, `/v2/projects/${PROJECT}/devices`)).find(({ name }) => name === 'Pump');
  await dataOf(first, 'DELETE', `/v2/projects/${PROJECT}/devices/${pump?.id}`);
  await first.service.close();

  const again = await start(SEED, first.directory);
  expect((await listed(again, '/v2/projects')).map(({ name }) => name)).toEqual(['Renamed']);
  expect(await records(again, 'key-of-suite-1', PROJECT, DEVICE)).toEqual([]);
  expect(await records(again, again.service.api_key, PROJECT, DEVICE)).toHaveLength(3);
  const devices = await listed(again, `/v2/projects/${PROJECT}/devices`);
  expect(devices.map(({ name }) => name).toSorted()).toEqual(['Boiler', 'Pump']);
  const { notes } = await dataOf(again, 'GET', '/_local/v1/status');
  expect(notes).toContain('Of the seed file came 1 device.');
});

test('a reset to the seed brings a world back with its ids, tokens and records', async () => {
  const running = await start(SEED);
  const key = running.service.api_key;
  const before = await records(running, key, PROJECT, DEVICE);
  await running.request('POST', '/integrations/http', { key: 'boiler-token', body: { later: 1 } });
  await dataOf(running, 'POST', '/_local/v1/projects', { name: 'Made since' });
  const suite = (await running.request('GET', '/v2/projects', { key: 'key-of-suite-1' })).text;
  const gone = await dataOf(running, 'POST', '/_local/v1/reset', { to: 'seed' });
  expect(gone).toEqual({ projects: 2, devices: 2, records: 5 });
  expect((await listed(running, '/v2/projects')).map(({ name }) => name)).toEqual(['Boiler room']);
  expect(await records(running, key, PROJECT, DEVICE)).toEqual(before);
  const stored = await running.request('POST', '/integrations/http', { key: 'boiler-token', body: { t: 1 } });
  expect(stored.status).toBe(200);
  expect((await running.request('GET', '/v2/projects', { key: 'key-of-suite-1' })).text).toBe(suite);

  const made = await dataOf(running, 'POST', '/_local/v1/accounts', { name: 'Not in the file' });
  const refused = await running.request('POST', '/_local/v1/reset', {
    body: { to: 'seed', account_id: made.id },
  });
  expect([refused.status, refused.envelope.message]).toEqual([
    400,
    'to must be "empty" for this account: the seed file has "Default", "Suite 1", "Suite 2"',
  ]);
});

const WRONG: readonly (readonly [what: string, text: string, says: string])[] = [
  ['no YAML', 'projects: [', 'it is neither JSON nor YAML'],
  ['a list', '[]', 'body must be an object of projects, keys, accounts, got []'],
  ['nothing', '', 'body must be an object of projects, keys, accounts, got null'],
  ['a field that is none', 'project: []', 'body takes no "project": it must be an object of projects, keys'],
  [
    'a device without a name',
    'projects: [{name: P, devices: [{}]}]',
    'projects.0.devices.0.name is required',
  ],
  ['an id that is none', 'projects: [{id: 7, name: P}]', 'projects.0.id must be a UUID, got 7'],
  [
    'a short token',
    'projects: [{name: P, devices: [{name: D, token: abc}]}]',
    'projects.0.devices.0.token must be 8',
  ],
  [
    'a record that is none',
    'projects: [{name: P, devices: [{name: D, records: [{a: 1}, {timestamp: soon, a: 1}]}]}]',
    'projects.0.devices.0.records.1 ',
  ],
  [
    'a file that is not there',
    'projects: [{name: P, devices: [{name: D, records: {file: none.csv}}]}]',
    'projects.0.devices.0.records.file must be a file that can be read: ENOENT',
  ],
  [
    'a file that cannot be imported',
    'projects: [{name: P, devices: [{name: D, records: {file: seed.yaml, format: ndjson}}]}]',
    'projects.0.devices.0.records.file ',
  ],
  [
    'one token twice',
    'projects: [{name: P, devices: [{name: D, token: same-token}, {name: E, token: same-token}]}]',
    'projects.0.devices.1.token must be that of nothing else',
  ],
  [
    'one name twice',
    'projects: [{name: P, devices: [{name: D}, {name: D}]}]',
    'projects.0.devices.1.name must be that of nothing else',
  ],
  [
    'an account twice',
    'accounts: [{name: A}, {name: A}]',
    'accounts.1.name must be that of no other account',
  ],
  ['the default account', 'accounts: [{name: Default}]', 'accounts.0.name must be that of no other account'],
  [
    'a key to no project',
    'keys: [{name: K, projects: [P]}]',
    'keys.0.projects.0 must be the name of a project of its account, got "P"',
  ],
];

test.each(WRONG)('%s: the start ends, names it, and makes nothing', async (_what, text, says) => {
  const first = await runService({ vault: 'file' }, { isAlone: true });
  await first.service.close();
  await expect(start(text, first.directory)).rejects.toThrow(says);
  const after = await runService({ vault: 'file', directory: first.directory }, { isAlone: true });
  service = after;
  expect(await listed(after, '/v2/projects')).toEqual([]);
  expect(await listed(after, '/_local/v1/accounts')).toHaveLength(1);
  const { notes } = await dataOf(after, 'GET', '/_local/v1/status');
  expect(notes).toEqual([]);
});

test('ids and tokens of others are refused', async () => {
  const first = await start(SEED);
  await first.service.close();
  const taken = (text: string) => start(text, first.directory);
  await expect(taken(`accounts: [{name: X, projects: [{id: ${PROJECT}, name: P}]}]`)).rejects.toThrow(
    `accounts.0.projects.0.id must not be of a project of another account, got "${PROJECT}"`,
  );
  await expect(taken(`projects: [{name: P, devices: [{id: ${DEVICE}, name: D}]}]`)).rejects.toThrow(
    `projects.0.devices.0.id must not be of a device of another project, got "${DEVICE}"`,
  );
  await expect(taken('projects: [{name: P, devices: [{name: D, token: boiler-token}]}]')).rejects.toThrow(
    'projects.0.devices.0.token must be that of no other device',
  );
  await expect(taken('keys: [{name: K, key: key-of-suite-1}]')).rejects.toThrow(
    'keys.0.key must not be a key of another account',
  );
  service = await runService({ vault: 'file', directory: first.directory }, { isAlone: true });
  expect((await listed(service, '/v2/projects')).map(({ name }) => name)).toEqual(['Boiler room']);
});

test('the schema says what a seed file takes', async () => {
  const running = await start('{}');
  const schema = JSON.parse((await running.request('GET', '/_local/v1/seed.schema.json')).text) as {
    readonly additionalProperties: boolean;
    readonly properties: { readonly projects: { readonly items: { readonly required: readonly string[] } } };
  };
  expect(schema.additionalProperties).toBe(false);
  expect(schema.properties.projects.items.required).toEqual(['name']);
});
