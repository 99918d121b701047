import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startLab, type Lab } from '../helpers/lab/lab.ts';
import { PATIENTLY } from '../helpers/patiently.ts';
import { hasPostgres } from '../helpers/postgres/postgres.ts';
import { startPair, type Pair } from '../helpers/postgres/standby.ts';
import type { RunningService } from '../helpers/service/running-service.ts';
import { dataOf } from '../contract/world.ts';

/* A primary goes, and its asynchronous standby, which lacks the last changes, takes its place under running services. */

const LOST = 20;

describe.skipIf(!hasPostgres)('a standby that lacks commits', () => {
  let pair: Pair;
  let lab: Lab;
  let a: RunningService;
  let b: RunningService;
  beforeAll(async () => {
    pair = await startPair({ isSynchronous: false });
    lab = await startLab({ database: () => Promise.resolve(pair.url) }, 2);
    [a, b] = lab.services as [RunningService, RunningService];
  });
  afterAll(async () => {
    await lab.stop();
    await pair.stop();
  });

  test('is what all services tell of from their next answer on: nothing of what it lacks is told any more', async () => {
    const project = await dataOf(a, 'POST', '/_local/v1/projects', { name: 'Kept' });
    const devices = `/v2/projects/${project.id}/devices`;
    const device = await dataOf(a, 'POST', devices, { name: 'ESP32', source: 'http' });
    const { device_token: token } = device['metadata'] as { device_token: string };
    const store = async (service: RunningService, n: number) => {
      const body = { timestamp: new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString(), n };
      return (await service.request('POST', '/integrations/http', { key: token, body })).status;
    };
    const page = async (service: RunningService) => {
      const answer = await service.request('GET', `${devices}/${device.id}/data?page=1&limit=1&range=all`);
      const [record] = answer.envelope.data as unknown as readonly { readonly n: number }[];
      return { total: Number(answer.headers.get('x-total-count')), newest: record?.n };
    };
    const projects = async (service: RunningService) => {
      const { envelope } = await service.request('GET', '/v2/projects');
      return (envelope.data as unknown as readonly { readonly name: string }[])
        .map(({ name }) => name)
        .toSorted();
    };
    for (let n = 0; n < 10; n++) expect(await store(a, n)).toBe(200);
    expect(await page(b)).toEqual({ total: 10, newest: 9 });

    await pair.fallBehind();
    for (let n = 10; n < 10 + LOST; n++) expect(await store(a, n)).toBe(200);
    await dataOf(a, 'POST', '/_local/v1/projects', { name: 'Lost' });
    expect(await page(a)).toEqual({ total: 10 + LOST, newest: 9 + LOST });
    expect(await projects(a)).toEqual(['Kept', 'Lost']);
    await pair.failOver();

    await expect.poll(() => page(a).then(({ total }) => total), PATIENTLY).toBe(10);
    // Fewer than those that were lost: the version of the device does not get past that of the lost ones.
    expect(await store(b, 5000)).toBe(200);
    await dataOf(b, 'POST', '/_local/v1/projects', { name: 'New' });
    for (const service of [a, b]) {
      expect(await page(service)).toEqual({ total: 11, newest: 5000 });
      expect(await projects(service)).toEqual(['Kept', 'New']);
    }
    const status = async () => {
      const { envelope } = await a.request('GET', '/_local/v1/status');
      return (envelope.data as unknown as { readonly notes: readonly string[] }).notes.join('\n');
    };
    await expect.poll(status, PATIENTLY).toContain('went back in time');
    expect(a.logged.join('')).toContain('went back in time');
  });
});
