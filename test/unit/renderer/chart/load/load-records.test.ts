import { beforeEach, expect, test, vi } from 'vitest';
import { connectionMade } from '../../../../../renderer/bridge/connection.ts';
import { createChartSource, deviceChart } from '../../../../../renderer/chart/load/data.ts';
import { arrive, device, empty, summary } from './arriving-device.ts';
import { PATIENTLY } from '../../../../helpers/patiently.ts';
import { tell } from './events.ts';

vi.mock('../../../../../renderer/bridge/bridge.ts', () => import('./arriving-device.ts'));

const query = { project_id: 'p', device_id: 'd', keys: ['value'], far: false, view: 'corrected' } as const;

const values = (source = deviceChart) => {
  const { picture } = source.useData.getState();
  return picture?.kind === 'records' ? [...(picture.view.columns[0] ?? [])] : [];
};

const until = (holds: () => boolean) => vi.waitUntil(holds, PATIENTLY);

async function load(): Promise<void> {
  deviceChart.load(query, summary());
  await until(() => deviceChart.useData.getState().state === 'ready');
}

beforeEach(() => {
  vi.useRealTimers();
  deviceChart.leave();
  empty();
  vi.stubGlobal('requestAnimationFrame', (work: () => void) => setTimeout(work, 0));
});

test('pages of any number become one row of records, oldest first', async () => {
  arrive([1, 10], [2, 20], [3, 30], [4, 40], [5, 50], [6, 60], [7, 70]);
  await load();
  expect(values()).toEqual([10, 20, 30, 40, 50, 60, 70]);
  expect(deviceChart.useData.getState().total).toBe(7);
});

test('live records come behind the others, also at an instant that is already there', async () => {
  arrive([1, 10], [2, 20], [2, 21]);
  await load();
  arrive([2, 22], [3, 30], [4, 40], [5, 50], [6, 60]);
  deviceChart.follow(summary());
  await until(() => values().length === 8);
  expect(values()).toEqual([10, 20, 21, 22, 30, 40, 50, 60]);
});

test('late records find their place among the old ones', async () => {
  arrive([10, 100], [20, 200], [30, 300]);
  await load();
  arrive([15, 150], [40, 400]);
  deviceChart.follow(summary());
  await until(() => values().length === 5);
  expect(values()).toEqual([100, 150, 200, 300, 400]);
});

test('records that arrive while older pages are still loading are not shown twice', async () => {
  arrive([1, 10], [2, 20], [3, 30], [4, 40], [5, 50]);
  let pages = 0;
  device.gate = async () => {
    if (++pages === 2) arrive([6, 60]);
  };
  deviceChart.load(query, summary());
  await until(() => deviceChart.useData.getState().state === 'ready');
  deviceChart.follow(summary());
  await until(() => values().length === 6);
  expect(values()).toEqual([10, 20, 30, 40, 50, 60]);
});

test('cancelling keeps what has come, and nothing follows', async () => {
  arrive([1, 10], [2, 20], [3, 30], [4, 40], [5, 50]);
  let open = () => {};
  let pages = 0;
  device.gate = () => (++pages === 2 ? new Promise((resolve) => (open = resolve)) : Promise.resolve());
  deviceChart.load(query, summary());
  await until(() => deviceChart.useData.getState().points === 3);
  deviceChart.cancel();
  open();
  arrive([6, 60]);
  deviceChart.follow(summary());
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(deviceChart.useData.getState().state).toBe('cancelled');
  expect(values()).toEqual([30, 40, 50]);
});

test('records that were removed while nobody could say so are gone once there are fewer', async () => {
  arrive([10, 1], [20, 2], [30, 3], [40, 4]);
  await load();
  device.arrived = device.arrived.filter(({ time }) => time > 20);
  deviceChart.follow(summary());
  await until(() => values().length === 2);
  expect(values()).toEqual([3, 4]);
});

