import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Envelope } from '#shared/schema/envelope.ts';
import type { Excursions } from '#shared/operations/records/excursions.ts';
import { expectQuick } from '../../fuzz/doors/turns.ts';
import { longestTurn } from '../../helpers/service/longest-turn.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { WORKER_SCRIPT } from '../../helpers/service/scripts.ts';
import { createWorld, type World } from '../world.ts';

/* docs/local-api.md, "Excursions": how long a key lay inside its normal range, outside of it, and was not measured. */

let service: RunningService;
let world: World;
beforeAll(async () => {
  service = await runService({ workerScript: WORKER_SCRIPT });
  world = await createWorld(service);
  await store(
    [
      // Three hours of a cold store: a minute too warm, twenty minutes of silence, then too cold until the end.
      [0, 5],
      [60, 8],
      [120, 8.5],
      [180, 9.25],
      [240, 9.25],
      [300, 7],
      [360, 7],
      [1560, 1],
      [1620, -0.5],
      [1680, 1],
    ].map(([second, cold]) => ({ timestamp: at(second!), cold })),
  );
  await set('cold', { low: 2, high: 8, longest_gap_s: 60 });
});
afterAll(() => service.stop());

const START = Date.UTC(2026, 2, 2, 8);
const at = (second: number) => `${new Date(START + second * 1000).toISOString().slice(0, -1)}000Z`;

const local = () => `/_local/v1/projects/${world.project_id}/devices/${world.device_id}`;
const set = (key: string, settings: object) =>
  service.request('PATCH', `${local()}/key-settings`, { body: { key, ...settings } });
const store = (body: readonly object[]) =>
  service.request('POST', '/integrations/http', { key: world.device_token, body });
const ask = async (query: string): Promise<Envelope> =>
  (await service.request('GET', `${local()}/excursions?${query}`)).envelope;
const excursions = async (query: string) => (await ask(query)).data as Excursions;
const csv = (query: string) => service.request('GET', `${local()}/excursions.csv?${query}`);

const SPAN = `start=${at(0)}&end=${at(1680)}`;
const WARM = { start: at(120), end: at(300), worst: 9.25, at: at(180), side: 'above' };
const COLD = { start: at(1560), end: at(1680), worst: -0.5, at: at(1620), side: 'below' };

test('an excursion lasts from its first reading outside to the next one inside, and the times add up to the span', async () => {
  expect(await excursions(`key=cold&${SPAN}`)).toEqual({
    key: 'cold',
    start: at(0),
    end: at(1680),
    low: 2,
    high: 8,
    longest_gap_us: 60e6,
    inside_us: 180e6,
    outside_us: 300e6,
    not_measured_us: 1200e6,
    excursion_count: 2,
    excursions: [WARM, COLD],
    not_measured_count: 1,
    not_measured: [{ start: at(360), end: at(1560) }],
    runs: null,
  });
});

test('what lies at a limit is inside; with one limit the other end is open, and without one nothing is outside', async () => {
  for (const [settings, outside_us, not_measured_us] of [
    [{ low: null, high: 9.25 }, 0, 1200e6],
    [{ low: null, high: 8 }, 180e6, 1200e6],
    [{ low: 1, high: null }, 60e6, 1200e6],
    [{ low: null, high: null }, 0, 1200e6],
    // Nothing is too long a silence: what was read last holds.
    [{ low: 2, high: 8, longest_gap_s: 1200 }, 300e6, 0],
  ] as const) {
    await set('cold', settings);
    const told = await excursions(`key=cold&${SPAN}`);
    expect(told).toMatchObject({ outside_us, not_measured_us });
    expect(told.inside_us + told.outside_us + told.not_measured_us).toBe(1680e6);
  }
  await set('cold', { low: 2, high: 8, longest_gap_s: 60 });
});

test('an excursion is never credited across a gap, nor behind the last reading', async () => {
  const told = await excursions(`key=cold&start=${at(1600)}&end=${at(3600)}`);
  expect(told).toMatchObject({
    outside_us: 80e6,
    not_measured_us: 1920e6,
    excursions: [{ ...COLD, start: at(1600) }],
    not_measured: [{ start: at(1680), end: at(3600) }],
  });
  const silent = await excursions(`key=cold&start=${at(400)}&end=${at(1500)}`);
  expect(silent).toMatchObject({ inside_us: 0, outside_us: 0, not_measured_us: 1100e6, excursions: [] });
});

test('a span that is cut anywhere comes to the same time', async () => {
  const whole = await excursions(`key=cold&${SPAN}`);
  for (const cut of ['2026-03-02T08:04:10.123457Z', '2026-03-02T08:20:00Z', at(1560)]) {
    const before = await excursions(`key=cold&start=${at(0)}&end=${cut}`);
    const behind = await excursions(`key=cold&start=${cut}&end=${at(1680)}`);
    for (const part of ['inside_us', 'outside_us', 'not_measured_us'] as const)
      expect(before[part] + behind[part]).toBe(whole[part]);
  }
  // The reading that holds where the span begins is the worst of what is left of it.
  const rest = await excursions(`key=cold&start=${at(250)}&end=${at(290)}`);
  expect(rest.excursions).toEqual([{ ...WARM, start: at(250), end: at(290), at: at(240) }]);
});

