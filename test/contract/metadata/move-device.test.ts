import { afterAll, beforeAll, expect, test } from 'vitest';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { dataOf } from '../world.ts';

/* Moving a device to another project (docs/local-api.md, "Moving a device"). */

let service: RunningService;
let hall: string;
let roof: string;

const data = (method: string, path: string, body?: unknown) => dataOf(service, method, path, body);
const move = (from: string, id: string, to: string, key?: string) =>
  service.request('POST', `/_local/v1/projects/${from}/devices/${id}/move`, {
    body: { to },
    ...(key !== undefined && { key }),
  });

async function make(name: string): Promise<{ id: string; token: string }> {
  const made = await data('POST', `/v2/projects/${hall}/devices`, { name, source: 'http' });
  const { device_token } = made['metadata'] as { device_token: string };
  const stored = await service.request('POST', '/integrations/http', {
    key: device_token,
    body: [{ timestamp: '2026-03-02T20:30:21Z', bar: 1 }],
  });
  expect(stored.status).toBe(200);
  return { id: made.id, token: device_token };
}

beforeAll(async () => {
  service = await runService();
  hall = (await data('POST', '/_local/v1/projects', { name: 'Hall' })).id;
  roof = (await data('POST', '/_local/v1/projects', { name: 'Roof' })).id;
});
afterAll(() => service.stop());

test('a device moves with its records, token and functions, and widgets lose it', async () => {
  const [pump, fan] = [await make('Pump'), await make('Fan')];
  const local = `/_local/v1/projects/${hall}`;
  const alarm = await data('POST', `${local}/functions`, { device_id: pump.id, name: 'Alarm', type: 'x' });
  const sources = [pump, fan].map(({ id }) => ({ device_id: id, key: 'bar' }));
  const both = await data('POST', `${local}/widgets`, { title: 'Both', type: 'line', sources });
  const alone = await data('POST', `${local}/widgets`, {
    title: 'It',
    type: 'line',
    sources: sources.slice(0, 1),
  });

  await data('PATCH', `${local}/devices/${pump.id}/key-settings`, { key: 'bar', unit: 'bar' });

  const moved = await move(hall, pump.id, roof);
  expect(moved.envelope).toMatchObject({
    status: 200,
    action: 'move device',
    data: { id: pump.id, name: 'Pump' },
  });
  expect((await service.request('GET', `/v2/projects/${hall}/devices/${pump.id}`)).status).toBe(404);
  const there = await data('GET', `/v2/projects/${roof}/devices/${pump.id}`);
  expect(there).toMatchObject({ device_credentials: { device_id: pump.id, device_token: pump.token } });
  expect(there).not.toHaveProperty('interval_s');
  const stored = await service.request('POST', '/integrations/http', { key: pump.token, body: { bar: 2 } });
  expect(stored.status).toBe(200);
  const page = await service.request(
    'GET',
    `/v2/projects/${roof}/devices/${pump.id}/data?page=1&limit=9&range=all`,
  );
  expect(page.envelope.data).toMatchObject([{ bar: 2 }, { bar: 1 }]);
  expect(await data('GET', `/_local/v1/projects/${roof}/functions/${alarm.id}`)).toMatchObject({
    device_id: pump.id,
    project_id: roof,
  });
  expect(
    (await service.request('GET', `/_local/v1/projects/${roof}/key-settings`)).envelope.data,
  ).toMatchObject([{ device_id: pump.id, key: 'bar', unit: 'bar' }]);
  expect(await data('GET', `${local}/widgets/${both.id}`)).toMatchObject({
    sources: [{ device_id: fan.id }],
  });
  expect(await data('GET', `${local}/widgets/${alone.id}`)).toMatchObject({ sources: [] });
});

