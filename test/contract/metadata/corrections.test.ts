import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CorrectionVersion, ShownCorrection } from '#shared/operations/metadata/corrections.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { createWorld, dataOf, without, type World } from '../world.ts';

/* Corrections (docs/local-api.md, "Corrections"). */

let service: RunningService;
let world: World;
let project: string;
let corrections: string;

beforeAll(async () => {
  service = await runService();
  world = await createWorld(service);
  project = `/_local/v1/projects/${world.project_id}`;
  corrections = `${project}/devices/${world.device_id}/corrections`;
  await dataOf(service, 'DELETE', `${corrections}/${world.correction_id}`);
});
afterAll(() => service.stop());

const FROM = '2026-03-02T20:00:00.000000Z';
const TO = '2026-03-02T21:00:00.000000Z';
const SPAN = { from: FROM, to: TO };
const FLAG = { kind: 'quality', quality: 'fail', ...SPAN, reason: 'door open' };
const pairs = (text: string) => text.split(', ').map((pair) => pair.split(' ').map(Number));
const moments = (a: string, b: string, c: string, d: string) => [
  [a, b],
  [c, d],
];
const SCALE = { kind: 'calibration', key: 'temperature', points: [[0, 0.4]] };

const list = async (path = corrections) =>
  (await dataOf(service, 'GET', path)) as unknown as readonly ShownCorrection[];
const history = async (query = '') =>
  (await dataOf(service, 'GET', `${corrections}/history${query}`)) as unknown as readonly CorrectionVersion[];
const create = async (body: object, path = corrections) =>
  (await dataOf(service, 'POST', path, body)) as unknown as ShownCorrection;
const change = async (id: string, body: object) =>
  (await dataOf(service, 'PATCH', `${corrections}/${id}`, body)) as unknown as ShownCorrection;
const remove = (id: string, query = '') => dataOf(service, 'DELETE', `${corrections}/${id}${query}`);

async function device(name: string): Promise<{ readonly id: string; readonly corrections: string }> {
  const path = `/v2/projects/${world.project_id}/devices`;
  const { id } = await dataOf(service, 'POST', path, { name, source: 'http' });
  return { id, corrections: `${project}/devices/${id}/corrections` };
}

describe('a correction of each kind is made, and answered as it was given', () => {
  test.each<[string, object, object?]>([
    ['an offset', SCALE],
    [
      'points, in the order of their readings',
      {
        ...SCALE,
        points: pairs('100 99.8, 0 0.4'),
        from: FROM,
        unit: '°C',
        certificate: 'DKD-K-12345',
        uncertainty: 0.05,
        reason: 'yearly',
      },
      { points: pairs('0 0.4, 100 99.8') },
    ],
    ['falling points', { ...SCALE, points: pairs('1 9, 2 4.5, 3 1') }],
    ['a line', { ...SCALE, points: { gain: 2, offset: -3 }, to: TO }],
    ['a flag of all keys', { ...FLAG, keys: null }],
    ['a flag of some keys', { ...FLAG, quality: 'suspect', keys: ['temperature', 'state'] }],
    ['a shift', { kind: 'time', ...SPAN, shift_us: -3_600_000_000, reason: 'summer time' }],
    [
      'a drift, in the order of the clock',
      { kind: 'time', ...SPAN, at: moments(TO, '2026-03-02T21:00:04.000000Z', FROM, FROM) },
      { at: moments(FROM, FROM, TO, '2026-03-02T21:00:04.000000Z') },
    ],
    ['a derived key', { kind: 'derived', key: 'kelvin', of: 'temperature + 273.15', within_s: 60 }],
  ])('%s', async (_, given, shown = {}) => {
    const made = await create(given);
    const { id, device_id, version, created, changed, by, ...fields } = made;
    expect(fields).toEqual({ ...given, ...shown });
    expect([device_id, version, created]).toEqual([world.device_id, 1, changed]);
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(created).toMatch(/^\d{4}-.*\.\d{6}Z$/);
    expect(by).toMatch(/./);
    expect(await list()).toEqual([made]);
    await remove(id);
    expect(await list()).toEqual([]);
  });

  test('and who calibrated beside who entered it', async () => {
    const made = await create({ ...SCALE, by: 'Dr. Weiß' });
    expect(made).toMatchObject({ calibrated_by: 'Dr. Weiß' });
    expect(made.by).not.toBe('Dr. Weiß');
    await remove(made.id);
  });

  test('of a flag without keys all are meant, and absent is as of the record alone', async () => {
    const flag = await create(FLAG);
    const sum = await create({ kind: 'derived', key: 'twice', of: '2 * temperature' });
    expect([flag.keys, sum.within_s]).toEqual([null, 0]);
    for (const { id } of [flag, sum]) await remove(id);
  });
});

