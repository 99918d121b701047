import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { DeviceStorage, Storage, StorageCheck } from '#shared/operations/service/storage.ts';
import { inFolder } from '../helpers/postgres/database-of-tests.ts';
import { WORKER_SCRIPT } from '../helpers/service/scripts.ts';
import { openWithHeldCheck } from '../helpers/service/held-check.ts';
import { runService, type RunningService } from '../helpers/service/running-service.ts';
import { createWorld, dataOf, RECORDS, type World } from './world.ts';

/* What takes room on the disk (docs/local-api.md, "Storage"). */

let service: RunningService;
let world: World;

beforeEach(async () => {
  service = await runService({ vault: 'file' });
  world = await createWorld(service);
});
afterEach(() => service.stop());

const storage = async () => (await dataOf(service, 'GET', '/_local/v1/storage')) as unknown as Storage;
const devicesOf = async (project_id: string) =>
  (await dataOf(service, 'GET', `/_local/v1/projects/${project_id}/storage`)) as unknown as DeviceStorage[];
const makeDevice = async (name: string) => {
  const made = await dataOf(service, 'POST', `/v2/projects/${world.project_id}/devices`, {
    name,
    source: 'http',
  });
  return { id: made.id, key: (made['metadata'] as { device_token: string }).device_token };
};

// Bytes of files.
test.runIf(inFolder)(
  'projects and their devices come with what they hold, most bytes first, and deletes move it to what is kept',
  async () => {
    const small = await makeDevice('Small');
    const large = await makeDevice('Large');
    await service.request('POST', '/integrations/http', { key: small.key, body: { n: 1 } });
    const many = Array.from({ length: 5000 }, (_, n) => ({ n, text: `reading ${(n * 7919) % 5000}` }));
    await service.request('POST', '/integrations/http', { key: large.key, body: many });

    const before = await storage();
    expect(before.disk.free).toBeLessThanOrEqual(before.disk.total);
    expect(before.projects.map(({ name, devices, records }) => [name, devices, records])).toEqual([
      ['Boiler room', 3, RECORDS.length + 5001],
      ['Roof', 0, 0],
    ]);
    const devices = await devicesOf(world.project_id);
    expect(devices[0]).toMatchObject({ device_id: large.id, name: 'Large', records: 5000 });
    expect(devices.map(({ bytes }) => bytes)).toEqual(
      devices.map(({ bytes }) => bytes).toSorted((a, b) => b - a),
    );
    expect(before.projects[0]?.bytes).toBe(devices.reduce((sum, { bytes }) => sum + bytes, 0));
    expect(before.kept).toMatchObject({ deletes: 1, records: 0 });

    await dataOf(service, 'DELETE', `/_local/v1/projects/${world.project_id}/devices/${large.id}`);
    const after = await storage();
    expect(after.projects[0]).toMatchObject({ devices: 2, records: RECORDS.length + 1 });
    expect(after.kept).toMatchObject({ deletes: 2, records: 5000 });
    expect(after.kept.bytes).toBeGreaterThan(0);
    expect(after.kept.until).toMatch(/Z$/);
  },
);

test('another account sees only what its own projects take, and administrators the sum of the others', async () => {
  const made = await service.request('POST', '/_local/v1/projects', {
    key: world.strangers_key,
    body: { name: 'Theirs' },
  });
  expect(made.status).toBe(200);
  const { id } = made.envelope.data as unknown as { id: string };
  await service.request('POST', `/v2/projects/${id}/devices`, {
    key: world.strangers_key,
    body: { name: 'A', source: 'http' },
  });
  const { projects, elsewhere } = await storage();
  expect(projects.map(({ name }) => name)).not.toContain('Theirs');
  expect(elsewhere).toEqual({ devices: 1, records: 0, bytes: 0 });
  const refused = await service.request('GET', '/_local/v1/storage', { key: world.strangers_key });
  expect(refused.status).toBe(403);
  const own = await service.request('GET', `/_local/v1/projects/${id}/storage`, { key: world.strangers_key });
  expect(own.envelope.data).toMatchObject([{ name: 'A' }]);
});

