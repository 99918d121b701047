import { readFileSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Split } from '#shared/operations/service/backup.ts';
import { clockOf } from '../helpers/clock.ts';
import { inFolder } from '../helpers/postgres/database-of-tests.ts';
import { runService, type RunningService } from '../helpers/service/running-service.ts';

/*
 * test/fixtures/data-1/ is the data directory of a service that was killed, of the version whose metadata.json had format
 * 1 and no journal. It holds records in segments and in the write-ahead log, and a delete that was cut off half-way.
 * answers.json is what that service answered last; the passphrase and the keys were made for it and open nothing else.
 * Its secrets were moved to version 2 of vault.json, the first that is read.
 */

const FIXTURE = join(import.meta.dirname, '../fixtures/data-1');

interface Recorded {
  readonly passphrase: string;
  readonly api_key: string;
  readonly keys: Readonly<Record<'reader' | 'limited' | 'far' | 'expired' | 'strangers', string>>;
  /** The device whose delete was cut off. */
  readonly gone: { readonly project: string; readonly device: string; readonly token: string };
  readonly answers: Readonly<Record<string, unknown>>;
}

/** A day later than the fixture: after one of its keys expired. */
const clock = clockOf(() => Date.UTC(2026, 2, 3, 21) * 1000);
let recorded: Recorded;
let directory: string;
let running: RunningService | null = null;

beforeEach(async () => {
  recorded = JSON.parse(await readFile(join(FIXTURE, 'answers.json'), 'utf8')) as Recorded;
  directory = await mkdtemp(join(tmpdir(), 'fieldbench-upgrade-'));
  await cp(join(FIXTURE, 'folder'), directory, { recursive: true });
});
afterEach(async () => {
  await running?.service.close();
  running = null;
  await rm(directory, { recursive: true });
});

async function start(): Promise<RunningService> {
  await running?.service.close();
  const { passphrase } = recorded;
  return (running = await runService({ directory, vault: 'file', passphrase }, { clock }));
}

async function answersOf(service: RunningService): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  for (const path of Object.keys(recorded.answers)) {
    const { envelope } = await service.request('GET', path);
    const text = JSON.stringify(envelope.data).replaceAll(service.service.base_url, 'BASE');
    answers[path] = JSON.parse(text);
  }
  return answers;
}

// Of files.
test.runIf(inFolder)(
  'a data directory of an earlier version opens with all it holds, and goes on being used',
  async () => {
    let service = await start();
    expect(service.service.api_key).toBe(recorded.api_key);
    // What is known more by now is beside it.
    expect(await answersOf(service)).toMatchObject(recorded.answers);

    const { project, device, token } = recorded.gone;
    expect(service.logged.join()).toContain('The delete of a device, which was cut off, was finished.');
    expect(service.logged.filter((line) => line.includes('the way back is a copy'))).toEqual([
      expect.stringMatching(/metadata\.json had format 1, .* is brought to format 5\./),
      expect.stringMatching(/The write-ahead log "wal-.*" had format \d, .* is brought to format 6\./),
    ]);
    expect(await readdir(join(directory, 'data'))).not.toContain(device);
    expect((await service.request('GET', `/v2/projects/${project}/devices/${device}`)).status).toBe(404);
    expect((await service.request('POST', '/integrations/http', { key: token, body: { a: 1 } })).status).toBe(
      401,
    );

    const made = await service.request('POST', `/v2/projects/${project}/devices`, {
      body: { name: 'made since', source: 'http' },
    });
    expect(made.status).toBe(201);
    service = await start();
    const devices = await service.request('GET', `/v2/projects/${project}/devices`);
    expect(devices.text).toContain('made since');
    expect(service.logged).toEqual([]);
  },
);

// Of files.
test.runIf(inFolder)('its keys may do what they might before', async () => {
  const { keys, answers } = recorded;
  const service = await start();
  const seen = async (key: string) => {
    const { status, envelope } = await service.request('GET', '/v2/projects', { key });
    return status === 200 ? envelope.data : status;
  };
  const projects = answers['/v2/projects'] as readonly { readonly name: string }[];
  expect(await seen(keys.reader)).toEqual(projects);
  expect(await seen(keys.far)).toEqual(projects);
  expect(await seen(keys.limited)).toEqual(projects.filter(({ name }) => name === 'Roof'));
  expect(await seen(keys.strangers)).toEqual([]);
  expect(await seen(keys.expired)).toBe(401);
});

