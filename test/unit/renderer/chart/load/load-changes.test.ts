import { beforeEach, expect, test, vi } from 'vitest';
import { deviceChart } from '../../../../../renderer/chart/load/data.ts';
import { begin, everySecond, MANY, query, ready, SECOND, state, summary } from './chart-of-device.ts';
import { device } from './counted-device.ts';
import { tell } from './events.ts';
import { PATIENTLY } from '../../../../helpers/patiently.ts';

vi.mock('../../../../../renderer/bridge/bridge.ts', () => import('./counted-device.ts'));
beforeEach(begin);

test('records that come in lengthen the picture and become the newest', async () => {
  deviceChart.load(query, summary());
  await ready();
  device.records = everySecond(700);
  deviceChart.follow(summary(MANY + 100));
  await vi.waitUntil(() => state().state === 'ready' && state().points === 700_000, PATIENTLY);
  expect(state()).toMatchObject({
    whole: { from: 0, to: 699 * SECOND },
    newest: [{ instant: 699 * SECOND, value: 699 }],
  });
});

test('a device that outgrows loading is asked for windows from then on', async () => {
  device.records = everySecond(60);
  deviceChart.load(query, summary(60));
  await ready();
  expect(state().picture?.kind).toBe('records');
  device.records = everySecond(600);
  deviceChart.follow(summary());
  await vi.waitUntil(() => state().picture?.kind === 'series', PATIENTLY);
});

test('a range reaches up to now: what a clock that is ahead stored is not in it, and an empty one says so', async () => {
  vi.setSystemTime(500_000);
  device.records = [...everySecond(600), { time: Date.UTC(2099, 0) * 1000, values: [7] }];
  deviceChart.load({ ...query, span: 100 * SECOND }, summary());
  await ready();
  expect(state()).toMatchObject({
    whole: { from: 400 * SECOND, to: 500 * SECOND },
    points: 101_000,
    bounds: [{ min: 400, max: 500 }],
    newest: [{ instant: 500 * SECOND, value: 500 }],
    far: null,
  });
  vi.setSystemTime(900_000);
  deviceChart.load({ ...query, span: 100 * SECOND }, summary());
  await ready();
  expect(state()).toMatchObject({ whole: null, points: 0 });
});

test('a range with more records than were to be expected is asked for what it shows', async () => {
  vi.setSystemTime(100_599_000);
  const late = everySecond(600).map(({ time, values }) => ({ time: time + 100_000 * SECOND, values }));
  device.records = [{ time: 0, values: [0] }, ...late];
  deviceChart.load({ ...query, span: 100 * SECOND }, summary());
  await ready();
  expect(state()).toMatchObject({ picture: { kind: 'series' }, points: 101_000 });
  expect(device.columns).toHaveLength(1);
  // From then on nothing else is tried.
  device.records = [...device.records, { time: 100_600 * SECOND, values: [600] }];
  vi.setSystemTime(100_600_000);
  deviceChart.follow(summary(MANY + 1));
  await vi.waitUntil(() => state().state === 'ready' && state().newest[0]?.value === 600, PATIENTLY);
  expect(device.columns).toHaveLength(1);
});

test('a few far-off times are left out and said, or shown when asked for', async () => {
  const core = everySecond(600).map(({ values }, i) => ({ time: (1e9 + i) * SECOND, values }));
  const [first, last] = [Date.UTC(1970, 0) * 1000, Date.UTC(2099, 0) * 1000];
  device.records = [{ time: first, values: [-9] }, ...core, { time: last, values: [9999] }];
  deviceChart.load(query, summary());
  await ready();
  const far = { records: 2000, first, last };
  expect(state()).toMatchObject({
    whole: { from: 1e9 * SECOND, to: (1e9 + 599) * SECOND },
    far,
    bounds: [{ min: 0, max: 599 }],
    newest: [{ value: 599 }],
    picture: { series: { start: 1e9 * SECOND, end: (1e9 + 599) * SECOND } },
  });
  deviceChart.load({ ...query, far: true }, summary());
  await ready();
  expect(state()).toMatchObject({ whole: { from: first, to: last }, far, newest: [{ value: 9999 }] });
});

test('records read one by one know the usual interval and what lies beside them', async () => {
  deviceChart.load(query, summary());
  await ready();
  deviceChart.look({ window: { from: 100 * SECOND, to: 110 * SECOND }, width: 100 });
  await ready();
  const { picture } = state();
  expect(picture?.kind === 'records' && picture.facts).toMatchObject([
    {
      interval: SECOND,
      before: { instant: 94 * SECOND, value: 94 },
      after: { instant: 116 * SECOND, value: 116 },
    },
  ]);
});

test('cancelling keeps the picture and asks no more, until it is loaded again', async () => {
  deviceChart.load(query, summary());
  await ready();
  const { picture } = state();
  let open = () => {};
  device.gate = () => new Promise((resolve) => (open = resolve));
  deviceChart.look({ window: { from: 0, to: 300 * SECOND }, width: 100 });
  deviceChart.cancel();
  device.gate = async () => {};
  open();
  deviceChart.look({ window: { from: 0, to: 200 * SECOND }, width: 100 });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(state()).toMatchObject({ state: 'cancelled', picture, window: { from: 0, to: 200 * SECOND } });
  deviceChart.reload();
  await ready();
  expect(state().picture).toMatchObject({ series: { start: 0, end: 200 * SECOND } });
});

test('a refusal is said, and the next window is asked for as usual', async () => {
  deviceChart.load(query, summary());
  await ready();
  device.gate = () => Promise.reject(new Error('The disk is gone.'));
  deviceChart.look({ window: { from: 0, to: 300 * SECOND }, width: 100 });
  await vi.waitUntil(() => state().state === 'error', PATIENTLY);
  expect(state().error).toBe('The disk is gone.');
  device.gate = async () => {};
  deviceChart.look({ window: null, width: 100 });
  await ready();
  expect(state().error).toBeNull();
});

test('records that a clock moved are another picture, though they are as many', async () => {
  deviceChart.load(query, summary());
  await ready();
  device.records = everySecond(600).map(({ time, values }) => ({ time: time + 3600 * SECOND, values }));
  deviceChart.follow(summary());
  await vi.waitUntil(() => state().whole?.from === 3600 * SECOND, PATIENTLY);
  expect(state().whole).toEqual({ from: 3600 * SECOND, to: 4199 * SECOND });
});

test.each([60, MANY])(
  'a chart of %i records that is read anew keeps its picture until all of it is there',
  async (records) => {
    device.records = everySecond(records === MANY ? 600 : records);
    deviceChart.load(query, summary(records));
    await ready();
    const seen = new Set<string>();
    const stop = deviceChart.useData.subscribe(({ picture, newest: [newest] }) =>
      seen.add(JSON.stringify([picture !== null, newest?.value])),
    );
    const before = state().newest[0]?.value;
    device.records = device.records.map(({ time, values: [value = 0] }) => ({ time, values: [value + 0.5] }));
    tell('corrections.changed');
    await vi.waitUntil(() => state().newest[0]?.value !== before, PATIENTLY);
    stop();
    expect([...seen]).toEqual([JSON.stringify([true, (before ?? 0) + 0.5])]);
  },
);