test('what was changed while the connection was lost is there once there is a new one, and nothing is asked once no one looks', async () => {
  arrive([10, 1], [20, 2], [30, 3]);
  await load();
  device.arrived = [
    { time: 10, value: 1 },
    { time: 20, value: 20 },
    { time: 40, value: 4 },
  ];
  const states = new Set<string>();
  const stop = deviceChart.useData.subscribe(({ state }) => states.add(state));
  connectionMade();
  await until(() => values().includes(4));
  stop();
  expect(values()).toEqual([1, 20, 4]);
  expect([...states]).toEqual(['ready']);
  deviceChart.leave();
  const { requests } = device;
  connectionMade();
  expect(device.requests).toBe(requests);
});

test('removed records are gone as that is told, though as many came; nothing is asked once no one looks', async () => {
  arrive([10, 1], [20, 2], [30, 3]);
  await load();
  device.arrived = [
    { time: 20, value: 2 },
    { time: 30, value: 3 },
    { time: 40, value: 4 },
  ];
  tell('records.removed');
  await until(() => values().join() === '2,3,4');
  deviceChart.leave();
  const { requests } = device;
  tell('records.removed');
  tell('corrections.changed');
  expect(device.requests).toBe(requests);
});

test('a correction is no matter of what is read as it was stored', async () => {
  arrive([10, 1]);
  deviceChart.load({ ...query, view: 'raw' }, summary());
  await until(() => values().length === 1);
  const { requests } = device;
  tell('corrections.changed');
  expect(device.requests).toBe(requests);
});

test('a source that stands still asks again only where it could not read', async () => {
  const still = createChartSource({ isStill: true });
  arrive([10, 1], [20, 2]);
  device.gate = () => Promise.reject(new Error('The connection to the service was lost.'));
  still.load(query, summary());
  await until(() => still.useData.getState().state === 'error');
  device.gate = async () => {};
  connectionMade();
  await until(() => values(still).length === 2);
  const { requests } = device;
  arrive([30, 3]);
  connectionMade();
  tell('records.removed');
  tell('corrections.changed');
  expect(device.requests).toBe(requests);
  still.leave();
});

test('a chart that was cancelled stays so behind a new connection', async () => {
  arrive([10, 1], [20, 2], [30, 3], [40, 4]);
  device.gate = () => new Promise(() => undefined);
  deviceChart.load(query, summary());
  deviceChart.cancel();
  connectionMade();
  expect(device.requests).toBe(1);
  expect(deviceChart.useData.getState().state).toBe('cancelled');
});

const SECOND = 1e6;

test('a range reaches up to now and moves on with it', async () => {
  vi.setSystemTime(500_000);
  arrive(...Array.from({ length: 60 }, (_, i): [number, number] => [i * 10 * SECOND, i]));
  arrive([Date.UTC(2099, 0) * 1000, 4711]);
  deviceChart.load({ ...query, span: 100 * SECOND }, summary());
  await until(() => deviceChart.useData.getState().state === 'ready');
  expect(deviceChart.useData.getState()).toMatchObject({
    whole: { from: 400 * SECOND, to: 500 * SECOND },
    newest: [{ instant: 500 * SECOND, value: 50 }],
    points: 11,
    far: null,
  });
  // What was stored for later comes once it is its time, without anything new.
  vi.setSystemTime(530_000);
  await until(() => deviceChart.useData.getState().newest[0]?.value === 53);
  expect(deviceChart.useData.getState()).toMatchObject({
    whole: { from: 430 * SECOND, to: 530 * SECOND },
    points: 11,
  });
  arrive([531 * SECOND, 531]);
  vi.setSystemTime(531_000);
  deviceChart.follow(summary());
  await until(() => deviceChart.useData.getState().newest[0]?.value === 531);
});

test('of a large device a short range is read once, and what comes is added to it', async () => {
  vi.setSystemTime(60_000_000);
  arrive([0, -1], ...Array.from({ length: 101 }, (_, i): [number, number] => [(59_900 + i) * SECOND, i]));
  const large = () => ({ ...summary(), records: 600_000 + device.arrived.length });
  deviceChart.load({ ...query, span: 100 * SECOND }, large());
  await until(() => deviceChart.useData.getState().state === 'ready');
  expect(deviceChart.useData.getState()).toMatchObject({ picture: { kind: 'records' }, points: 101 });
  expect(device.requests).toBe(1);
  const states = new Set<string>();
  const stop = deviceChart.useData.subscribe(({ state }) => states.add(state));
  vi.setSystemTime(60_001_000);
  arrive([60_001 * SECOND, 101]);
  deviceChart.follow(large());
  await until(() => deviceChart.useData.getState().newest[0]?.value === 101);
  stop();
  expect(device.requests).toBe(2);
  expect([...states]).toEqual(['ready']);
});

