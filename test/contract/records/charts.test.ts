import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseInstant } from '#shared/values/time.ts';
import type { ColumnPage, RatesPicture, SeriesPicture } from '#shared/bridge/wire.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { createWorld, dataOf, RECORDS, type World } from '../world.ts';

/* What only windows may ask: the records of charts as arrays, behind the checks of every operation. */

let service: RunningService;
let world: World;
beforeAll(async () => {
  service = await runService();
  world = await createWorld(service);
});
afterAll(() => service.stop());

const times = RECORDS.map(({ timestamp }) => parseInstant(timestamp) ?? 0);
const [first = 0, second = 0, third = 0] = times;
const device = () => ({ project_id: world.project_id, device_id: world.device_id });

async function columns(input: object) {
  const pages: ColumnPage[] = [];
  const asked = { ...device(), keys: ['temperature', 'none'], ...input };
  const envelope = await service.bridge.stream('chart.columns', asked, (page) => void pages.push(page));
  return { pages, envelope };
}

async function series(input: object) {
  const pictures: SeriesPicture[] = [];
  const asked = { ...device(), keys: ['temperature'], width: 2, ...input };
  const envelope = await service.bridge.stream('chart.series', asked, (piece) => void pictures.push(piece));
  return { pictures, envelope };
}

describe('columns', () => {
  test('are the records, newest first, in µs', async () => {
    const { pages, envelope } = await columns({});
    expect(pages).toEqual([
      {
        offset: 0,
        total: 3,
        timestamps: Float64Array.of(third, second, first),
        columns: [Float64Array.of(22.25, 21, 20.5), Float64Array.of(NaN, NaN, NaN)],
      },
    ]);
    expect(envelope).toMatchObject({ success: true, action: 'read columns', data: { records: 3 } });
  });

  test('of a span have both its ends, to the microsecond', async () => {
    const spans = [
      [first, second],
      [first + 1, third - 1],
      [third, first],
    ];
    const counts = [];
    for (const [start, end] of spans) counts.push((await columns({ start, end })).envelope.data?.records);
    expect(counts).toEqual([2, 1, 0]);
  });
});

test('what is flagged as bad is left out, unless it is asked for to be drawn pale', async () => {
  const path = `/_local/v1/projects/${world.project_id}/devices/${world.device_id}/corrections`;
  const { timestamp } = RECORDS[1]!;
  const bad = { kind: 'quality', quality: 'fail', from: timestamp, to: timestamp, reason: 'door open' };
  const offset = { kind: 'calibration', key: 'temperature', points: [[0, 1]] };
  const ids: string[] = [];
  for (const body of [bad, offset]) {
    ids.push((await dataOf(service, 'POST', path, body)).id);
  }
  const asked = { view: 'corrected', start: first, end: third };
  const valuesOf = async (input: object) => [
    ...(await columns({ ...asked, ...input })).pages[0]!.columns[0]!,
  ];
  expect(await valuesOf({})).toEqual([23.25, NaN, 21.5]);
  expect(await valuesOf({ flagged: 'keep' })).toEqual([23.25, 22, 21.5]);
  expect(await valuesOf({ flagged: 'keep', view: 'raw' })).toEqual([22.25, 21, 20.5]);
  const counts = async (input: object) => [
    ...(await series({ ...asked, width: 1, ...input })).pictures[0]!.keys[0]!.counts,
  ];
  expect(await counts({})).toEqual([2]);
  expect(await counts({ flagged: 'keep' })).toEqual([3]);
  for (const id of ids) await service.request('DELETE', `${path}/${id}`);
});

describe('a series', () => {
  test('is that of the program’s door, and what lies around it', async () => {
    const { pictures, envelope } = await series({ start: first, end: third });
    const asked = { ...device(), keys: 'temperature', width: 2 };
    const published = (await service.bridge.call('series.get', asked)).data;
    const [{ start, end, keys } = { start: 0, end: 0, keys: [] }] = pictures;
    expect([start, end]).toEqual([first, third]);
    expect(
      keys.map(({ key, counts, min, max }) => ({ key, counts: [...counts], min: [...min], max: [...max] })),
    ).toEqual(published?.keys.map(({ key, counts, min, max }) => ({ key, counts, min, max })));
    expect(keys[0]).toMatchObject({ interval: 60e6, before: null, after: null });
    expect(envelope).toMatchObject({ success: true, action: 'get series', data: null });
  });

  test('without ends is of all records', async () => {
    const { pictures } = await series({});
    expect(pictures).toEqual((await series({ start: first, end: third })).pictures);
    expect(pictures).toHaveLength(1);
  });

  test('knows the numbers on either side of its span', async () => {
    const { pictures } = await series({ start: first + 1, end: third - 1, width: 1 });
    expect(pictures[0]?.keys[0]).toMatchObject({
      before: { instant: first, value: 20.5 },
      after: { instant: third, value: 22.25 },
    });
  });
});

describe.each([
  ['columns', columns],
  ['a series', series],
] as const)('%s', (_, ask) => {
  const none = { project_id: 'none' };
  const many = Array.from({ length: 65 }, (_each, index) => `key ${index}`);

  test.each([
    ['an unknown project', none, 404, 'Project not found.'],
    ['an unknown device', { device_id: 'none' }, 404, 'Device not found.'],
    ['the device of another project', { project_id: 'other' }, 404, 'Device not found.'],
    ['no keys at all', { keys: undefined }, 400, /^keys is required/],
    ['keys that are no array', { keys: 'temperature' }, 400, /^keys must be an array/],
    ['more than 64 keys', { keys: many }, 400, /^keys must be an array of at most 64 data keys/],
    ['a start in text', { start: '2026-03-02T20:30:00Z' }, 400, /^start must be a whole number of µs/],
    ['an end between two microseconds', { end: 1.5 }, 400, /^end must be a whole number of µs/],
  ])('of %s are refused', async (_name, input, status, message) => {
    const asked = input === none ? none : { ...input };
    if ('project_id' in asked && asked.project_id === 'other') asked.project_id = world.other_project_id;
    const { envelope } = await ask(asked);
    expect(envelope).toMatchObject({ success: false, status, data: null });
    expect(envelope.message).toMatch(message);
  });
});

