import { afterEach, expect, test } from 'vitest';
import { firstValues } from '#shared/domain/shapes.ts';
import { at, FROZEN, simulated, type Place, type Simulated } from './simulated.ts';

/* docs/rigs.md, "Simulators": POST, GET and DELETE /_local/v1/simulators. */

let rig: Simulated;
let place: Place;

async function open(...given: Parameters<typeof simulated>): Promise<void> {
  rig = await simulated(...given);
  const { project_id, device_id } = await rig.device();
  place = { project_id, device_id };
}
afterEach(() => rig.service.stop());

const ONE = { temperature: { shape: 'constant', value: 21 } } as const;

test('an hour of a clock that is moved has a record for each ten seconds, at its time', async () => {
  await open();
  const sine = { shape: 'sine', mean: 20, amplitude: 5, period_s: 3600 } as const;
  const made = await rig.start({ ...place, every_ms: 10_000, keys: { temperature: sine }, seed: 7 });
  expect(made).toMatchObject({
    ...place,
    state: 'running',
    stored: 0,
    refused: 0,
    next: at(10),
    seed: 7,
    through: 'store',
    speed: null,
    count: null,
    problem: null,
  });
  expect(await rig.advance(3_600_000)).toBeGreaterThanOrEqual(360);
  const records = await rig.records(place);
  const values = firstValues(sine, { seed: 7, key: 'temperature', every_ms: 10_000 }, 360);
  expect(records).toEqual(values.map((temperature, n) => ({ timestamp: at(10 * (n + 1)), temperature })));
  const summary = `/_local/v1/projects/${place.project_id}/devices/${place.device_id}/summary`;
  const { envelope } = await rig.service.request('GET', summary);
  expect(envelope.data).toMatchObject({ records: 360, last_seen: at(3600) });
  expect(await rig.list()).toMatchObject([{ id: made.id, stored: 360, refused: 0, next: at(3610) }]);
});

test('every shape stores what it is', async () => {
  await open();
  const keys = {
    steady: { shape: 'constant', value: 'ok' },
    wave: { shape: 'sine', mean: 1, amplitude: 2, period_s: 60, noise: 0.5 },
    stroll: { shape: 'walk', start: 5, step: 1, min: 0, max: 10 },
    mode: { shape: 'states', states: ['idle', true, 3], stay_s: 2 },
    slope: { shape: 'ramp', from: 10, to: 0, period_s: 5 },
    pulses: { shape: 'counter', step: 3, wraps_at: 10 },
  } as const;
  await rig.start({ ...place, every_ms: 1000, keys, count: 12, start: at(0), speed: 'max', seed: 5 });
  const values = Object.entries(keys).map(([key, shape]) =>
    firstValues(shape, { seed: 5, key, every_ms: 1000 }, 12),
  );
  expect(await rig.records(place)).toEqual(
    Array.from({ length: 12 }, (_, n) => ({
      timestamp: at(n),
      ...Object.fromEntries(Object.keys(keys).map((key, i) => [key, values[i]?.[n]])),
    })),
  );
  expect(values[3]?.slice(0, 7)).toEqual(['idle', 'idle', true, true, 3, 3, 'idle']);
  expect(values[4]?.slice(0, 6)).toEqual([10, 8, 6, 4, 2, 10]);
  expect(values[5]?.slice(0, 5)).toEqual([0, 3, 6, 9, 2]);
});

test('one that is stopped stores nothing more, and is not listed', async () => {
  await open();
  const { id } = await rig.start({ ...place, every_ms: 1000, keys: ONE });
  const other = await rig.start({ ...place, every_ms: 60_000, keys: ONE });
  await rig.advance(30_000);
  expect(await rig.stop(id)).toMatchObject({ id, stored: 30, refused: 0 });
  await rig.advance(60_000);
  expect(await rig.list()).toMatchObject([{ id: other.id, stored: 1 }]);
  expect(await rig.records(place)).toHaveLength(31);
  const again = await rig.service.request('DELETE', `/_local/v1/simulators/${id}`);
  expect([again.status, again.envelope.message]).toEqual([404, 'Simulator not found.']);
});

test('one with a count is done behind it', async () => {
  await open();
  const { id } = await rig.start({ ...place, every_ms: 1000, keys: ONE, count: 3 });
  await rig.advance(10_000);
  expect(await rig.list()).toMatchObject([{ id, state: 'done', stored: 3, next: null }]);
  expect((await rig.records(place)).map(({ timestamp }) => timestamp)).toEqual([at(1), at(2), at(3)]);
});

