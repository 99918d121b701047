import { afterEach, describe, expect, test } from 'vitest';
import { StoreError } from '#core/base/errors.ts';
import type { RecordStore } from '#core/store/store.ts';
import { longestTurn } from '../../helpers/service/longest-turn.ts';
import { dataOf } from '../world.ts';
import { at, FROZEN, simulated, START, type Place, type Simulated } from './simulated.ts';

/* docs/rigs.md, "Simulators": when readings are sent, and what becomes of those that are not stored. */

let rig: Simulated;
let place: Place;

async function open(...given: Parameters<typeof simulated>): Promise<void> {
  rig = await simulated(...given);
  const { project_id, device_id } = await rig.device();
  place = { project_id, device_id };
}
afterEach(() => rig.service.stop());

const ONE = { n: { shape: 'counter', step: 1 } } as const;
const timesOf = async () => (await rig.records(place)).map(({ timestamp }) => timestamp);

test('a past start is caught up with, and goes on at its pace', async () => {
  await open();
  await rig.start({ ...place, every_ms: 60_000, keys: ONE, start: at(-3600) });
  expect(await timesOf()).toEqual(Array.from({ length: 61 }, (_, n) => at(60 * n - 3600)));
  await rig.advance(120_000);
  expect((await timesOf()).slice(-3)).toEqual([at(0), at(60), at(120)]);
});

test('a start that lies ahead is waited for', async () => {
  await open();
  const { id, next } = await rig.start({ ...place, every_ms: 1000, keys: ONE, start: at(100), count: 2 });
  expect(next).toBe(at(100));
  await rig.advance(99_999);
  expect(await timesOf()).toEqual([]);
  await rig.advance(1001);
  expect(await timesOf()).toEqual([at(100), at(101)]);
  expect(await rig.list()).toMatchObject([{ id, state: 'done' }]);
});

test('as many times as fast, the times of a recording go ahead of the clock', async () => {
  await open();
  await rig.start({ ...place, every_ms: 60_000, keys: ONE, start: at(0), speed: 60 });
  await rig.advance(10_000);
  expect(await timesOf()).toEqual(Array.from({ length: 11 }, (_, n) => at(60 * n)));
});

describe('all at once', () => {
  test('up to the present, and not further', async () => {
    await open();
    const { id } = await rig.start({ ...place, every_ms: 1000, keys: ONE, start: at(-9999.5), speed: 'max' });
    expect(await rig.ended(id)).toMatchObject({ state: 'done', stored: 10_000, refused: 0, next: null });
    const times = await timesOf();
    expect([times[0], times.at(-1), times.length]).toEqual([at(-9999.5), at(-0.5), 10_000]);
  });

  test('so many, of which the last is at the present', async () => {
    await open();
    const { id } = await rig.start({ ...place, every_ms: 1000, keys: ONE, count: 3, speed: 'max' });
    expect(await rig.ended(id)).toMatchObject({ state: 'done', stored: 3 });
    expect(await timesOf()).toEqual([at(-2), at(-1), at(0)]);
  });

  test('others have their turn, it is a job meanwhile, and whoever cancels that ends it', async () => {
    await open();
    const jobs = () => dataOf(rig.service, 'GET', '/_local/v1/jobs') as unknown as Promise<{ id: string }[]>;
    const body = { ...place, every_ms: 1000, keys: ONE, count: 10_000_000, speed: 'max' };
    const { id } = await rig.start(body);
    const [job] = await jobs();
    expect(job).toMatchObject({ kind: 'simulation', unit: 'records', total: 10_000_000, state: 'running' });
    const stored = async () => (await rig.list())[0]?.stored ?? 0;
    const many = Promise.resolve(expect.poll(stored, { timeout: 60_000 }).toBeGreaterThan(20_000));
    expect(await longestTurn(many)).toBeLessThan(250);
    await dataOf(rig.service, 'POST', '/_local/v1/jobs/cancel', { id: job?.id });
    await rig.ended(id);
    // The job ends behind what it runs, which stores and counts the batch that was under way.
    await expect.poll(jobs).toEqual([]);
    const [ended] = await rig.list();
    expect(ended).toMatchObject({ state: 'failed', problem: 'The simulation was cancelled.' });
    expect(await rig.records(place)).toHaveLength(ended?.stored ?? -1);
  });

  test('the service stops in the middle of it', async () => {
    await open();
    await rig.start({ ...place, every_ms: 1000, keys: ONE, count: 10_000_000, speed: 'max' });
  });

  test('a device that is deleted meanwhile ends it', async () => {
    await open();
    await rig.start({ ...place, every_ms: 1000, keys: ONE, count: 10_000_000, speed: 'max' });
    const path = `/v2/projects/${place.project_id}/devices/${place.device_id}`;
    expect((await rig.service.request('DELETE', path)).status).toBe(200);
    expect(await rig.list()).toEqual([]);
    await expect
      .poll(async () => (await rig.service.request('GET', '/_local/v1/jobs')).envelope.data)
      .toEqual([]);
    expect(rig.service.logged.filter((line) => line.includes('simulator'))).toEqual([]);
  });
});

