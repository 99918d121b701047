import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { httpOperationIds, inV2, operationOf } from '#shared/operations/index.ts';
import { addressOf } from '#shared/schema/path-parameters.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { createWorld, dataOf, type World } from '../world.ts';

/* docs/local-api.md, "Views": what each read answers of records as they were stored, and through corrections. */

const MINUTE = 60_000;
const FROM = Date.UTC(2026, 9, 25);
const MINUTES = 120;
const at = (minute: number) => new Date(FROM + minute * MINUTE).toISOString().replace('Z', '000Z');

let service: RunningService;
let world: World;
let local: string;

beforeAll(async () => {
  service = await runService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  world = await createWorld(service);
  local = `/_local/v1/projects/${world.project_id}/devices/${world.device_id}`;
  await service.request('DELETE', `${local}/records`);
  const body = Array.from({ length: MINUTES }, (_, i) => ({ timestamp: at(i), t: i, door: i % 40 < 20 }));
  await service.request('POST', '/integrations/http', { key: world.device_token, body });
});

const ask = async <T>(method: string, path: string, body?: unknown) =>
  (await dataOf(service, method, path, body)) as T;
const get = <T>(path: string) => ask<T>('GET', `${local}/${path}`);
const correct = (body: object) => dataOf(service, 'POST', `${local}/corrections`, body);
const remove = (id: string) => dataOf(service, 'DELETE', `${local}/corrections/${id}`);
const newDevice = (name: string) =>
  ask<{ id: string; metadata: { device_token: string } }>(
    'POST',
    `/v2/projects/${world.project_id}/devices`,
    { name, source: 'http' },
  );
const inProject = () => `/_local/v1/projects/${world.project_id}`;
const file = async (query: string) => (await service.request('GET', `${local}/records?${query}`)).text;

/** Reads 0.5 low, was in a bucket for ten minutes, and its clock was an hour ahead in the last twenty. */
const CORRECTIONS = [
  { kind: 'calibration', key: 't', points: [[0, 0.5]], reason: 'yearly calibration' },
  { kind: 'quality', keys: ['t'], from: at(10), to: at(19), quality: 'fail', reason: 'in a bucket' },
  { kind: 'time', from: at(100), to: at(119), shift_us: -60 * MINUTE * 1000, reason: 'summer time' },
];
/** What is left of `t`, by the minute that it is of. */
const LEFT = Array.from({ length: MINUTES }, (_, i) => ({ minute: i >= 100 ? i - 60 : i, value: i + 0.5 }))
  .filter((_, i) => i < 10 || i > 19)
  .toSorted((a, b) => a.minute - b.minute);