const check = async () =>
  (await dataOf(service, 'POST', '/_local/v1/storage/check')) as unknown as StorageCheck;

/** Imports records, which go to a segment at once; returns its path. */
async function importSegment(device_id: string): Promise<string> {
  const rows = Array.from(
    { length: 5000 },
    (_, n) => `{"timestamp":${n},"n":${n},"text":"reading ${(n * 7919) % 5000}"}\n`,
  );
  const imported = await service.request(
    'POST',
    `/_local/v1/projects/${world.project_id}/devices/${device_id}/records?format=ndjson`,
    { raw: { type: 'application/x-ndjson', bytes: rows.join('') } },
  );
  expect(imported.status, imported.text).toBe(200);
  const folder = join(service.directory, 'data', device_id);
  const segment = (await readdir(folder)).find((name) => name.endsWith('.seg')) ?? 'no segment';
  return join(folder, segment);
}

async function restart(): Promise<void> {
  const { directory } = service;
  await service.service.close();
  service = await runService({ vault: 'file', directory, workerScript: WORKER_SCRIPT });
}

// Damages files.
test.runIf(inFolder)(
  'a check names what is damaged, whose it is and what is lost, and is known after a restart',
  async () => {
    expect((await storage()).check).toBeNull();
    const probe = await makeDevice('Probe');
    const path = await importSegment(probe.id);
    await restart();
    const well = await check();
    expect(well).toMatchObject({ damaged: 0, findings: [] });
    expect(well.records).toBeGreaterThanOrEqual(5000);
    expect((await storage()).check).toEqual(well);

    const bytes = await readFile(path);
    bytes.writeUInt8(bytes.readUInt8(2000) ^ 1, 2000);
    await writeFile(path, bytes);
    const found = await check();
    expect(found).toMatchObject({
      damaged: 1,
      findings: [
        {
          device_id: probe.id,
          device: { project_id: world.project_id, project_name: 'Boiler room', name: 'Probe' },
          loses: true,
          message: expect.stringMatching(/^Block \d+ is damaged; its \d+ records are lost\.$/) as unknown,
        },
      ],
    });
    await restart();
    expect((await storage()).check).toEqual(found);
    await dataOf(service, 'DELETE', `/_local/v1/projects/${world.project_id}/devices/${probe.id}`);
    expect((await storage()).check?.findings).toMatchObject([{ device_id: probe.id, device: null }]);
  },
);

// Goes on from the check before, which damages files.
test.runIf(inFolder)('a check is a job that can be cancelled; then the one before still counts', async () => {
  const before = await check();
  const goOn = Promise.withResolvers<void>();
  const { directory } = service;
  await service.service.close();
  service = await runService({ vault: 'file', directory }, { open: openWithHeldCheck(goOn.promise) });
  const asked = service.request('POST', '/_local/v1/storage/check');
  const jobs = async () => (await service.request('GET', '/_local/v1/jobs')).envelope.data as unknown;
  await expect
    .poll(jobs)
    .toMatchObject([{ kind: 'check', unit: 'bytes', cancellable: true, device_id: null }]);
  const [{ id }] = (await jobs()) as [{ id: string }];
  await service.request('POST', '/_local/v1/jobs/cancel', { body: { id } });
  goOn.resolve();
  expect((await asked).envelope).toMatchObject({ success: false, message: 'The check was cancelled.' });
  expect((await storage()).check).toEqual(before);
  expect((await check()).damaged).toBe(0);
});

test('only administrators of the installation check what it stores', async () => {
  const refused = await service.request('POST', '/_local/v1/storage/check', { key: world.strangers_key });
  expect(refused.status).toBe(403);
});