/*
 * test/fixtures/data-2/ was left by the version whose metadata.json had format 2, killed while a journal continued it: it
 * knew no key settings, notes and views.
 */
describe('a data directory of format 2', () => {
  const OLD = join(import.meta.dirname, '../fixtures/data-2');
  const old = JSON.parse(readFileSync(join(OLD, 'answers.json'), 'utf8')) as Omit<
    Recorded,
    'keys' | 'gone'
  > & {
    readonly reader: string;
    readonly plant: string;
    readonly probe: string;
  };
  beforeEach(async () => {
    await rm(directory, { recursive: true });
    await cp(join(OLD, 'folder'), directory, { recursive: true });
    recorded = { ...recorded, ...old };
  });

  // Of files.
  test.runIf(inFolder)('opens with all it holds, and takes what is new', async () => {
    let service = await start();
    expect(service.service.api_key).toBe(old.api_key);
    expect(await answersOf(service)).toMatchObject(old.answers);
    // What it does, and the way back.
    expect(service.logged).toEqual([
      expect.stringMatching(/metadata\.json had format 2, .* the way back is a copy/),
      expect.stringMatching(/The write-ahead log "wal-.*" had format 4, .* is brought to format 6\./),
      expect.stringMatching(/What the data directory held before .* is in .*before-migration\.tar/),
    ]);
    const empty = await runService({ vault: 'memory' }, { clock });
    const raw = { type: 'application/x-tar', bytes: await readFile(join(directory, 'before-migration.tar')) };
    const restored = await empty.request('POST', '/_local/v1/restore', { raw });
    expect(restored.envelope.success, restored.text).toBe(true);
    for (const [path, answer] of Object.entries(old.answers)) {
      const { text } = await empty.request('GET', path);
      const found = JSON.parse(text.replaceAll(empty.service.base_url, 'BASE')) as { data: unknown };
      if (/\/data|\/functions|\/projects$/.test(path))
        expect(found.data, path).toMatchObject(answer as object);
    }
    await empty.stop();
    const device = `/_local/v1/projects/${old.plant}/devices/${old.probe}`;
    const ask = async (method: string, path: string, body?: object) => {
      const { envelope } = await service.request(method, path, { body });
      return envelope.data;
    };
    for (const path of [
      '/_local/v1/views',
      `${device}/notes`,
      `${device}/corrections`,
      `/_local/v1/projects/${old.plant}/key-settings`,
    ])
      expect(await ask('GET', path)).toEqual([]);
    await ask('PATCH', `${device}/key-settings`, { key: 'temperature', unit: '°C' });
    await ask('POST', `${device}/notes`, { start: '2026-03-02T20:31:00Z', text: 'Valve opened' });
    await ask('POST', '/_local/v1/views', { name: 'Drift', address: '#/' });
    service = await start();
    expect(await ask('GET', '/_local/v1/views')).toMatchObject([{ name: 'Drift' }]);
    expect(await ask('GET', `${device}/notes`)).toMatchObject([{ text: 'Valve opened' }]);
    expect(await ask('GET', `/_local/v1/projects/${old.plant}/key-settings`)).toMatchObject([{ unit: '°C' }]);
    expect(service.logged).toEqual([]);
    expect(await answersOf(service)).toMatchObject(old.answers);
  });

  // Of files.
  test.runIf(inFolder)(
    'is written anew before anything else, so that the version before refuses it from the first start on',
    async () => {
      await start();
      const text = await readFile(join(directory, 'metadata.json'), 'utf8');
      expect(text).toContain('"version":5,');
      expect(await readFile(join(directory, 'metadata.last-good.json'), 'utf8')).toBe(text);
      expect(await readdir(directory)).not.toContain('metadata.journal');
    },
  );
});

/*
 * test/fixtures/data-3/ was left by the version whose metadata.json had format 3, with a snapshot of all of it: it knew no corrections.
 */