async function rates(input: object) {
  const pictures: RatesPicture[] = [];
  const asked = { ...device(), rates: [{ key: 'temperature', per: 's', falls: 'fall' }], width: 2, ...input };
  const envelope = await service.bridge.stream(
    'chart.rates',
    asked as never,
    (piece) => void pictures.push(piece),
  );
  return { pictures, envelope };
}

describe('rates', () => {
  const perSecond = (value: number, from: number, to: number) => value * (1e6 / (to - from));

  test('are what each column holds of the differences, with figures, wraps and resets', async () => {
    const { pictures, envelope } = await rates({});
    expect(envelope).toMatchObject({ success: true, action: 'get rates', data: null });
    const steps = [perSecond(0.5, first, second), perSecond(1.25, second, third)];
    expect(pictures).toHaveLength(1);
    expect(pictures[0]).toMatchObject({ start: first, end: third, width: 2 });
    const [key] = pictures[0]?.keys ?? [];
    expect(key).toMatchObject({ key: 'temperature', wraps: 0, resets: 0, before: null, after: null });
    expect(key?.counts.reduce((sum, count) => sum + count)).toBe(2);
    expect(key?.statistics).toMatchObject({
      count: 2,
      first: steps[0],
      last: steps[1],
      last_time: RECORDS[2]?.timestamp,
    });
  });

  test('of a span begin with the difference from the number before it', async () => {
    const { pictures } = await rates({ start: second, end: third, width: 1 });
    const [key] = pictures[0]?.keys ?? [];
    expect([...(key?.counts ?? [])]).toEqual([2]);
    expect([...(key?.first ?? [])]).toEqual([perSecond(0.5, first, second)]);
  });

  test('of a key that the device does not have there are none', async () => {
    const { pictures } = await rates({ rates: [{ key: 'none', per: 'd', falls: 65_536 }] });
    expect(pictures[0]?.keys).toMatchObject([
      { key: 'none', counts: new Uint32Array(), statistics: { count: 0 } },
    ]);
  });

  test.each([
    [{ per: 'week' }, /per must be one of s, min, h, d/],
    [
      { falls: 1 },
      /falls must be "reset", "fall", or the whole number, at least 2, at which the counter wraps/,
    ],
    [{ falls: 'up' }, /falls must be "reset"/],
    [{ key: 7 }, /key must be a data key/],
  ])('of %j are refused', async (wrong, message) => {
    const asked = { key: 'temperature', per: 's', falls: 'reset', ...wrong };
    expect((await rates({ rates: [asked] })).envelope).toMatchObject({
      status: 400,
      message: expect.stringMatching(message),
    });
  });

  test('of more columns than there may be are refused', async () => {
    const many = Array.from({ length: 64 }, (_, n) => ({ key: `k${n}`, per: 's', falls: 'reset' }));
    expect((await rates({ rates: [...many, ...many.slice(0, 1)] })).envelope).toMatchObject({ status: 400 });
    expect((await rates({ start: 2, end: 1 })).envelope).toMatchObject({ status: 400 });
  });
});

test.each([0, 10_001, 1.5, '10'])('a series of %s columns is refused', async (width) => {
  const { envelope, pictures } = await series({ width });
  expect(envelope).toMatchObject({
    status: 400,
    message: expect.stringContaining('width must be a whole number from 1 to 10000'),
  });
  expect(pictures).toEqual([]);
});

test('a series that ends before it starts is refused', async () => {
  const { envelope } = await series({ start: 2, end: 1 });
  expect(envelope).toMatchObject({ status: 400, message: 'start must not be after end, got 2' });
});

test('no program has them: neither a route nor a word in the OpenAPI document', async () => {
  const { text } = await service.request('GET', '/_local/v1/openapi.json');
  const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, { operationId: string }>> };
  const published = Object.values(paths).flatMap((item) =>
    Object.values(item).map(({ operationId }) => operationId),
  );
  expect(published).toContain('series.get');
  expect(published.filter((id) => id.startsWith('chart.'))).toEqual([]);
  expect(Object.keys(paths).filter((path) => path.endsWith('/columns'))).toEqual([]);
  const { project_id, device_id } = world;
  for (const prefix of ['', '/', '/v2/', '/_local/v1/'])
    for (const what of ['columns', 'series', 'rates']) {
      const path = `${prefix}projects/${project_id}/devices/${device_id}/${what}?keys=temperature`;
      // The series of programs is another operation; it wants a width.
      const known = prefix === '/_local/v1/' && what === 'series';
      const { status } = await service.request('GET', path.startsWith('/') ? path : `/${path}`);
      expect([path, status]).toEqual([path, known ? 400 : 404]);
    }
});

/** All arrays of numbers in a value. */
function viewsIn(value: unknown): ArrayBufferView[] {
  if (ArrayBuffer.isView(value)) return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(viewsIn) : [];
}

test('arrays have memory of their own: to a window of the desktop app they cross with all that is behind them', async () => {
  const pages = viewsIn((await columns({})).pages);
  const pictures = viewsIn((await series({ keys: ['temperature', 'none'] })).pictures);
  expect([pages.length, pictures.length]).toEqual([3, 14]);
  for (const { byteLength, buffer } of [...pages, ...pictures]) expect(buffer.byteLength).toBe(byteLength);
});