test('what a range has left behind is forgotten, but for what is looked at and what a line leads in from', async () => {
  vi.setSystemTime(500_000);
  arrive(...Array.from({ length: 101 }, (_, i): [number, number] => [(400 + i) * SECOND, 400 + i]));
  deviceChart.load({ ...query, span: 100 * SECOND }, summary());
  await until(() => deviceChart.useData.getState().state === 'ready');
  const goOnTo = async (second: number) => {
    const from = (values().at(-1) ?? 0) + 1;
    arrive(
      ...Array.from({ length: second - from + 1 }, (_, i): [number, number] => [
        (from + i) * SECOND,
        from + i,
      ]),
    );
    vi.setSystemTime(second * 1_000);
    deviceChart.follow(summary());
    await until(() => values().at(-1) === second);
  };
  deviceChart.look({ window: { from: 450 * SECOND, to: 460 * SECOND }, width: 100 });
  await goOnTo(650);
  expect(values()[0]).toBe(400);
  await goOnTo(700);
  expect(values()[0]).toBe(400);
  deviceChart.look({ window: null, width: 100 });
  await goOnTo(701);
  expect(values()[0]).toBe(600);
  expect(deviceChart.useData.getState()).toMatchObject({
    whole: { from: 601 * SECOND, to: 701 * SECOND },
    points: 101,
  });
});

test('a range that has just moved on with what came is not shown once more for the time that passed', async () => {
  vi.useFakeTimers({ now: 500_000 });
  arrive(...Array.from({ length: 10 }, (_, i): [number, number] => [(490 + i) * SECOND, i]));
  deviceChart.load({ ...query, span: 100 * SECOND }, summary());
  await vi.advanceTimersByTimeAsync(600);
  let shown = 0;
  const stop = deviceChart.useData.subscribe(() => shown++);
  arrive([500 * SECOND + 500_000, 10]);
  deviceChart.follow(summary());
  await vi.advanceTimersByTimeAsync(300);
  expect(shown).toBe(1);
  // A pixel of a hundred seconds takes a second, which is over now.
  await vi.advanceTimersByTimeAsync(150);
  expect(shown).toBe(1);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(shown).toBe(2);
  stop();
});

test('a range without a record in it is empty, whatever lies outside', async () => {
  vi.setSystemTime(500_000);
  arrive([1 * SECOND, 1], [Date.UTC(2099, 0) * 1000, 4711]);
  deviceChart.load({ ...query, span: 100 * SECOND }, summary());
  await until(() => deviceChart.useData.getState().state === 'ready');
  expect(deviceChart.useData.getState()).toMatchObject({ whole: null, points: 0 });
});

test('a few far-off times are left out and said, or shown when asked for', async () => {
  const [first, last] = [Date.UTC(1970, 0) * 1000, Date.UTC(2099, 0) * 1000];
  const start = Date.UTC(2026, 0) * 1000;
  arrive([first, -9], ...Array.from({ length: 500 }, (_, i): [number, number] => [start + i * SECOND, i]), [
    last,
    9999,
  ]);
  await load();
  const far = { records: 2, first, last };
  expect(deviceChart.useData.getState()).toMatchObject({
    whole: { from: start, to: start + 499 * SECOND },
    far,
    points: 500,
    bounds: [{ min: 0, max: 499 }],
    newest: [{ value: 499 }],
  });
  deviceChart.load({ ...query, far: true }, summary());
  await until(() => deviceChart.useData.getState().state === 'ready');
  expect(deviceChart.useData.getState()).toMatchObject({
    whole: { from: first, to: last },
    far,
    points: 502,
  });
});
