import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OutputOf } from '#shared/operations/index.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { someRuns } from '../../helpers/some-runs.ts';
import { createWorld, dataOf, type World } from '../world.ts';

/* docs/local-api.md, "Following records": what devices store, in the order in which it comes. */

type Followed = OutputOf<'records.follow'>;

let service: RunningService;
let world: World;
let projects: string;

beforeAll(async () => {
  // Each service hears what it is sent itself.
  service = await runService({}, { isAlone: true });
  world = await createWorld(service);
  projects = `/v2/projects/${world.project_id}/devices`;
});
afterAll(() => service.stop());

const pathOf = (device: string) => `/_local/v1/projects/${world.project_id}/devices/${device}/records/follow`;

async function follow(device: string, after?: string, within_ms = 0): Promise<Followed> {
  const query = after === undefined ? '' : `?after=${after}&within_ms=${within_ms}`;
  return (await dataOf(service, 'GET', `${pathOf(device)}${query}`)) as unknown as Followed;
}

async function newDevice() {
  const made = await dataOf(service, 'POST', projects, { name: 'Followed', source: 'http' });
  const { device_token } = made['metadata'] as { device_token: string };
  const put = async (records: unknown) => {
    const { status } = await service.request('POST', '/integrations/http', {
      key: device_token,
      body: records,
    });
    expect(status).toBe(200);
  };
  return { id: made.id, put };
}

const numbers = ({ records }: Followed) => records.map((record) => record['n']);

test('comes in the order of arrival, whatever time it has, as it is in pages, and once', async () => {
  const { id, put } = await newDevice();
  await put({ n: 0 });
  const start = await follow(id);
  expect(start).toMatchObject({ missed: 0, records: [] });
  await put({ n: 1, timestamp: '2026-03-02T20:30:00Z', deep: { 'b"': [true, 'ü'] } });
  await put([
    { n: 2, timestamp: '2001-01-01T00:00:00Z' },
    { n: 3, timestamp: '2150-01-01T00:00:00Z' },
  ]);
  const came = await follow(id, start.after);
  expect(numbers(came)).toEqual([1, 2, 3]);
  expect(came.missed).toBe(0);
  const { envelope } = await service.request('GET', `${projects}/${id}/data?page=1&limit=10&range=all`);
  expect(envelope.data).toEqual(expect.arrayContaining(came.records));
  expect(await follow(id, came.after)).toEqual({ after: came.after, missed: 0, records: [] });
  expect(numbers(await follow(id, start.after))).toEqual([1, 2, 3]);
});

test('it waits for what comes, and no longer than it was told to', async () => {
  const { id, put } = await newDevice();
  const { after } = await follow(id);
  const waiting = follow(id, after, 60_000);
  await put({ n: 7 });
  expect(numbers(await waiting)).toEqual([7]);
  const { after: now } = await follow(id);
  expect(numbers(await follow(id, now, 30))).toEqual([]);
});

test('of a payload that a thread packs the last 10,000 are there, and the others are counted', async () => {
  const { id, put } = await newDevice();
  const { after } = await follow(id);
  const many = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ n, timestamp: 1_767_225_600_000 + n * 1000 }));
  await put(many(2000));
  const first = await follow(id, after);
  expect(numbers(first)).toEqual(many(2000).map(({ n }) => n));
  await put(many(12_000));
  const second = await follow(id, first.after);
  expect(second.records.length).toBeGreaterThanOrEqual(9000);
  expect((second.missed ?? 0) + second.records.length).toBe(12_000);
  expect(numbers(second)).toEqual(
    many(12_000)
      .map(({ n }) => n)
      .slice(second.missed ?? 0),
  );
});

test('a place that the service does not know begins anew, and says so', async () => {
  const { id, put } = await newDevice();
  await follow(id);
  await put({ n: 1 });
  for (const after of ['none', `${world.note_id}.0`]) {
    const came = await follow(id, after);
    expect(came).toMatchObject({ missed: null, records: [] });
    await put({ n: 2 });
    expect(numbers(await follow(id, came.after))).toEqual([2]);
  }
});

test('deleted records are shown to nobody', async () => {
  const { id, put } = await newDevice();
  const { after } = await follow(id);
  await put([{ n: 1 }, { n: 2 }]);
  await dataOf(service, 'DELETE', `${projects}/${id}/data`);
  await put({ n: 3 });
  expect(await follow(id, after)).toMatchObject({ missed: 2, records: [{ n: 3 }] });
});

test('wrong input is named', async () => {
  const { id } = await newDevice();
  for (const [query, words] of [
    ['within_ms=60001', 'within_ms must be a whole number from 0 to 60000'],
    ['within_ms=soon', 'within_ms must be a whole number'],
  ] as const) {
    const { status, envelope } = await service.request('GET', `${pathOf(id)}?${query}`);
    expect([status, envelope.message]).toEqual([400, expect.stringContaining(words)]);
  }
  expect((await service.request('GET', pathOf(id), { key: world.strangers_key })).status).toBe(403);
});

describe('whatever comes between the questions of any number of readers', () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ put: fc.integer({ min: 1, max: 40 }) }) },
    { weight: 4, arbitrary: fc.record({ ask: fc.nat({ max: 2 }) }) },
    { weight: 1, arbitrary: fc.constant({ purge: true }) },
  );

  test('each gets each record once, in order, or its count', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const { id, put } = await newDevice();
        const first = await follow(id);
        const readers = [0, 1, 2].map(() => ({ after: first.after, seen: 0 }));
        let [next, purgedTo] = [0, 0];
        for (const one of steps) {
          if ('put' in one) {
            await put(Array.from({ length: one.put }, () => ({ n: next++ })));
          } else if ('purge' in one) {
            await dataOf(service, 'DELETE', `${projects}/${id}/data`);
            purgedTo = next;
          } else {
            const reader = readers[one.ask]!;
            const came = await follow(id, reader.after);
            const from = Math.max(reader.seen, purgedTo);
            expect(came.missed).toBe(from - reader.seen);
            expect(numbers(came)).toEqual(Array.from({ length: next - from }, (_, i) => from + i));
            Object.assign(reader, { after: came.after, seen: next });
          }
        }
      }),
      { numRuns: someRuns(80) },
    );
  });
});
