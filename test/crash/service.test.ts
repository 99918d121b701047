import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startServiceProcess, type ServiceProcess } from '../helpers/service/service-process.ts';
import { mountingRefused, mountSmallDisk, type SmallDisk } from '../faults/small-disk.ts';

/* The whole service, as a rig sees it: killed while it stores, and on a disk that fills up. */

const secrets = { args: ['--vault', 'file'], env: { FIELDBENCH_PASSPHRASE: 'correct horse' } };

interface Target {
  readonly project_id: string;
  readonly device_id: string;
  readonly token: string;
}

async function createTarget(service: ServiceProcess): Promise<Target> {
  const project = await service.call<{ id: string }>('POST', '/_local/v1/projects', { name: 'Boiler room' });
  const project_id = project.data?.id ?? '';
  const device = await service.call<{ id: string; metadata: { device_token: string } }>(
    'POST',
    `/v2/projects/${project_id}/devices`,
    { name: 'ESP32', source: 'http' },
  );
  return {
    project_id,
    device_id: device.data?.id ?? '',
    token: device.data?.metadata.device_token ?? '',
  };
}

function store(service: ServiceProcess, { token }: Target, body: unknown): Promise<Response> {
  return service.fetch(`${service.info.http_url}/integrations/http`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

async function numbersStored(service: ServiceProcess, { project_id, device_id }: Target): Promise<number[]> {
  const numbers: number[] = [];
  for (let page = 1; ; page++) {
    const path = `/v2/projects/${project_id}/devices/${device_id}/data?page=${page}&limit=10000&range=all&keys=n`;
    const { data } = await service.call<{ n: number }[]>('GET', path);
    if (!data || data.length === 0) return numbers;
    numbers.push(...data.map(({ n }) => n));
  }
}

describe('killed while it stores', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'fieldbench-'));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  test('it comes back with everything it said was stored, once', { timeout: 180_000 }, async () => {
    const acknowledged = new Set<number>();
    let next = 0;
    let target: Target | null = null;
    for (let round = 0; round < 5; round++) {
      const service = await startServiceProcess({ directory, ...secrets });
      const here = (target ??= await createTarget(service));
      const before = acknowledged.size;
      const killed = new AbortController();
      const writers = Array.from({ length: 8 }, async () => {
        while (!killed.signal.aborted) {
          const n = next++;
          const answer = await store(service, here, { n }).catch(() => null);
          if (answer?.status === 200) acknowledged.add(n);
        }
      });
      await expect
        .poll(() => acknowledged.size - before, { timeout: 30_000, interval: 5 })
        .toBeGreaterThan(20 * (round + 1));
      await service.kill();
      killed.abort();
      await Promise.all(writers);
    }

    const service = await startServiceProcess({ directory, ...secrets });
    const numbers = await numbersStored(service, target!);
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(acknowledged.difference(new Set(numbers))).toEqual(new Set());
    expect(await service.stop()).toBe(0);
  });
});

describe.skipIf((await mountingRefused()) !== null)('on a small disk', () => {
  let disk: SmallDisk;
  let service: ServiceProcess;
  let target: Target;
  beforeEach(async () => {
    disk = await mountSmallDisk(8);
    service = await startServiceProcess({ directory: join(disk.directory, 'data'), ...secrets });
    target = await createTarget(service);
  });
  afterEach(async () => {
    await service.stop();
    await disk.remove();
  });

  test('a full one refuses records with a message, keeps the others, and stores again once there is space', async () => {
    expect((await store(service, target, { n: 1 })).status).toBe(200);
    await disk.fill();
    const texts = Object.fromEntries(Array.from({ length: 14 }, (_, i) => [`text${i}`, 'x'.repeat(65_000)]));
    let last = { status: 200, text: '' };
    for (let n = 2; n < 40 && last.status === 200; n++) {
      const answer = await store(service, target, { n, ...texts });
      last = { status: answer.status, text: await answer.text() };
    }
    expect(last.status).toBe(500);
    expect(JSON.parse(last.text)).toMatchObject({
      success: false,
      action: 'store data',
      message: expect.stringMatching(/disk is full.*\(error [0-9a-f-]{36}\)/),
      data: null,
    });
    const kept = await numbersStored(service, target);
    expect(kept).toContain(1);
    const refused = await service.call('POST', '/_local/v1/projects', {
      name: 'x'.repeat(100),
      description: 'y'.repeat(500),
    });
    if (!refused.success) expect(refused.message).toMatch(/disk is full/);

    await disk.free();
    expect((await store(service, target, { n: 1000 })).status).toBe(200);
    expect((await numbersStored(service, target)).toSorted((a, b) => a - b)).toEqual([
      ...kept.toSorted((a, b) => a - b),
      1000,
    ]);
    expect((await service.call('POST', '/_local/v1/projects', { name: 'After' })).success).toBe(true);
  });

  test('a read-only one is not started on, and says why', async () => {
    await service.stop();
    await disk.makeReadOnly();
    await expect(
      startServiceProcess({ directory: join(disk.directory, 'data'), ...secrets }),
    ).rejects.toThrow(/ended with 1[^]*(cannot be written|read-only)/i);
  });
});
