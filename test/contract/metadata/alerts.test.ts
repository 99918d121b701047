import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { MOST_ALERTED } from '#shared/domain/alerts.ts';
import type { AlertedDevice, Alerts } from '#shared/operations/metadata/alerts.ts';
import { formatMicros } from '#shared/values/time.ts';
import { createSystemClock } from '#core/base/system-clock.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { dataOf } from '../world.ts';

/* What is wrong with devices now (docs/local-api.md, "Alerts"). */

const system = createSystemClock();
/** µs that the service's clock is ahead. */
let ahead = 0;
const clock = { ...system, now: () => system.now() + ahead };
let service: RunningService;
let project: string;

interface Made {
  readonly id: string;
  readonly token: string;
}

beforeAll(async () => {
  service = await runService({}, { clock });
});
beforeEach(async () => {
  for (const { id } of (await dataOf(service, 'GET', '/v2/projects')) as unknown as { id: string }[])
    await dataOf(service, 'DELETE', `/v2/projects/${id}`);
  ({ id: project } = await dataOf(service, 'POST', '/_local/v1/projects', { name: 'Hall' }));
});
afterAll(() => service.stop());

async function make(name: string, interval_s: number | null = null, of = project): Promise<Made> {
  const made = await dataOf(service, 'POST', `/v2/projects/${of}/devices`, { name, source: 'http' });
  if (interval_s !== null)
    await dataOf(service, 'PATCH', `/_local/v1/projects/${of}/devices/${made.id}`, { interval_s });
  const { device_token } = made['metadata'] as { device_token: string };
  return { id: made.id, token: device_token };
}

async function store({ token }: Made, body: unknown): Promise<void> {
  const { status, text } = await service.request('POST', '/integrations/http', { key: token, body });
  expect(status, text).toBe(200);
}

const range = ({ id }: Made, key: string, settings: object, of = project) =>
  dataOf(service, 'PATCH', `/_local/v1/projects/${of}/devices/${id}/key-settings`, { key, ...settings });

async function alerts(ids: readonly string[] = [], key?: string): Promise<Alerts> {
  const query = ids.length > 0 ? `?ids=${ids.join(',')}` : '';
  const sender = key === undefined ? {} : { key };
  const { envelope, text } = await service.request('GET', `/_local/v1/alerts${query}`, sender);
  expect(envelope.success, text).toBe(true);
  return envelope.data as unknown as Alerts;
}

const named = ({ devices }: Alerts) => devices.map(({ name }) => name);

test('a device is listed from the moment on at which its silence is too long, and no more once it sends', async () => {
  const pump = await make('Pump', 60);
  await make('Never sent');
  await store(pump, { bar: 1 });
  expect(await alerts()).toMatchObject({ late: 0, outside: 0, complete: true, devices: [] });
  ahead += 121e6;
  const { devices, late } = await alerts();
  const [device] = devices as [AlertedDevice];
  expect(late).toBe(1);
  expect(device).toMatchObject({ name: 'Pump', project: 'Hall', status: 'late', interval_s: 60, values: [] });
  expect(Date.parse(device.late_since ?? '') - Date.parse(device.last_seen ?? '')).toBe(120_000);
  await store(pump, { bar: 1 });
  expect(await alerts()).toMatchObject({ late: 0, devices: [] });
  // Whom one asks for is told of, as it is by now.
  expect((await alerts([pump.id])).devices).toMatchObject([
    { name: 'Pump', status: 'online', late_since: null },
  ]);
});

test('a last value outside is listed with its range and how it is written; one inside only of a device asked for', async () => {
  const pump = await make('Pump');
  await range(pump, 'supply', { low: 10, high: 30, unit: '°C', decimals: 1, shown_as: 'Supply' });
  await range(pump, 'return', { high: 20 });
  await range(pump, 'note', { low: 1 });
  await store(pump, { timestamp: '2026-03-02T08:00:00Z', supply: 31.5, return: 20, note: 'none', free: 99 });
  const found = await alerts();
  expect(found).toMatchObject({ late: 0, outside: 1 });
  const [device] = found.devices as [AlertedDevice];
  expect(device.values).toEqual([
    {
      key: 'supply',
      value: 31.5,
      timestamp: '2026-03-02T08:00:00.000000Z',
      outside: true,
      corrected: false,
      shown_as: 'Supply',
      unit: '°C',
      decimals: 1,
      low: 10,
      high: 30,
    },
  ]);
  const values = (await alerts([pump.id])).devices[0]?.values ?? [];
  expect(Object.fromEntries(values.map(({ key, outside }) => [key, outside]))).toEqual({
    note: false,
    return: false,
    supply: true,
  });
  await range(pump, 'supply', { high: 40 });
  expect(await alerts()).toMatchObject({ outside: 0, devices: [] });
});

test('all projects that a key may see are looked at, and none of the others', async () => {
  const { id: roof } = await dataOf(service, 'POST', '/_local/v1/projects', { name: 'Roof' });
  for (const of of [project, roof]) {
    const pump = await make(of === roof ? 'Fan' : 'Pump', null, of);
    await range(pump, 'rpm', { high: 5 }, of);
    await store(pump, { rpm: 6 });
  }
  expect(named(await alerts()).toSorted()).toEqual(['Fan', 'Pump']);
  const { api_key } = await dataOf(service, 'POST', '/_local/v1/keys', {
    name: 'roof alone',
    permissions: ['admin'],
    project_ids: [roof],
  });
  const { devices } = await alerts();
  const ids = devices.map(({ id }) => id);
  expect(named(await alerts(ids, String(api_key)))).toEqual(['Fan']);
});

test('of more than are listed the newest are, and those that are asked for, and all are counted', async () => {
  const count = MOST_ALERTED + 5;
  const list = Array.from({ length: count }, (_, i) => ({ name: `PT-${i}` }));
  const made = (await dataOf(service, 'POST', `/_local/v1/projects/${project}/devices`, {
    devices: list,
  })) as unknown as { id: string; metadata: { device_token: string } }[];
  for (const [i, { id, metadata }] of made.entries()) {
    const device = { id, token: metadata.device_token };
    if (i === 0) await range(device, 'bar', { high: 5 });
    const timestamp = formatMicros((Date.UTC(2026, 2, 2, 8) + i * 1000) * 1000);
    await store(device, { timestamp, bar: 6 });
  }
  await dataOf(service, 'PATCH', `/_local/v1/projects/${project}/devices/${made[0]?.id}/key-settings`, {
    key: 'bar',
    high: 5,
    apply_to: 'project',
  });
  const found = await alerts([made[2]?.id ?? '']);
  expect(found).toMatchObject({ outside: count, complete: false });
  expect(named(found)).toEqual([
    ...Array.from({ length: MOST_ALERTED }, (_, i) => `PT-${count - 1 - i}`),
    'PT-2',
  ]);
});

test('a list of ids that is too long for an answer is refused, with the field', async () => {
  const ids = Array.from({ length: MOST_ALERTED + 1 }, (_, i) => i).join(',');
  const { status, envelope } = await service.request('GET', `/_local/v1/alerts?ids=${ids}`);
  expect([status, envelope.message]).toEqual([400, expect.stringContaining(`at most ${MOST_ALERTED} ids`)]);
  expect(envelope.message).toContain('ids');
});