test('what a full disk refuses is counted, and what comes behind it is stored', async () => {
  let isFull = false;
  rig = await simulated(FROZEN, {}, (records) => {
    const append: RecordStore['append'] = (...given) =>
      isFull ? Promise.reject(new StoreError('disk-full', 'The disk is full.')) : records.append(...given);
    return new Proxy(records, {
      get: (target, name) => {
        if (name === 'append') return append;
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  });
  place = await rig.device();
  const of = { project_id: place.project_id, device_id: place.device_id };
  await rig.start({ ...of, every_ms: 1000, keys: ONE });
  await rig.advance(3000);
  isFull = true;
  await rig.advance(4000);
  expect(await rig.list()).toMatchObject([
    { state: 'running', stored: 3, refused: 4, problem: 'The disk is full.' },
  ]);
  isFull = false;
  await rig.advance(2000);
  expect(await rig.list()).toMatchObject([{ stored: 5, refused: 4 }]);
  expect((await rig.records(place)).map(({ n }) => n)).toEqual([0, 1, 2, 7, 8]);
});

test('records of times that cannot be are refused alone', async () => {
  await open();
  const start = '2200-12-31T23:59:58.500000Z';
  const { id } = await rig.start({ ...place, every_ms: 1000, keys: ONE, start, count: 4, speed: 'max' });
  expect(await rig.ended(id)).toMatchObject({
    stored: 2,
    refused: 2,
    problem: expect.stringContaining('must lie in the years 1700 to 2200') as string,
  });
});

test('a world has at most so many that run, and those that have ended make room', async () => {
  await open();
  const far = { ...place, every_ms: 1000, keys: ONE, start: '2150-01-01T00:00:00Z' };
  const over = await rig.start({ ...place, every_ms: 1000, keys: ONE, count: 1, speed: 'max' });
  for (let n = 0; n < 999; n++) await rig.start(far);
  expect(await rig.list()).toHaveLength(1000);
  await rig.start(far);
  const all = await rig.list();
  expect([all.length, all.some(({ id }) => id === over.id)]).toEqual([1000, false]);
  expect(await rig.refused(far)).toMatch(/^device_id must wait: 1,000 simulators of this account run/);
}, 60_000);

test('a start of the service knows none of before', async () => {
  await open({ mode: 'frozen', now: START });
  await rig.start({ ...place, every_ms: 1000, keys: ONE });
  const { directory } = rig.service;
  await rig.service.service.close();
  const again = await simulated(FROZEN, { directory });
  expect(await again.list()).toEqual([]);
  await again.service.service.close();
});

test('gaps alone, without an end, keep nobody waiting', async () => {
  await open();
  const { id } = await rig.start({ ...place, every_ms: 1000, keys: ONE, trouble: { gaps: 1 } });
  await rig.advance(10_000);
  expect(await rig.list()).toMatchObject([{ id, stored: 0, refused: 0, state: 'running', next: at(11) }]);
});

test.each([
  [{ speed: 'max', count: 10_000_001 }, /^count must leave at most 10,000,000 readings to be stored at once/],
  [{ start: '1700-01-01T00:00:00Z' }, /^start must leave at most 10,000,000 readings/],
])('%j is more than a slip of the pen may store', async (body, message) => {
  await open();
  expect(await rig.refused({ ...place, every_ms: 1, keys: ONE, ...body })).toMatch(message);
  expect(await rig.list()).toEqual([]);
});