test('each version stays in the history, with who, when, before and after, removals too', async () => {
  const { id } = await create({ ...SCALE, reason: 'found low' });
  const key = await world.issueKey(['admin', 'delete']);
  const second = await service.request('PATCH', `${corrections}/${id}`, {
    key,
    body: { points: { gain: 1, offset: 0.5 }, from: FROM },
  });
  expect(second.envelope.data).toMatchObject({ version: 2, by: 'made for a test', from: FROM });
  const third = await change(id, { from: null, reason: 'by certificate' });
  expect(third).toMatchObject({ version: 3, points: { gain: 1, offset: 0.5 }, reason: 'by certificate' });
  expect(third).not.toHaveProperty('from');
  expect((await list()).map((each) => each.id)).toEqual([id]);
  await remove(id, '?reason=wrong%20probe');
  expect(await list()).toEqual([]);

  const first = { key: 'temperature', points: [[0, 0.4]], reason: 'found low' };
  const line = { key: 'temperature', points: { gain: 1, offset: 0.5 } };
  const of = { correction_id: id, kind: 'calibration', at: expect.stringMatching(/Z$/) as string };
  const own = expect.stringMatching(/./) as string;
  expect(await history(`?correction_id=${id}`)).toEqual([
    {
      ...of,
      version: 4,
      act: 'removed',
      by: own,
      reason: 'wrong probe',
      before: { ...line, reason: 'by certificate' },
      after: null,
    },
    {
      ...of,
      version: 3,
      act: 'changed',
      by: own,
      reason: 'by certificate',
      before: { ...line, from: FROM, reason: 'found low' },
      after: { ...line, reason: 'by certificate' },
    },
    {
      ...of,
      version: 2,
      act: 'changed',
      by: 'made for a test',
      reason: 'found low',
      before: first,
      after: { ...line, from: FROM, reason: 'found low' },
    },
    { ...of, version: 1, act: 'created', by: own, reason: 'found low', before: null, after: first },
  ]);
  expect((await history()).length).toBeGreaterThan(4);
  expect((await service.request('PATCH', `${corrections}/${id}`, { body: {} })).status).toBe(404);
});

test('what says the same already is no new version', async () => {
  const { id, version } = await create(FLAG);
  expect(await change(id, { quality: 'fail', keys: null })).toMatchObject({ version });
  expect(await history(`?correction_id=${id}`)).toHaveLength(1);
  await remove(id);
});

test('a changed correction keeps its place', async () => {
  const [one, two] = [await create(FLAG), await create(SCALE)];
  await change(one.id, { reason: 'window open' });
  expect((await list()).map(({ id }) => id)).toEqual([one.id, two.id]);
  for (const { id } of [one, two]) await remove(id);
});

test('a shift takes the place of two known moments, and they of it', async () => {
  const { id } = await create({ kind: 'time', ...SPAN, shift_us: 1 });
  const at = moments(FROM, FROM, TO, '2026-03-02T21:00:01.000000Z');
  const drift = await change(id, { at });
  expect(drift).toMatchObject({ at });
  expect(drift).not.toHaveProperty('shift_us');
  const shift = await change(id, { shift_us: 5 });
  expect(shift).toMatchObject({ shift_us: 5 });
  expect(shift).not.toHaveProperty('at');
  await remove(id);
});

test('corrections are for who administers, to remove them takes "delete", and none is found by another path', async () => {
  const { id } = await create(FLAG);
  const admin = await world.issueKey(without('delete'));
  const asked = (method: string, path: string, key: string, body?: object) =>
    service.request(method, path, { key, ...(body && { body }) });
  expect((await asked('DELETE', `${corrections}/${id}`, admin)).status).toBe(403);
  expect((await asked('GET', corrections, await world.issueKey(['read', 'write']))).status).toBe(403);
  expect((await asked('GET', corrections, world.strangers_key)).status).toBe(403);
  const other = await device('Other');
  for (const method of ['PATCH', 'DELETE'])
    expect((await service.request(method, `${other.corrections}/${id}`, { body: {} })).status).toBe(404);
  await remove(id);
});

test('a service with --strict has none of it', async () => {
  const strict = await runService({ strict: true }, { isAlone: true });
  try {
    for (const path of [corrections, `${corrections}/history`])
      expect((await strict.request('GET', path)).status).toBe(404);
  } finally {
    await strict.stop();
  }
});