test('a device that moves back is in the widgets that lost it, and in no other one', async () => {
  const [pump, fan] = [await make('Pump 5'), await make('Fan 5')];
  const local = `/_local/v1/projects/${hall}`;
  const sources = [pump, fan].map(({ id }) => ({ device_id: id, key: 'bar' }));
  const widget = (title: string, of: readonly object[]) =>
    data('POST', `${local}/widgets`, { title, type: 'line', sources: of });
  const both = await widget('Both', sources);
  const changed = await widget('Changed', sources);
  const gone = await widget('Gone', sources);
  const never = await widget('Never', sources.slice(1));

  const lost = (await data('POST', `${local}/devices/${pump.id}/move`, { to: roof })) as unknown as {
    widgets: { id: string; sources: object[] }[];
  };
  expect(lost.widgets.toSorted((a, b) => a.id.localeCompare(b.id))).toEqual(
    [both, changed, gone].map(({ id }) => ({ id, sources })).toSorted((a, b) => a.id.localeCompare(b.id)),
  );
  await data('PATCH', `${local}/widgets/${changed.id}`, { sources: [] });
  await service.request('DELETE', `${local}/widgets/${gone.id}`);
  const elsewhere = await data('POST', `/_local/v1/projects/${roof}/widgets`, {
    title: 'Roof',
    type: 'line',
    sources: [],
  });
  const widgets = [...lost.widgets, { id: elsewhere.id, sources }];
  await data('POST', `/_local/v1/projects/${roof}/devices/${pump.id}/move`, { to: hall, widgets });

  const sourcesOf = async (id: string) => (await data('GET', `${local}/widgets/${id}`))['sources'];
  expect(await sourcesOf(both.id)).toEqual(sources);
  expect(await sourcesOf(changed.id)).toEqual(sources.slice(0, 1));
  expect(await sourcesOf(never.id)).toEqual(sources.slice(1));
  expect(await data('GET', `/_local/v1/projects/${roof}/widgets/${elsewhere.id}`)).toMatchObject({
    sources: [],
  });
  const wrong = await service.request('POST', `${local}/devices/${pump.id}/move`, {
    body: { to: roof, widgets: [{ id: both.id }] },
  });
  expect(wrong.envelope).toMatchObject({ status: 400, message: expect.stringContaining('widgets') });
});

test('its token is in the secrets of one project alone, however often it moves', async () => {
  const pump = await make('Pump 2');
  await move(hall, pump.id, roof);
  await move(roof, pump.id, hall);
  await move(hall, pump.id, hall);
  const device = await data('GET', `/v2/projects/${hall}/devices/${pump.id}`);
  expect(device).toMatchObject({ device_credentials: { device_token: pump.token } });
});

test('not to where nothing is, or where the key may not go; nothing has changed then', async () => {
  const pump = await make('Pump 3');
  expect((await move(hall, pump.id, 'nowhere')).envelope).toMatchObject({
    status: 404,
    message: 'Project not found.',
  });
  const { api_key } = await data('POST', '/_local/v1/keys', {
    name: 'hall only',
    permissions: ['read', 'write', 'delete', 'admin'],
    project_ids: [hall],
  });
  expect((await move(hall, pump.id, roof, String(api_key))).status).toBe(403);
  const strangers = await data('POST', '/_local/v1/accounts', { name: 'Strangers' });
  const theirs = await service.request('POST', '/_local/v1/projects', {
    key: String(strangers['api_key']),
    body: { name: 'Theirs' },
  });
  const { id } = theirs.envelope.data as unknown as { id: string };
  expect((await move(hall, pump.id, id)).status).toBe(403);
  expect(
    (await service.request('POST', `/_local/v1/projects/${hall}/devices/${pump.id}/move`, { body: {} }))
      .envelope,
  ).toMatchObject({ status: 400, message: 'to is required: it must be the id of a project' });
  const device = await data('GET', `/v2/projects/${hall}/devices/${pump.id}`);
  expect(device).toMatchObject({ device_credentials: { device_token: pump.token } });
});
