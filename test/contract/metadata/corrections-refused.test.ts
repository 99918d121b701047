import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ShownCorrection } from '#shared/operations/metadata/corrections.ts';
import { openWindow, runService, type RunningService } from '../../helpers/service/running-service.ts';
import { createWorld, dataOf, type World } from '../world.ts';

/* What corrections do not take, each for itself and beside others (docs/local-api.md, "Corrections"). */

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

const list = async () => (await dataOf(service, 'GET', corrections)) as unknown as readonly ShownCorrection[];
const create = async (body: object, path = corrections) =>
  (await dataOf(service, 'POST', path, body)) as unknown as ShownCorrection;
const remove = (id: string) => dataOf(service, 'DELETE', `${corrections}/${id}`);

async function refused(method: string, path: string, body: object): Promise<string> {
  const answer = await service.request(method, path, { body });
  expect(answer.status, answer.envelope.message).toBe(400);
  return answer.envelope.message;
}

async function device(name: string): Promise<{ readonly id: string; readonly corrections: string }> {
  const path = `/v2/projects/${world.project_id}/devices`;
  const { id } = await dataOf(service, 'POST', path, { name, source: 'http' });
  return { id, corrections: `${project}/devices/${id}/corrections` };
}

describe('what a correction does not take is refused in words', () => {
  const many = Array.from({ length: 65 }, (_, n) => [n, n]);
  const shift = { kind: 'time', ...SPAN };
  const derived = { kind: 'derived', key: 'x' };
  const wrong: readonly (readonly [body: object, why: string])[] = [
    [{}, 'kind is required: it must be "time", "replaced", "calibration", "derived" or "quality"'],
    [{ kind: 'offset' }, 'kind must be "time", "replaced"'],
    [
      { kind: 'calibration', points: [[0, 1]] },
      'key is required: it must be given for a correction of the kind "calibration"',
    ],
    [{ ...SCALE, key: 'a,b' }, 'key must be a data key'],
    [
      { ...SCALE, quality: 'fail' },
      'quality must be absent: a correction of the kind "calibration" has key, points, from,',
    ],
    [{ ...SCALE, points: [] }, 'points must be 1 to 64 pairs [reading, true value], or {"gain", "offset"}'],
    [{ ...SCALE, points: many }, 'points must be 1 to 64 pairs'],
    [{ ...SCALE, points: [[1]] }, 'points must be 1 to 64 pairs'],
    [{ ...SCALE, points: { gain: 1 } }, 'points must be 1 to 64 pairs'],
    [{ ...SCALE, points: { gain: 0, offset: 1 } }, 'points must have a gain other than 0'],
    [{ ...SCALE, points: pairs('2 1, 1 0, 2 3') }, 'points must have each reading once, and have 2 twice'],
    [
      { ...SCALE, points: pairs('3 1, 1 0, 2 3') },
      'points must have true values that only rise or only fall with the readings, and have 3 at 2, then 1 at 3',
    ],
    [{ ...SCALE, points: pairs('1 5, 2 5') }, 'and have 5 at 1, then 5 at 2'],
    [{ ...SCALE, from: TO, to: FROM }, 'from must not be after to'],
    [{ ...SCALE, from: '1699-12-31T23:59:59Z' }, 'from must lie in the years 1700 to 2200'],
    [{ ...SCALE, from: 'yesterday' }, 'from must be an ISO 8601 time'],
    [{ ...SCALE, uncertainty: -1 }, 'uncertainty must be a number from 0'],
    [{ ...SCALE, reason: 'x'.repeat(501) }, 'reason must be text of 1 to 500 characters'],
    [{ ...FLAG, reason: undefined }, 'reason is required: it must be given'],
    [{ ...FLAG, quality: 'bad' }, 'quality must be "pass", "suspect", "fail" or "test"'],
    [{ ...FLAG, keys: [] }, 'keys must be an array of 1 to 64 data keys, or null for all'],
    [{ ...FLAG, to: undefined }, 'to is required'],
    [shift, 'shift_us is required: it must be given, or at in its place'],
    [{ ...shift, shift_us: 0 }, 'shift_us must be a whole number of µs other than 0'],
    [{ ...shift, shift_us: 1.5 }, 'shift_us must be a whole number of µs'],
    [
      { ...shift, shift_us: 1, at: moments(FROM, FROM, TO, TO) },
      'shift_us must be given, or at in its place',
    ],
    [{ ...shift, shift_us: 9e15 }, 'from must lie in the years 1700 to 2200 when it is corrected, too'],
    [{ ...shift, at: [[FROM, FROM]] }, 'at must be two pairs'],
    [{ ...shift, at: moments(FROM, FROM, FROM, TO) }, 'at must be two different times of the device'],
    [
      { ...shift, at: moments(FROM, TO, TO, FROM) },
      'at must have its true times in the order of those of the device',
    ],
    [
      { ...derived, of: 'temperature +' },
      'of must be a formula: there must be a number, a key, a function or "(", it ends at character 14',
    ],
    [{ ...derived, of: '1 + 2' }, 'of must be a formula that names a key'],
    [{ ...derived, of: 'x + temperature' }, 'of must be a formula of other keys than "x"'],
    [{ ...derived, of: 'a'.repeat(1001) }, 'of must be text of 1 to 1000 characters'],
    [
      { kind: 'derived', key: 'temperature', of: 'state + 1' },
      'key must not be one that the device has stored, got "temperature"',
    ],
    [
      { kind: 'replaced', device_id: 'nobody', until: TO },
      'device_id must be the id of another device of this account that is there',
    ],
  ];
  test.each(wrong.map(([body, why]) => ({ body, why })))('$why', async ({ body, why }) => {
    expect(await refused('POST', corrections, body)).toContain(why);
    expect(await list()).toEqual([]);
  });

  test('of a change, too: and it stays as it was', async () => {
    const made = await create({ kind: 'time', ...SPAN, shift_us: 1 });
    const one = `${corrections}/${made.id}`;
    expect(await refused('PATCH', one, { kind: 'quality' })).toContain(
      'kind must stay "time", got "quality"',
    );
    expect(await refused('PATCH', one, { from: null })).toContain('from must be given');
    expect(await refused('PATCH', one, { key: 'a' })).toContain('key must be absent');
    expect(await refused('PATCH', one, { to: '2026-03-02T19:00:00Z' })).toContain(
      'from must not be after to',
    );
    expect(await list()).toEqual([made]);
    await remove(made.id);
  });
});