describe('views', () => {
  test('differ in every read of records, and agree with one another', async () => {
    for (const one of CORRECTIONS) await correct(one);
    const values = LEFT.map(({ value }) => value);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;

    const [raw, corrected] = await Promise.all([
      get<Statistics>('statistics?keys=t'),
      get<Statistics>('statistics?keys=t&view=corrected'),
    ]);
    expect(raw[0]).toMatchObject({ count: 120, min: 0, max: 119, mean: 59.5, last: 119, last_time: at(119) });
    expect(corrected[0]).toMatchObject({ count: 110, min: 0.5, max: 119.5, last: 99.5, last_time: at(99) });
    expect(corrected[0]?.mean).toBeCloseTo(mean, 9);

    expect(await get('records/count?view=corrected')).toEqual({ records: 120, first: at(0), last: at(99) });
    expect(await get(`records/count?view=corrected&start=${at(40)}&end=${at(59)}`)).toMatchObject({
      records: 40,
    });
    expect(await get('records/count')).toEqual({ records: 120, first: at(0), last: at(119) });

    const { keys } = await get<Series>(`series?keys=t&width=12&view=corrected&start=${at(0)}&end=${at(119)}`);
    const columns = Array.from({ length: 12 }, (_, c) =>
      LEFT.filter(({ minute }) => Math.floor((minute * 12) / 119.00001) === c).map(({ value }) => value),
    );
    expect(keys[0]?.counts).toEqual(columns.map(({ length }) => length));
    expect(keys[0]?.max).toEqual(columns.map((column) => (column.length > 0 ? Math.max(...column) : null)));

    const facts = await get<Facts>('key-facts?view=corrected');
    expect(facts.find(({ key }) => key === 't')).toMatchObject({
      count: 110,
      min: 0.5,
      value: 99.5,
      value_time: at(99),
    });
    expect(await get('summary?view=corrected')).toMatchObject({
      records: 120,
      last: at(99),
      keys: [
        { key: 'door', count: 120 },
        { key: 't', count: 110 },
      ],
    });
    const states = await get<{ keys: { runs: { to: string }[] }[] }>(
      'states?keys=door&width=100&view=corrected',
    );
    expect(states.keys[0]?.runs.at(-1)?.to).toBe(at(99));
    expect((await get<{ records: number }>('times?view=corrected')).records).toBe(120);
    const told = await get<{ end: string }>('excursions?key=t&view=corrected');
    expect(told.end).toBe(at(99));

    const trends = await ask<object[]>(
      'GET',
      `${inProject()}/trends?key=t&ids=${world.device_id}&view=corrected`,
    );
    expect(trends[0]).toMatchObject({ max: 119.5, count: 110 });
  });

  test('a file says in its name that it is corrected, has what is left, and continues where it was cut off', async () => {
    const before = await file('format=csv');
    for (const one of CORRECTIONS) await correct(one);
    const lines = (await file('format=csv&keys=t&view=corrected')).trim().split(/\r?\n/).slice(1);
    expect(lines).toEqual(LEFT.map(({ minute, value }) => `${at(minute)},${value}`));
    const { name } = await get<{ name: string }>('records/estimate?format=csv&view=corrected');
    expect(name).toMatch(/_corrected$/);
    const states = await Promise.all(
      ['raw', 'corrected'].map((view) => get<{ state: string }>(`records/estimate?view=${view}`)),
    );
    expect(states[0]?.state).not.toBe(states[1]?.state);
    expect(await file('format=csv')).toBe(before);
  });

  test('a normal range is of what was measured: through corrections in the corrected view', async () => {
    await dataOf(service, 'PATCH', `${local}/key-settings`, { key: 't', high: 119.2 });
    await correct({ kind: 'calibration', key: 't', points: [[0, 0.5]] });
    const find = (view: string) => ask('GET', `${inProject()}/devices?keys=t&view=${view}`);
    expect(await find('raw')).toMatchObject([{ outside: false, values: [{ value: 119 }] }]);
    expect(await find('corrected')).toMatchObject([{ outside: true, values: [{ value: 119.5 }] }]);
    const alerts = (view: string) => ask<{ outside: number }>('GET', `/_local/v1/alerts?view=${view}`);
    expect([(await alerts('raw')).outside, (await alerts('corrected')).outside]).toEqual([0, 1]);
    // And every list says of whom it is told through corrections.
    expect(await alerts('corrected')).toMatchObject({
      devices: [{ id: world.device_id, corrected: true, values: [{ key: 't', corrected: true }] }],
    });
    const inView = async (view: string) => {
      const projects = await ask<{ id: string; outside: number; corrected: number }[]>(
        'GET',
        `/_local/v1/projects?view=${view}`,
      );
      return projects.find(({ id }) => id === world.project_id);
    };
    expect(await inView('raw')).toMatchObject({ outside: 0, corrected: 0 });
    expect(await inView('corrected')).toMatchObject({ outside: 1, corrected: 1 });
  });

  test('a value is told as corrected where a correction speaks of its key, or of all keys', async () => {
    await remove(world.correction_id);
    const keys = (await get<{ key: string }[]>('key-facts')).map(({ key }) => key);
    expect(keys).toEqual(['door', 't']);
    const told = async (view = 'corrected') => {
      const path = `${inProject()}/devices?keys=${keys.join()}&view=${view}`;
      const [found] = await ask<{ corrected: boolean; values: { key: string; corrected: boolean }[] }[]>(
        'GET',
        path,
      );
      const marked = found?.values.filter(({ corrected }) => corrected).map(({ key }) => key);
      return [found?.corrected, marked];
    };
    expect(await told()).toEqual([false, []]);
    await correct({ kind: 'calibration', key: 't', points: [[0, 0.5]] });
    expect(await told()).toEqual([true, ['t']]);
    expect(await told('raw')).toEqual([false, []]);
    await correct({ kind: 'time', from: at(0), to: at(1), shift_us: 1 });
    expect(await told()).toEqual([true, keys]);
  });

  test('every answer of /v2 is the same byte for byte with and without corrections', async () => {
    const reads = httpOperationIds.filter((id) => inV2(id) && operationOf(id).method === 'GET');
    const paths = reads.flatMap((id) => {
      const { path } = addressOf(operationOf(id).path, world);
      const time = `range=time&start=${at(5)}&end=${at(110)}`;
      const pages = [
        'range=all&page=1&limit=500',
        'range=all&limit=7&page=3',
        `${time}&page=2&limit=30`,
        `${time}&page=1&limit=100&keys=t`,
      ];
      return id === 'data.list' ? pages.map((query) => `${path}?${query}`) : [path];
    });
    const answers = () =>
      Promise.all(
        paths.map(async (path) => {
          const { status, headers, text } = await service.request('GET', path);
          const own = [...headers].filter(([name]) => name !== 'date' && name !== 'x-request-id');
          return { path, status, headers: own, text };
        }),
      );
    const { id: former } = await newDevice('Probe 0');
    const [before, exported] = [await answers(), await file('format=csv&view=corrected')];
    expect(before.map(({ status }) => status)).toEqual(before.map(() => 200));
    expect(before.length).toBeGreaterThan(8);
    const made = [];
    for (const one of CORRECTIONS) made.push(await correct(one));
    made.push(await correct({ kind: 'derived', key: 'double', of: '2 * t' }));
    made.push(await correct({ kind: 'replaced', device_id: former, until: at(50) }));
    expect(await answers()).toEqual(before);
    expect(await file('format=csv&view=corrected')).not.toBe(exported);
    for (const { id } of made) await remove(id);
    expect(await answers()).toEqual(before);
    expect(await file('format=csv&view=corrected')).toBe(exported);
  });

  test('a replaced device brings its history, each through its own corrections', async () => {
    const made = await newDevice('Probe 2');
    await service.request('POST', '/integrations/http', {
      key: made.metadata.device_token,
      body: [{ timestamp: at(200), t: 1 }],
    });
    await correct({ kind: 'calibration', key: 't', points: { gain: 1, offset: 1000 } });
    const own = `${inProject()}/devices/${made.id}`;
    await ask('POST', `${own}/corrections`, {
      kind: 'replaced',
      device_id: world.device_id,
      until: at(1),
      reason: 'probe broke',
    });
    const { text } = await service.request('GET', `${own}/records?format=csv&keys=t&view=corrected`);
    expect(text.trim().split(/\r?\n/).slice(1)).toEqual([`${at(0)},1000`, `${at(1)},1001`, `${at(200)},1`]);
  });

  test('a view that there is none of is refused in words', async () => {
    const { status, envelope } = await service.request('GET', `${local}/statistics?view=best`);
    expect([status, envelope.message]).toEqual([400, 'view must be "raw" or "corrected", got "best"']);
  });
});

type Statistics = readonly Record<string, unknown>[] & readonly { readonly mean: number }[];
type Facts = readonly { readonly key: string }[];
interface Series {
  readonly keys: readonly { readonly counts: readonly number[]; readonly max: readonly (number | null)[] }[];
}
