import { afterEach, describe, expect, test } from 'vitest';
import type { SeenRequest } from '#shared/operations/service/requests.ts';
import { dataOf } from '../world.ts';
import { at, FROZEN, simulated, type Place, type Simulated } from './simulated.ts';

/* docs/rigs.md, "Simulators": what goes through a door goes through the door. */

let rig: Simulated;
afterEach(() => rig.service.stop());

const MQTT = { mqttPort: { number: 0, isAsked: true } } as const;
const KEYS = { n: { shape: 'counter', step: 1 }, 'a.b': { shape: 'constant', value: 'ü"' } } as const;

const requests = async () =>
  ((await dataOf(rig.service, 'GET', '/_local/v1/requests?limit=1000')) as unknown as SeenRequest[])
    .filter(({ operation }) => operation === 'ingest')
    .toReversed();

describe.each([
  ['http', 'POST'],
  ['mqtt', 'PUBLISH'],
] as const)('through %s', (through, method) => {
  async function open(): Promise<Place> {
    rig = await simulated(FROZEN, MQTT);
    const { project_id, device_id } = await rig.device(through);
    return { project_id, device_id };
  }

  test('each reading is a request of the device, at its time', async () => {
    const place = await open();
    await rig.start({ ...place, every_ms: 1000, keys: KEYS, through });
    await rig.advance(5000);
    expect(await rig.records(place)).toEqual(
      [1, 2, 3, 4, 5].map((s) => ({ timestamp: at(s), n: s - 1, 'a.b': 'ü"' })),
    );
    expect(await requests()).toMatchObject(
      [1, 2, 3, 4, 5].map((s) => ({
        door: through,
        method,
        time: at(s),
        device_id: place.device_id,
        stored: 1,
        refused: false,
        body: `{"timestamp":"${at(s)}","n":${s - 1},"a.b":"ü\\""}`,
      })),
    );
    expect(await rig.list()).toMatchObject([{ stored: 5, refused: 0, problem: null }]);
  });

  test('as fast as they are taken many are one request', async () => {
    const place = await open();
    const { id } = await rig.start({
      ...place,
      every_ms: 1000,
      keys: KEYS,
      count: 250,
      speed: 'max',
      through,
    });
    expect(await rig.ended(id)).toMatchObject({ state: 'done', stored: 250, refused: 0 });
    expect(await rig.records(place)).toHaveLength(250);
    expect((await requests()).map(({ stored }) => stored)).toEqual([100, 100, 50]);
  });

  test('a renewed token is the token of the next reading', async () => {
    const place = await open();
    await rig.start({ ...place, every_ms: 1000, keys: KEYS, through });
    await rig.advance(2000);
    const path = `/_local/v1/projects/${place.project_id}/devices/${place.device_id}/token`;
    await dataOf(rig.service, 'POST', path, {});
    await rig.advance(3000);
    const [simulator] = await rig.list();
    // The one that noticed it may have been refused.
    expect(simulator).toMatchObject({ state: 'running' });
    expect((simulator?.stored ?? 0) + (simulator?.refused ?? 0)).toBe(5);
    expect(simulator?.refused).toBeLessThanOrEqual(1);
  });

  test('a device that is deleted meanwhile ends it', async () => {
    const place = await open();
    await rig.start({ ...place, every_ms: 1000, keys: KEYS, through });
    await rig.advance(2000);
    await rig.service.request('DELETE', `/v2/projects/${place.project_id}/devices/${place.device_id}`);
    await rig.advance(2000);
    expect(await rig.list()).toEqual([]);
  });
});

test('a device of another source is refused as the door refuses it', async () => {
  rig = await simulated(FROZEN, MQTT);
  const { project_id, device_id } = await rig.device('mqtt');
  const place = { project_id, device_id };
  await rig.start({ ...place, every_ms: 1000, keys: KEYS, through: 'http' });
  await rig.advance(2000);
  expect(await rig.list()).toMatchObject([
    {
      state: 'running',
      stored: 0,
      refused: 2,
      problem: expect.stringContaining('stores data over MQTT') as string,
    },
  ]);
  expect((await requests()).map(({ status }) => status)).toEqual([403, 403]);
});

test('a door that is shut is said', async () => {
  rig = await simulated(FROZEN, { mqttPort: null });
  const { project_id, device_id } = await rig.device('mqtt');
  await rig.start({ project_id, device_id, every_ms: 1000, keys: KEYS, through: 'mqtt' });
  await rig.advance(1000);
  expect(await rig.list()).toMatchObject([
    { refused: 1, problem: expect.stringContaining('The service takes no MQTT now') as string },
  ]);
});