describe('derived keys', () => {
  test('have one formula each, and lead nowhere in a circle', async () => {
    const made = [];
    const derive = (key: string, of: string) => ({ kind: 'derived', key, of });
    made.push(await create(derive('a1', 'temperature * 2')), await create(derive('a2', 'a1 + 1')));
    expect(await refused('POST', corrections, derive('a1', 'temperature'))).toContain(
      'key must be of no other derived key, and "a1" is one already',
    );
    made.push(await create(derive('a3', 'max(a2, temperature)')));
    expect(await refused('PATCH', `${corrections}/${made[0]?.id}`, { of: 'mean(a3, 1h)' })).toContain(
      'of must not lead back to its own key: "a1" asks for "a3" asks for "a2" asks for "a1"',
    );
    expect(await refused('PATCH', `${corrections}/${made[0]?.id}`, { key: 'state' })).toContain(
      'key must not be one that the device has stored',
    );
    for (const { id } of made) await remove(id);
  });
});

describe('a device that goes before', () => {
  test('is another one, once, and not one that has this one before it', async () => {
    const [old, older, oldest] = [await device('Old'), await device('Older'), await device('Oldest')];
    const after = (device_id: string) => ({ kind: 'replaced', device_id, until: TO });
    const made = await create(after(old.id));
    expect(made).toMatchObject({ device_id: old.id, until: TO });
    await create(after(older.id), old.corrections);
    await create(after(oldest.id), older.corrections);
    expect(await refused('POST', corrections, after(world.device_id))).toContain('that is not this one');
    expect(await refused('POST', corrections, after(oldest.id))).toContain('goes before this one already');
    for (const path of [old.corrections, older.corrections, oldest.corrections])
      expect(await refused('POST', path, after(world.device_id))).toMatch(/device_id must not lead back/);
    const both = await device('Both');
    await create(after(oldest.id), both.corrections);
    expect(await refused('POST', corrections, after(both.id))).toContain(
      'goes before both "Both" and this one',
    );
    await remove(made.id);
    expect(await create(after(both.id))).toMatchObject({ device_id: both.id });
    for (const { id } of await list()) await remove(id);
  });

  test('is one that the key may see', async () => {
    const elsewhere = await dataOf(service, 'POST', `/v2/projects/${world.other_project_id}/devices`, {
      name: 'Elsewhere',
      source: 'http',
    });
    const body = { kind: 'replaced', device_id: elsewhere.id, until: TO };
    const limited = await world.issueKey(['admin'], [world.project_id]);
    const answer = await service.request('POST', corrections, { key: limited, body });
    expect([answer.status, answer.envelope.message]).toEqual([400, expect.stringContaining('may see')]);
    const made = await create(body);
    await remove(made.id);
  });

  test('is one that the key may see, too, where versions of another service name it', async () => {
    const elsewhere = await dataOf(service, 'POST', `/v2/projects/${world.other_project_id}/devices`, {
      name: 'Elsewhere',
      source: 'http',
    });
    const stranger = world.strangers_key;
    const ask = async (path: string, body: object) =>
      (await service.request('POST', path, { key: stranger, body })).envelope.data as unknown as {
        readonly id: string;
      };
    const theirs = await ask('/_local/v1/projects', { name: 'Theirs' });
    const their = await ask(`/v2/projects/${theirs.id}/devices`, { name: 'Their', source: 'http' });
    const limited = await world.issueKey(['admin'], [world.project_id]);
    const versions = (former_id: string) => [
      {
        correction_id: randomUUID(),
        version: 1,
        says: { kind: 'replaced', former_id, until: TO },
        reason: '',
        changed: FROM,
        first: FROM,
        by: 'K. Meyer',
      },
    ];
    const merge = (key: string, path: string, former_id: string, more = {}) =>
      service.request('POST', `${path}/sync/corrections`, {
        key,
        body: { versions: versions(former_id), ...more },
      });
    const own = `${project}/devices/${world.device_id}`;
    const strange = `/_local/v1/projects/${theirs.id}/devices/${their.id}`;
    for (const more of [{}, { dry_run: true }])
      for (const [key, path, former] of [
        [stranger, strange, world.device_id],
        [limited, own, elsewhere.id],
      ] as const) {
        const answer = await merge(key, path, former, more);
        expect([answer.status, answer.envelope.message]).toEqual([
          400,
          expect.stringContaining('that this API key may see'),
        ]);
      }
    const count = await service.request('GET', `${strange}/records/count?view=corrected`, { key: stranger });
    expect(count.envelope.data).toMatchObject({ records: 0 });
    expect(await list()).toEqual([]);
    // One that comes with a later push is named before it is there.
    expect((await merge(limited, own, randomUUID())).envelope.data).toMatchObject({ added: 1 });
    for (const { id } of await list()) await remove(id);
  });

  test('may be deleted, or out of sight, while other fields of its correction change', async () => {
    const [old, other] = [await device('Old'), await device('Other')];
    const after = (device_id: string) => ({ kind: 'replaced', device_id, until: TO });
    const made = await create({ ...after(old.id), reason: 'probe failed' });
    const one = `${corrections}/${made.id}`;
    const former = `${project}/devices/${old.id}`;
    const { undo } = await dataOf(service, 'DELETE', former);
    expect(await dataOf(service, 'PATCH', one, { until: FROM, reason: 'window open' })).toMatchObject({
      device_id: old.id,
      until: FROM,
      reason: 'window open',
      version: 2,
    });
    await dataOf(service, 'PATCH', one, { device_id: other.id });
    const rule = `device_id must be the id of another device of this account that is there, and that is not this one, got "${old.id}"`;
    expect(await refused('PATCH', one, { device_id: old.id })).toBe(rule);
    expect(await refused('POST', corrections, after(old.id))).toBe(rule);
    await dataOf(service, 'POST', `/_local/v1/undo/${(undo as { id: string }).id}`, {});
    await dataOf(service, 'PATCH', one, { device_id: old.id });
    await dataOf(service, 'POST', `${former}/move`, { to: world.other_project_id });
    const limited = await world.issueKey(['admin'], [world.project_id]);
    const answer = await service.request('PATCH', one, { key: limited, body: { until: TO } });
    expect([answer.status, answer.envelope.message]).toEqual([400, expect.stringContaining('may see')]);
    await dataOf(service, 'PATCH', one, { until: TO });
    await remove(made.id);
  });

  test('tells the windows of the devices behind it of its own corrections', async () => {
    const window = openWindow(service.service);
    const made = new Set<string>();
    window.bridge.subscribe('devices.changed', ({ device_id }) => made.add(device_id));
    const [old, next] = [await device('Old'), await device('Next')];
    await expect.poll(() => made.has(old.id) && made.has(next.id)).toBe(true);
    const heard: string[] = [];
    window.bridge.subscribe('corrections.changed', ({ device_id }) => {
      // Devices of the tests before this one are told of a moment later.
      if (device_id === old.id || device_id === next.id) heard.push(device_id);
    });
    await create({ kind: 'replaced', device_id: old.id, until: TO }, next.corrections);
    await expect.poll(() => heard.splice(0)).toEqual([next.id]);
    await create(SCALE, old.corrections);
    await expect.poll(() => heard.toSorted()).toEqual([old.id, next.id].toSorted());
    window.close();
  });
});
