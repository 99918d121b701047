import { afterEach, expect, test } from 'vitest';
import { dataOf } from '../world.ts';
import { at, simulated, type Simulated } from './simulated.ts';

/* docs/rigs.md, "Simulators": a small building that can be had with one request. */

let rig: Simulated;
afterEach(() => rig.service.stop());

const HOUR_S = 3600;
const make = (body: object = {}) => dataOf(rig.service, 'POST', '/_local/v1/simulators/building', body);
const devicesOf = async (project_id: string) =>
  (
    (await dataOf(
      rig.service,
      'GET',
      `/_local/v1/projects/${project_id}/devices?sort=name`,
    )) as unknown as readonly { readonly id: string; readonly name: string; readonly status: string }[]
  ).toSorted((a, b) => (a.name < b.name ? -1 : 1));

async function everything(project_id: string): Promise<unknown> {
  const found: Record<string, unknown> = {};
  for (const { id, name } of await devicesOf(project_id))
    found[name] = await rig.records({ project_id, device_id: id });
  return found;
}

test('six devices have a day of history, units, and go on', async () => {
  rig = await simulated();
  const { id, name } = await make({ seed: 3 });
  expect(name).toBe('Small building (simulated)');
  const devices = await devicesOf(id);
  expect(devices.map((device) => [device.name, device.status])).toEqual(
    ['Boiler', 'Electricity meter', 'Meeting room', 'Office', 'Roof weather station', 'Water meter'].map(
      (each) => [each, 'online'],
    ),
  );
  const [boiler, , meeting] = devices;
  const records = await rig.records({ project_id: id, device_id: boiler?.id ?? '' });
  // From the first morning that is a day ago, in minutes.
  expect(records[0]?.timestamp).toBe(at(-40 * HOUR_S));
  expect(records).toHaveLength(40 * 60 + 1);
  expect(records.at(-1)?.timestamp).toBe(at(0));
  const drift = (await rig.records({ project_id: id, device_id: meeting?.id ?? '' })).map(
    ({ temperature }) => temperature as number,
  );
  expect(drift).toEqual(drift.toSorted((a, b) => a - b));
  expect([drift[0], drift.at(-1)]).toEqual([21, 26]);
  const settings = (await dataOf(
    rig.service,
    'GET',
    `/_local/v1/projects/${id}/key-settings`,
  )) as unknown as readonly { readonly key: string; readonly unit: string }[];
  expect(settings.filter(({ key }) => key === 'pressure')).toMatchObject([
    { unit: 'bar', low: 1, high: 2.5 },
  ]);
  await rig.advance(600_000);
  expect(await rig.records({ project_id: id, device_id: boiler?.id ?? '' })).toHaveLength(40 * 60 + 11);
});

test('it ends with its project', async () => {
  rig = await simulated();
  const { id } = await make({ name: 'Mine', hours: 0 });
  expect(await rig.list()).toHaveLength(6);
  await dataOf(rig.service, 'DELETE', `/_local/v1/projects/${id}`);
  expect(await rig.list()).toEqual([]);
  await rig.advance(600_000);
});

test('one seed makes the same history, another one another', async () => {
  rig = await simulated();
  const [a, b, c] = [await make({ seed: 9 }), await make({ seed: 9 }), await make({ seed: 10 })];
  await rig.advance(120_000);
  expect(await everything(a.id)).toEqual(await everything(b.id));
  expect(await everything(a.id)).not.toEqual(await everything(c.id));
});

test('a world gets its own', async () => {
  rig = await simulated();
  const { envelope } = await rig.service.request('POST', '/_local/v1/accounts', { body: { name: 'Suite' } });
  const { api_key: key } = envelope.data as unknown as { api_key: string };
  const made = await rig.service.request('POST', '/_local/v1/simulators/building', {
    key,
    body: { hours: 1 },
  });
  expect(made.status).toBe(200);
  expect(await rig.list()).toEqual([]);
  const wrong = await rig.service.request('POST', '/_local/v1/simulators/building', { body: { hours: -1 } });
  expect(wrong.envelope.message).toMatch(/^hours must be a whole number from 0 to 744/);
});
