import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CARRIED } from '#core/store/log/wal/wal-entry.ts';
import { parseWalName, readWal } from '#core/store/log/wal/wal-format.ts';
import { startServiceProcess, type ServiceProcess } from '../helpers/service/service-process.ts';

/* What a stop leaves to the next start where many devices have stored: the service in a process of its own. */

/** More than move to segments on closing. */
const DEVICES = 300;
const AT_ONCE = 50;
/** Uploads of each device, and records of an upload. */
const UPLOADS = 3;
const RECORDS = 10;
/** A stop packs for two seconds; a busy machine may need more than one. */
const STOPS = 4;

interface Device {
  readonly id: string;
  readonly metadata: { readonly device_token: string };
}

/** The entries of the log of a service that has stopped, or stores nothing, and the bytes they take. */
async function readLog(directory: string) {
  const data = join(directory, 'data');
  const names = (await readdir(data)).flatMap((name) => {
    const parsed = parseWalName(name);
    return parsed === null ? [] : [{ name, ...parsed }];
  });
  const reports = await Promise.all(
    names.map(async ({ name, salt }) => readWal(await readFile(join(data, name)), salt)),
  );
  return {
    kinds: reports.flatMap(({ entries }) => Array.from(entries, ({ kind }) => kind)),
    bytes: reports.reduce((sum, { end }) => sum + end, 0),
  };
}

/** Does the same for each of many, some at once. */
async function forEach<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values();
  const workAll = async () => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, workAll));
}

async function store(service: ServiceProcess, device: Device, upload: number): Promise<void> {
  const records = Array.from({ length: RECORDS }, (_, n) => ({
    timestamp: (1 + upload * RECORDS + n) * 1000,
    temperature: 20 + n / 10,
    state: 'running',
  }));
  const response = await service.fetch(`${service.info.http_url}/integrations/http`, {
    method: 'POST',
    headers: { authorization: `Bearer ${device.metadata.device_token}`, 'content-type': 'application/json' },
    body: JSON.stringify(records),
  });
  expect(response.status).toBe(200);
}

test('a stop leaves a short log of many devices, from which the next start has every record', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'fieldbench-stop-'));
  try {
    const options = { directory, args: ['--vault', 'file'] };
    let service = await startServiceProcess(options);
    const project = await service.call<{ id: string }>('POST', '/_local/v1/projects', { name: 'Many' });
    const path = `${service.info.http_url}/v2/projects/${project.data?.id}/devices`;
    const numbers = Array.from({ length: DEVICES }, (_, n) => n);
    const devices: Device[] = [];
    await forEach(numbers, async (n) => {
      const { data, message } = await service.call<Device>('POST', path, {
        name: `Device ${n}`,
        source: 'http',
      });
      if (!data) throw new Error(message);
      devices.push(data);
    });
    for (let upload = 0; upload < UPLOADS; upload++)
      await forEach(devices, (device) => store(service, device, upload));

    const before = await readLog(directory);
    expect(before.kinds).toHaveLength(DEVICES * UPLOADS);
    expect(await service.stop()).toBe(0);
    let after = await readLog(directory);
    for (let stops = 1; after.kinds.length > DEVICES && stops < STOPS; stops++) {
      service = await startServiceProcess(options);
      expect(await service.stop()).toBe(0);
      after = await readLog(directory);
    }
    expect(after.kinds).toEqual(devices.map(() => CARRIED));
    expect(after.bytes).toBeLessThan(before.bytes / 2);

    service = await startServiceProcess(options);
    await forEach(devices, async ({ id }) => {
      const page = await service.fetch(
        `${service.info.http_url}/v2/projects/${project.data?.id}/devices/${id}/data?range=all&page=1&limit=1`,
      );
      expect(page.headers.get('x-total-count')).toBe(String(UPLOADS * RECORDS));
    });
    expect(await service.stop()).toBe(0);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}, 240_000);