test('without ends it is from the first to the last record, and a gap is ten usual intervals', async () => {
  const told = await excursions('key=temperature');
  expect(told).toMatchObject({ start: at(0), end: '2026-03-02T20:32:21.202946Z', low: null, high: null });
  expect(told.longest_gap_us).toBe(600e6);
  expect(told.not_measured_us).toBe(45_021_202_946);
});

test('texts, booleans and records without the key are no readings', async () => {
  await store([
    { timestamp: at(10_000), mixed: 50 },
    { timestamp: at(10_010), mixed: 'n/a' },
    { timestamp: at(10_020), mixed: true },
    { timestamp: at(10_030), other: 1 },
    { timestamp: at(10_040), mixed: 5 },
  ]);
  await set('mixed', { high: 10, longest_gap_s: 40 });
  const span = `start=${at(10_000)}&end=${at(10_040)}`;
  expect(await excursions(`key=mixed&${span}`)).toMatchObject({ outside_us: 40e6, excursion_count: 1 });
  await set('mixed', { high: 10, longest_gap_s: 39 });
  const told = await excursions(`key=mixed&${span}`);
  expect(told).toMatchObject({ outside_us: 0, not_measured_us: 40e6 });
  // The reading was outside, though nobody knows for how long.
  expect(told.excursions).toMatchObject([{ start: at(10_000), end: at(10_000), worst: 50 }]);
});

test('of readings at one instant the last one holds, and each outside is an excursion', async () => {
  const instant = (value: number) => ({ timestamp: at(20_000), twice: value });
  await store([instant(5), instant(99), instant(6), { timestamp: at(20_010), twice: 6 }]);
  await set('twice', { high: 10, longest_gap_s: 60 });
  const told = await excursions(`key=twice&start=${at(20_000)}&end=${at(20_010)}`);
  expect(told).toMatchObject({ inside_us: 10e6, outside_us: 0 });
  expect(told.excursions).toMatchObject([{ start: at(20_000), end: at(20_000), worst: 99 }]);
});

test('for a picture they are runs, one after the other', async () => {
  const told = await excursions(`key=cold&width=1000&limit=0&${SPAN}`);
  expect(told).toMatchObject({ excursion_count: 2, excursions: [], not_measured_count: 1, not_measured: [] });
  expect(told.runs?.map(({ from, to, value }) => [from, to, value])).toEqual([
    [at(0), at(120), 'inside'],
    [at(120), at(300), 'above'],
    [at(300), at(360), 'inside'],
    [at(360), at(1560), 'not_measured'],
    [at(1560), at(1680), 'below'],
  ]);
});

test('as CSV they and the gaps are rows in order of time, with ISO 8601 durations', async () => {
  const { status, headers, text } = await csv(`key=cold&${SPAN}`);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(headers.get('content-disposition')).toContain('ESP32_cold_2026-03-02_excursions.csv');
  expect(text).toBe(
    [
      'key,side,start,end,duration,worst,at',
      `"cold",above,${at(120)},${at(300)},PT3M,9.25,${at(180)}`,
      `"cold",not measured,${at(360)},${at(1560)},PT20M,,`,
      `"cold",below,${at(1560)},${at(1680)},PT2M,-0.5,${at(1620)}`,
      '',
    ].join('\r\n'),
  );
});

test.each([
  ['', 'key is required: it must be a data key'],
  ['key=a,b', 'key must be a data key'],
  ['key=cold&view=best', 'view must be "raw" or "corrected"'],
  ['key=cold&limit=10001', 'limit must be a whole number from 0 to 10000'],
  ['key=cold&width=0', 'width must be a whole number from 1 to 10000'],
  ['key=cold&start=yesterday', 'start must be an ISO 8601 time'],
  ['key=cold&start=2026-03-02T09:00:00Z&end=2026-03-02T08:00:00Z', 'start must not be after end'],
])('"%s" is refused: %s', async (query, message) => {
  expect(await ask(query)).toMatchObject({ status: 400, message: expect.stringContaining(message) });
});

test('of a key that the device does not have nothing was measured', async () => {
  expect(await excursions(`key=none&${SPAN}`)).toMatchObject({
    inside_us: 0,
    outside_us: 0,
    not_measured_us: 1680e6,
    longest_gap_us: null,
    excursions: [],
  });
});

test('many records keep nobody waiting, and a list that is cut says of how many', async () => {
  const count = 200_000;
  const body = Array.from({ length: count }, (_, i) => ({ timestamp: i * 1000, wave: i % 20 }));
  for (let from = 0; from < count; from += 50_000) await store(body.slice(from, from + 50_000));
  await set('wave', { high: 18 });
  const question = () => excursions('key=wave&end=2000-01-01T00:00:00Z&start=1970-01-01T00:00:00Z&limit=3');
  const told = await question();
  expect(told).toMatchObject({ excursion_count: count / 20, outside_us: (count / 20 - 1) * 1e6 });
  expect(told.excursions).toHaveLength(3);
  await expectQuick(() => longestTurn(question()));
  expect(
    (await excursions('key=wave&end=1970-01-03T07:33:20Z&start=1970-01-01T00:00:00Z')).excursions,
  ).toHaveLength(10_000);
});
