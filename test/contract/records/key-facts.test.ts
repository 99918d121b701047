import { afterAll, beforeAll, expect, test } from 'vitest';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { createWorld, dataOf, RECORDS, type World } from '../world.ts';

/* What a device has of each key (docs/local-api.md, "Key facts"). */

let service: RunningService;
let world: World;
beforeAll(async () => {
  service = await runService();
  world = await createWorld(service);
});
afterAll(() => service.stop());

const facts = (device_id: string) =>
  dataOf(service, 'GET', `/_local/v1/projects/${world.project_id}/devices/${device_id}/key-facts`);

test('each key tells its numbers, and one of texts how many there are', async () => {
  expect(await facts(world.device_id)).toEqual([
    {
      key: 'state',
      count: 2,
      numeric: 0,
      min: null,
      max: null,
      newest: null,
      first: null,
      last: null,
      value: 'on',
      value_time: RECORDS[1]?.timestamp,
    },
    {
      key: 'temperature',
      count: 3,
      numeric: 3,
      min: 20.5,
      max: 22.25,
      newest: 22.25,
      first: RECORDS[0]?.timestamp,
      last: RECORDS[2]?.timestamp,
      value: 22.25,
      value_time: RECORDS[2]?.timestamp,
    },
  ]);
});

test('the newest is the newest by time, whatever came last', async () => {
  await service.request('POST', '/integrations/http', {
    key: world.device_token,
    body: { timestamp: '2026-03-02T20:00:00Z', temperature: -5, on: true },
  });
  expect(await facts(world.device_id)).toMatchObject([
    { key: 'on', min: 1, max: 1, newest: 1, value: true },
    { key: 'state' },
    { key: 'temperature', min: -5, newest: 22.25, first: '2026-03-02T20:00:00.000000Z' },
  ]);
});

test('a long text is cut, and a key of texts and numbers tells whichever came last', async () => {
  const store = (body: unknown) =>
    service.request('POST', '/integrations/http', { key: world.device_token, body });
  await store({ timestamp: '2026-03-02T21:00:00Z', mixed: 7, long: 'x'.repeat(300) });
  await store({ timestamp: '2026-03-02T21:01:00Z', mixed: 'over' });
  expect(await facts(world.device_id)).toMatchObject([
    { key: 'long', value: `${'x'.repeat(199)}…` },
    { key: 'mixed', newest: 7, value: 'over', value_time: '2026-03-02T21:01:00.000000Z' },
    {},
    {},
    {},
  ]);
});

test('a device without records has no keys', async () => {
  const empty = await dataOf(service, 'POST', `/v2/projects/${world.project_id}/devices`, {
    name: 'Empty',
    source: 'http',
  });
  expect(await facts(empty.id)).toEqual([]);
});