test.each([
  [{ keys: {} }, /^keys must be an object of 1 to 256 shapes by data key/],
  [{ keys: { a: 1 } }, /^keys\.a must be an object with a "shape"/],
  [{ keys: { a: { shape: 'saw' } } }, /^keys\.a\.shape must be "constant", "sine", "walk"/],
  [
    { keys: { a: { shape: 'sine', mean: 1, amplitude: 1, period_s: 0 } } },
    /^keys\.a\.period_s must be a number above 0, got 0/,
  ],
  [
    { keys: { a: { shape: 'sine', mean: 1, period_s: 1 } } },
    /^keys\.a\.amplitude is required: it must be a number/,
  ],
  [{ keys: { a: { shape: 'constant', value: 1, noise: 1 } } }, /^keys\.a takes no "noise"/],
  [
    { keys: { a: { shape: 'walk', start: 0, step: 1, min: 2, max: 1 } } },
    /^keys\.a\.min must not be more than max/,
  ],
  [
    { keys: { a: { shape: 'states', states: [], stay_s: 1 } } },
    /^keys\.a\.states must be an array of 1 to 1000 values/,
  ],
  [{ keys: { 'a,b': ONE.temperature } }, /^keys must be a data key/],
  [{ every_ms: 0 }, /^every_ms must be a whole number from 1/],
  [{ every_ms: undefined }, /^every_ms is required/],
  [{ jitter_ms: -1 }, /^jitter_ms must be a whole number from 0/],
  [{ count: 0 }, /^count must be a whole number from 1/],
  [{ start: 'soon' }, /^start must be an ISO 8601 time/],
  [{ speed: 'fast' }, /^speed must be a number above 0, at most 1000000, or "max"/],
  [{ speed: 'max' }, /^speed must come with count, or with a start that is over/],
  [{ speed: 'max', start: at(1) }, /^start must not lie ahead of the present/],
  [{ through: 'post' }, /^through must be "store", "http" or "mqtt"/],
  [{ seed: 1.5 }, /^seed must be a whole number from 0/],
  [{ trouble: { gaps: 2 } }, /^trouble\.gaps must be a share from 0 to 1, got 2/],
  [{ trouble: { gap: 1 } }, /^trouble takes no "gap"/],
])('%j is refused, and starts nothing', async (wrong, message) => {
  await open();
  expect(await rig.refused({ ...place, every_ms: 1000, keys: ONE, ...wrong })).toMatch(message);
  expect(await rig.list()).toEqual([]);
});

test('what is not there, or is of others, is named', async () => {
  await open();
  const start = async (body: object, key?: string) => {
    const given = { every_ms: 1000, keys: ONE, ...place, ...body };
    const { status, envelope } = await rig.service.request('POST', '/_local/v1/simulators', {
      body: given,
      ...(key !== undefined && { key }),
    });
    return [status, envelope.message];
  };
  const other = await rig.device();
  expect(await start({ project_id: 'nowhere' })).toEqual([404, 'Project not found.']);
  expect(await start({ device_id: other.device_id })).toEqual([404, 'Device not found.']);
  const { envelope } = await rig.service.request('POST', '/_local/v1/accounts', {
    body: { name: 'Strangers' },
  });
  const { api_key: key } = envelope.data as unknown as { api_key: string };
  expect(await start({}, key)).toEqual([403, 'This API key has no access to this project.']);
  const { id } = await rig.start({ ...place, every_ms: 1000, keys: ONE });
  const removed = await rig.service.request('DELETE', `/_local/v1/simulators/${id}`, { key });
  expect(removed.status).toBe(403);
  const seen = await rig.service.request('GET', '/_local/v1/simulators', { key });
  expect(seen.envelope.data).toEqual([]);
  expect(await rig.list()).toHaveLength(1);
});

test('a device, a project and a world take their simulators with them', async () => {
  await open();
  const [second, third] = [await rig.device(), await rig.device()];
  for (const each of [place, second, third]) {
    const { project_id, device_id } = each;
    await rig.start({ project_id, device_id, every_ms: 1000, keys: ONE });
  }
  await rig.service.request('DELETE', `/_local/v1/projects/${place.project_id}/devices/${place.device_id}`);
  expect((await rig.list()).map(({ device_id }) => device_id)).toEqual([second.device_id, third.device_id]);
  await rig.service.request('DELETE', `/v2/projects/${second.project_id}`);
  expect((await rig.list()).map(({ device_id }) => device_id)).toEqual([third.device_id]);
  await rig.advance(5000);
  expect(await rig.list()).toMatchObject([{ stored: 5, refused: 0, state: 'running' }]);
  await rig.service.request('POST', '/_local/v1/reset', { body: { to: 'empty' } });
  expect(await rig.list()).toEqual([]);
  expect(rig.service.logged.filter((line) => !line.includes('--clock'))).toEqual([]);
});

test('a simulator goes by a clock that is scaled', async () => {
  await open({ ...FROZEN, mode: 'scaled', rate: 3600 });
  const { id } = await rig.start({ ...place, every_ms: 60_000, keys: ONE, count: 30 });
  expect(await rig.ended(id)).toMatchObject({ state: 'done', stored: 30 });
});
