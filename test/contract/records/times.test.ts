import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TimeFinding, Times } from '#shared/operations/records/times.ts';
import { clockOf } from '../../helpers/clock.ts';
import { expectQuick } from '../../fuzz/doors/turns.ts';
import { longestTurn } from '../../helpers/service/longest-turn.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { WORKER_SCRIPT } from '../../helpers/service/scripts.ts';
import { createWorld, dataOf, RECORDS, type World } from '../world.ts';

/* docs/local-api.md, "Times": the records' own times against those of their receipt. */

const NOW = Date.UTC(2026, 2, 2, 21) * 1000;
let service: RunningService;
let world: World;
beforeAll(async () => {
  service = await runService({ workerScript: WORKER_SCRIPT }, { clock: clockOf(() => NOW) });
  world = await createWorld(service);
});
afterAll(() => service.stop());

const local = () => `/_local/v1/projects/${world.project_id}/devices/${world.device_id}`;
const times = async (query = '') =>
  (await dataOf(service, 'GET', `${local()}/times?${query}`)) as unknown as Times;
const store = (body: unknown) =>
  service.request('POST', '/integrations/http', { key: world.device_token, body });
const found = ({ findings }: Times) =>
  Object.fromEntries(findings.map(({ kind, records, places }) => [kind, [records, places]]));
const listOf = ({ findings }: Times, wanted: TimeFinding['kind']) =>
  findings.find(({ kind }) => kind === wanted)?.list;

const NOTHING = {
  epoch: [0, 0],
  year_2036: [0, 0],
  future: [0, 0],
  gap: [0, 0],
  equal_times: [0, 0],
  equal_records: [0, 0],
  late: [0, 0],
};

describe('times', () => {
  test('of records as they should be have a skew, and nothing odd', async () => {
    const told = await times('width=3');
    expect(told).toMatchObject({
      records: 3,
      start: RECORDS[0]?.timestamp,
      end: RECORDS[2]?.timestamp,
      gap_us: 600e6,
      exact: true,
    });
    // Received at 21:00, half an hour after they were.
    const second = 21.202946;
    const skews = [0, 1, 2].map((minute) => Math.round((1_800 - minute * 60 - second) * 1e6));
    expect(told.skew).toEqual({ counts: [1, 1, 1], min: skews, max: skews });
    expect(found(told)).toEqual(NOTHING);
  });

  test('that cannot be right, come twice, late or not at all are found', async () => {
    await store([
      { timestamp: '1970-01-01T00:00:05Z', temperature: 1 },
      { timestamp: '1970-01-01T00:00:06Z', temperature: 1 },
      { timestamp: '2036-02-07T06:28:16Z', temperature: 1 },
      { timestamp: '2099-12-31T00:00:00Z', temperature: 1 },
      // The same record once more, and another one of its time.
      RECORDS[2],
      { timestamp: RECORDS[1]?.timestamp, temperature: 99 },
    ]);
    const told = await times();
    // What cannot be right presses nothing together.
    expect(told).toMatchObject({ records: 9, start: RECORDS[0]?.timestamp, end: RECORDS[2]?.timestamp });
    expect(found(told)).toEqual({
      ...NOTHING,
      epoch: [2, 1],
      year_2036: [1, 1],
      future: [1, 1],
      equal_times: [2, 2],
      equal_records: [1, 1],
    });
    expect(listOf(told, 'epoch')).toEqual([
      { start: '1970-01-01T00:00:05.000000Z', end: '1970-01-01T00:00:06.000000Z', records: 2 },
    ]);
    expect(listOf(told, 'equal_records')).toEqual([
      { start: RECORDS[2]?.timestamp, end: RECORDS[2]?.timestamp, records: 2 },
    ]);
    // Of a span, and with another silence.
    const span = await times('start=2026-03-02T20:30:00Z&end=2026-03-02T20:33:00Z&gap_s=30&limit=1');
    expect(found(span)).toEqual({ ...NOTHING, gap: [0, 2], equal_times: [2, 2], equal_records: [1, 1] });
    expect(listOf(span, 'equal_times')).toHaveLength(1);
    expect(span.gap_us).toBe(30e6);
    for (const [start, end] of [
      ['1970-01-01T00:00:05Z', '1970-01-01T00:00:06Z'],
      ['2036-02-07T06:28:16Z', '2099-12-31T00:00:00Z'],
    ])
      await dataOf(service, 'DELETE', `${local()}/records?start=${start}&end=${end}`);
    expect(found(await times())).toMatchObject({ epoch: [0, 0], year_2036: [0, 0], future: [0, 0] });
  });

  test.each([
    ['gap_s=0', 'gap_s must be a number of seconds above 0, at most 315360000'],
    ['limit=1001', 'limit must be a whole number from 0 to 1000'],
    ['width=0', 'width must be a whole number from 1 to 10000'],
    ['start=2026-01-02T00:00:00Z&end=2026-01-01T00:00:00Z', 'start must not be after end'],
  ])('%s is refused', async (query, words) => {
    const { status, envelope } = await service.request('GET', `${local()}/times?${query}`);
    expect([status, envelope.message]).toEqual([400, expect.stringContaining(words)]);
  });

  test('of a device without records are those of nothing', async () => {
    const empty = await dataOf(service, 'POST', `/v2/projects/${world.project_id}/devices`, {
      name: 'Empty',
      source: 'http',
    });
    const path = `/_local/v1/projects/${world.project_id}/devices/${empty.id}/times?width=2`;
    const told = (await dataOf(service, 'GET', path)) as unknown as Times;
    expect(told).toMatchObject({ records: 0, gap_us: null, skew: { counts: [0, 0], min: [null, null] } });
    expect(found(told)).toEqual(NOTHING);
  });

  test('of hundreds of thousands of records keep nobody waiting', async () => {
    const device = await dataOf(service, 'POST', `/v2/projects/${world.project_id}/devices`, {
      name: 'Large',
      source: 'http',
    });
    const path = `/_local/v1/projects/${world.project_id}/devices/${device.id}`;
    const rows = Array.from(
      { length: 300_000 },
      (_, n) => `${new Date(NOW / 1000 - 400_000_000 + (n - (n % 3)) * 1000).toISOString()},${n % 100}`,
    );
    const bytes = `time,value\n${rows.join('\n')}\n`;
    const imported = await service.request('POST', `${path}/records?format=csv`, {
      raw: { type: 'text/csv', bytes },
    });
    expect(imported.status, imported.text).toBe(200);
    let told: Times | null = null;
    await expectQuick(() =>
      longestTurn(
        (async () => {
          told = (await dataOf(service, 'GET', `${path}/times`)) as unknown as Times;
        })(),
      ),
    );
    expect(found(told!)).toMatchObject({ equal_times: [200_000, 100_000], late: [0, 0] });
  });
});