describe('a data directory of format 3', () => {
  const OLD = join(import.meta.dirname, '../fixtures/data-3');
  const old = JSON.parse(readFileSync(join(OLD, 'answers.json'), 'utf8')) as Pick<
    Recorded,
    'passphrase' | 'api_key' | 'answers'
  > & { readonly project: string; readonly device: string };
  beforeEach(async () => {
    await rm(directory, { recursive: true });
    await cp(join(OLD, 'folder'), directory, { recursive: true });
    recorded = { ...recorded, ...old };
  });

  // Of files.
  test.runIf(inFolder)(
    'opens with all it holds, takes corrections, and its snapshots come back',
    async () => {
      let service = await start();
      const upgraded = service.logged.filter((line) => line.includes('metadata.json had format 3'));
      expect(upgraded).toEqual([expect.stringMatching(/is brought to format 5/)]);
      expect(await answersOf(service)).toMatchObject(old.answers);
      const corrections = `/_local/v1/projects/${old.project}/devices/${old.device}/corrections`;
      const ask = async (method: string, path: string, body?: object) =>
        (await service.request(method, path, { body })).envelope.data;
      expect(await ask('GET', corrections)).toEqual([]);
      await ask('POST', corrections, { kind: 'calibration', key: 'temperature', points: [[0, 0.4]] });
      service = await start();
      expect(await ask('GET', corrections)).toMatchObject([{ key: 'temperature', version: 1 }]);
      expect(service.logged).toEqual([]);
      await ask('POST', '/_local/v1/snapshots/then/restore', {});
      expect(await ask('GET', corrections)).toEqual([]);
      expect(await ask('GET', `${corrections}/history`)).toEqual([]);
      expect(await answersOf(service)).toMatchObject(old.answers);
    },
  );
});

/*
 * test/fixtures/backup-1/ was written by the first version that made backups, test/fixtures/backup-1-secrets/ by the first that made
 * them with secrets; answers.json is what it answered then.
 */
test.runIf(inFolder).each<[fixture: string, records: number, secrets?: Split]>([
  ['backup-1', 3004],
  ['backup-1-secrets', 4, { new: 4, same: 0, differ: 0 }],
])('a backup as in %s is restored with all it holds', async (fixture, records, secrets) => {
  const folder = join(import.meta.dirname, '../fixtures', fixture);
  const { answers, world, reader, passphrase } = JSON.parse(
    await readFile(join(folder, 'answers.json'), 'utf8'),
  ) as {
    readonly answers: Readonly<Record<string, unknown>>;
    readonly world: { readonly device_token: string };
    readonly reader: string;
    readonly passphrase?: string;
  };
  await rm(directory, { recursive: true });
  const service = await start();
  const bytes = await readFile(join(folder, 'backup.tar'));
  const raw = { type: 'application/x-tar', bytes };
  const given = passphrase === undefined ? {} : { headers: { 'fieldbench-passphrase': passphrase } };
  const { envelope } = await service.request('POST', '/_local/v1/restore', { raw, ...given });
  expect(envelope.data).toEqual({
    projects: { new: 2, same: 0, differ: 0 },
    devices: { new: 1, same: 0, differ: 0 },
    records: { new: records, same: 0, differ: 0 },
    ...(secrets && { secrets }),
  });
  for (const [path, recordedAnswer] of Object.entries(answers)) {
    const answer = await service.request('GET', path, {
      key: path.startsWith('/v2/') ? reader : service.service.api_key,
    });
    const text = JSON.stringify(answer.envelope.data).replaceAll(service.service.base_url, 'BASE');
    expect(JSON.parse(text.replaceAll(/"bytes":\d+/g, '"bytes":0')), path).toMatchObject(
      recordedAnswer as object,
    );
  }
  // What was sent once is not stored twice, after a restore either.
  const headers = { 'idempotency-key': 'once' };
  await service.request('POST', '/integrations/http', { key: world.device_token, headers, body: { big: 1 } });
  const again = await service.request('POST', '/_local/v1/restore?dry_run=true', { raw });
  expect(again.envelope.data).toMatchObject({ records: { new: 0, same: records, differ: 0 } });
});
