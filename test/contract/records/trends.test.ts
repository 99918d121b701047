import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  MOST_TRENDS,
  TREND_COLUMNS,
  TREND_HOURS,
  type FoundTrend,
} from '#shared/operations/records/series.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';

/* docs/local-api.md, "Trends": the last day of a key of many devices. */

const DAY_MS = 86_400_000;
const QUARTER_MS = DAY_MS / TREND_COLUMNS;
/** Long ago: the day ends with the newest record. */
const END = Date.UTC(2025, 2, 4, 12);

let service: RunningService;
let project_id: string;
beforeAll(async () => {
  service = await runService();
  project_id = (await call<{ id: string }>('POST', '/_local/v1/projects', { name: 'Hall' })).id;
});
afterAll(() => service.stop());

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const { envelope } = await service.request(method, path, { body });
  expect(envelope).toMatchObject({ success: true });
  return envelope.data as T;
}

interface Record {
  readonly timestamp: string;
  readonly [key: string]: number | string | boolean;
}

/** Makes a device that has stored these records. */
async function deviceWith(records: readonly Record[]): Promise<string> {
  const [made] = await call<{ id: string; metadata: { device_token: string } }[]>(
    'POST',
    `/_local/v1/projects/${project_id}/devices`,
    { devices: [{ name: 'PT' }] },
  );
  if (!made) throw new Error('no device was made');
  if (records.length > 0) {
    const { status } = await service.request('POST', '/integrations/http', {
      key: made.metadata.device_token,
      body: records,
    });
    expect(status).toBe(200);
  }
  return made.id;
}

const trends = (query: string) =>
  call<FoundTrend[]>('GET', `/_local/v1/projects/${project_id}/trends?${query}`);

const at = (ms: number, t: number): Record => ({ timestamp: new Date(ms).toISOString(), t });

describe('a trend', () => {
  test('is of the last day, each quarter of an hour of which counts alike', async () => {
    const id = await deviceWith([
      // A day and a moment before the newest one.
      at(END - DAY_MS, 1000),
      ...Array.from({ length: 50 }, (_, n) => at(END - DAY_MS / 2 + 1 + n, 30)),
      at(END - QUARTER_MS, 10),
      at(END, 20),
    ]);
    const [trend] = await trends(`key=t&ids=${id}&curves=true`);
    expect(trend).toMatchObject({ device_id: id, count: 52, min: 10, max: 30 });
    // Fifty records of one quarter weigh no more than one of another: (30 + 10 + 20) / 3.
    expect(trend?.level).toBeCloseTo(20, 9);
    expect(new Date(trend?.end ?? '').getTime()).toBe(END);
    expect(trend?.columns?.min).toHaveLength(TREND_COLUMNS);
    expect(trend?.columns?.max.at(-1)).toBe(20);
    expect(trend?.columns?.max.filter((value) => value !== null)).toEqual([30, 10, 20]);
  });

  test('is told in the order asked, without curves unless asked, and of what has none as nothing', async () => {
    const [one, none, other] = await Promise.all([
      deviceWith([at(END, 1)]),
      deviceWith([]),
      deviceWith([{ timestamp: new Date(END).toISOString(), u: 5, t: 'off' }]),
    ]);
    const nothing = { count: 0, min: null, max: null, level: null, hours: null, columns: null };
    const found = await trends(`key=t&ids=${other},unknown,${none},${one},${one}`);
    expect(found).toEqual([
      { device_id: other, end: expect.any(String), ...nothing },
      { device_id: none, end: null, ...nothing },
      {
        device_id: one,
        end: expect.any(String),
        count: 1,
        min: 1,
        max: 1,
        level: 1,
        hours: Array.from({ length: TREND_HOURS }, (_, hour) => (hour === 12 ? 1 : null)),
        columns: null,
      },
    ]);
  });

  test('of a device that stores ends now', async () => {
    const before = Date.now();
    const id = await deviceWith([at(before - 3_600_000, 4)]);
    const [trend] = await trends(`key=t&ids=${id}`);
    expect(new Date(trend?.end ?? '').getTime()).toBeGreaterThanOrEqual(before);
    expect(trend).toMatchObject({ count: 1, level: 4 });
  });

  test('tells the hours of the day in UTC, but for one that is mostly silent', async () => {
    // Each quarter of an hour from 13:05 of the day before to 11:35: half of the last hour is silent.
    const from = END - DAY_MS + 65 * 60_000;
    const id = await deviceWith(
      Array.from({ length: 91 }, (_, n) => {
        const time = from + n * QUARTER_MS;
        return at(time, new Date(time).getUTCHours());
      }),
    );
    const [trend] = await trends(`key=t&ids=${id}`);
    const newest = new Date(from + 90 * QUARTER_MS);
    expect(new Date(trend?.end ?? '')).toEqual(newest);
    expect(newest.getUTCHours()).toBe(11);
    expect(trend?.hours?.[12]).toBe(null);
    expect(trend?.hours?.[11]).toBe(null);
    expect(trend?.hours?.slice(0, 11)).toEqual(Array.from({ length: 11 }, (_, hour) => hour));
    expect(trend?.hours?.slice(14)).toEqual(Array.from({ length: 10 }, (_, hour) => hour + 14));
  });

  test('is as it would be counted out, whatever was stored', async () => {
    const readings = fc.array(
      fc.record({
        // Some of them before the day.
        ago: fc.integer({ min: 0, max: 1.2 * DAY_MS }),
        t: fc.integer({ min: -500, max: 500 }),
      }),
      { minLength: 1, maxLength: 40 },
    );
    await fc.assert(
      fc.asyncProperty(readings, async (all) => {
        const id = await deviceWith([at(END, 0), ...all.map(({ ago, t }) => at(END - ago, t))]);
        const [trend] = await trends(`key=t&ids=${id}`);
        const day = [{ ago: 0, t: 0 }, ...all].filter(({ ago }) => ago < DAY_MS);
        const quarters = Map.groupBy(day, ({ ago }) => Math.ceil((DAY_MS - ago) / QUARTER_MS));
        const middles = [...quarters.values()].map((some) => {
          const values = some.map(({ t }) => t);
          return (Math.min(...values) + Math.max(...values)) / 2;
        });
        const values = day.map(({ t }) => t);
        expect(trend).toMatchObject({
          count: day.length,
          min: Math.min(...values),
          max: Math.max(...values),
        });
        expect(trend?.level).toBeCloseTo(middles.reduce((sum, one) => sum + one, 0) / middles.length, 9);
      }),
      { numRuns: 30 },
    );
  });
});

test.each([
  ['ids=a', 'key is required: it must be a data key'],
  ['key=&ids=a', 'key must be a data key'],
  ['key=t', 'ids is required: it must be 1 to 400 ids separated by ","'],
  ['key=t&ids=,', 'ids must be 1 to 400 ids separated by ","'],
  [
    `key=t&ids=${Array.from({ length: MOST_TRENDS + 1 }, (_, n) => n).join(',')}`,
    'ids must be 1 to 400 ids separated by ","',
  ],
  ['key=t&ids=a&curves=1', 'curves must be "true" or "false"'],
])('%# is refused by what is wrong in it', async (query, message) => {
  const { status, envelope } = await service.request(
    'GET',
    `/_local/v1/projects/${project_id}/trends?${query}`,
  );
  expect(status).toBe(400);
  expect(envelope.message).toContain(message);
});
