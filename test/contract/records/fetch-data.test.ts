import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { createWorld, type World } from '../world.ts';

/* The query rules of Fetch data (docs/api.md, "Fetch data"). */

let service: RunningService;
let world: World;

/** 25 records, a second apart, from 00:00:01 to 00:00:25; every fifth lacks the key `b`. */
const time = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, '0')}.000000Z`;
const STORED = Array.from({ length: 25 }, (_, i) => ({
  timestamp: time(i + 1),
  a: i + 1,
  ...((i + 1) % 5 !== 0 && { b: `text ${i + 1}` }),
}));

beforeAll(async () => {
  service = await runService();
  world = await createWorld(service);
  const path = `/v2/projects/${world.project_id}/devices/${world.device_id}/data`;
  await service.request('DELETE', path);
  await service.request('POST', '/integrations/http', { key: world.device_token, body: STORED });
});
afterAll(() => service.stop());

const fetchData = (query: string) =>
  service.request('GET', `/v2/projects/${world.project_id}/devices/${world.device_id}/data?${query}`);
const records = async (query: string) => {
  const { envelope } = await fetchData(query);
  expect(envelope).toMatchObject({ success: true, message: 'Device data fetched successfully.' });
  return envelope.data as unknown as Record<string, unknown>[];
};
const values = async (query: string) => (await records(query)).map(({ a }) => a);

describe('refuses', () => {
  test.each([
    ['limit=10&range=all', 'page is required: it must be a whole number from 1'],
    ['page=1&range=all', 'limit is required: it must be a whole number from 1 to 10000'],
    ['page=1&limit=10', 'range is required: it must be "all" or "time"'],
    ['page=0&limit=10&range=all', 'page must be a whole number from 1, got "0"'],
    ['page=-1&limit=10&range=all', 'page must be a whole number from 1, got "-1"'],
    ['page=1.5&limit=10&range=all', 'page must be a whole number from 1, got "1.5"'],
    ['page=1e3&limit=10&range=all', 'page must be a whole number from 1, got "1e3"'],
    ['page=&limit=10&range=all', 'page must be a whole number from 1, got ""'],
    ['page=%201&limit=10&range=all', 'page must be a whole number from 1, got " 1"'],
    ['page=1&limit=0&range=all', 'limit must be a whole number from 1 to 10000, got "0"'],
    ['page=1&limit=10001&range=all', 'limit must be a whole number from 1 to 10000, got "10001"'],
    ['page=1&page=2&limit=10&range=all', 'page must be a whole number from 1, got ["1","2"]'],
    ['page=1&limit=10&range=ALL', 'range must be "all" or "time", got "ALL"'],
    ['page=1&limit=10&range=', 'range must be "all" or "time", got ""'],
    ['page=1&limit=10&range=time', 'start is required: it must be an ISO 8601 time'],
    [`page=1&limit=10&range=time&start=${time(1)}`, 'end is required: it must be an ISO 8601 time'],
    [`page=1&limit=10&range=time&end=${time(1)}`, 'start is required: it must be an ISO 8601 time'],
    ['page=1&limit=10&range=time&start=yesterday&end=2026-01-01T00:00:00Z', 'start must be an ISO 8601 time'],
    ['page=1&limit=10&range=time&start=2026-01-01&end=2026-01-02', 'start must be an ISO 8601 time'],
    [
      'page=1&limit=10&range=time&start=2026-01-01T00:00:00&end=2026-01-02T00:00:00Z',
      'start must be an ISO 8601 time',
    ],
    [
      'page=1&limit=10&range=time&start=2026-02-30T00:00:00Z&end=2026-03-02T00:00:00Z',
      'start must be an ISO 8601 time',
    ],
    [`page=1&limit=10&range=time&start=${time(2)}&end=${time(1)}`, 'start must not be after end'],
  ])('%s', async (query, message) => {
    const { status, envelope } = await fetchData(query);
    expect(status).toBe(400);
    expect(envelope).toMatchObject({ success: false, action: 'retrieve data', status: 400, data: null });
    expect(envelope.message).toContain(message);
  });
});

describe('pages', () => {
  test('never overlap or skip', async () => {
    const pages = await Promise.all([1, 2, 3, 4].map((page) => values(`page=${page}&limit=8&range=all`)));
    expect(pages.map(({ length }) => length)).toEqual([8, 8, 8, 1]);
    expect(pages.flat()).toEqual(STORED.map(({ a }) => a).toReversed());
  });

  test('past the end are empty', async () => {
    expect(await records('page=5&limit=8&range=all')).toEqual([]);
    expect(await records(`page=${Number.MAX_SAFE_INTEGER}&limit=10000&range=all`)).toEqual([]);
  });

  test('carry totals and links in headers', async () => {
    const { headers } = await fetchData(
      `page=2&limit=5&range=time&start=${time(1)}&end=${time(12)}&keys=a,b`,
    );
    expect(headers.get('x-total-count')).toBe('12');
    const links = [...(headers.get('link') ?? '').matchAll(/<([^>]+)>; rel="(\w+)"/g)];
    expect(links.map(([, , relation]) => relation)).toEqual(['first', 'prev', 'next', 'last']);
    const followed = await Promise.all(links.map(([, target = '']) => service.request('GET', target)));
    const shown = followed.map(({ envelope }) =>
      (envelope.data as unknown as { a: number }[]).map(({ a }) => a),
    );
    expect(shown).toEqual([
      [12, 11, 10, 9, 8],
      [12, 11, 10, 9, 8],
      [2, 1],
      [2, 1],
    ]);
  });
});

describe('ranges', () => {
  test('include both ends, to the microsecond', async () => {
    expect(await values(`page=1&limit=99&range=time&start=${time(3)}&end=${time(5)}`)).toEqual([5, 4, 3]);
    const [justAfter, justBefore] = ['2026-01-01T00:00:03.000001Z', '2026-01-01T00:00:04.999999Z'];
    expect(await values(`page=1&limit=99&range=time&start=${justAfter}&end=${justBefore}`)).toEqual([4]);
  });

  test('take offsets and up to nine fraction digits', async () => {
    const query = 'start=2026-01-01T01:00:03%2B01:00&end=2025-12-31T23:30:04.000000999-00:30';
    expect(await values(`page=1&limit=99&range=time&${query}`)).toEqual([4, 3]);
  });

  test('may reach far beyond what records carry', async () => {
    const query = 'start=0001-01-01T00:00:00Z&end=9999-12-31T23:59:59Z';
    expect(await values(`page=1&limit=2&range=time&${query}`)).toEqual([25, 24]);
  });

  test('are not looked at with range=all', async () => {
    expect(await values('page=1&limit=2&range=all&start=nonsense&end=')).toEqual([25, 24]);
  });
});

describe('keys', () => {
  test('project without dropping records', async () => {
    expect(await records('page=1&limit=2&range=all&keys=b')).toEqual([
      { timestamp: time(25) },
      { timestamp: time(24), b: 'text 24' },
    ]);
  });

  test('are split at commas, trimmed, and empty ones dropped', async () => {
    const [newest] = await records('page=1&limit=1&range=all&keys=%20a%20,,%20,a,nothing');
    expect(newest).toEqual({ timestamp: time(25), a: 25 });
  });

  test.each(['keys=', 'keys=,%20,'])('"%s" means all', async (keys) => {
    const [, second] = await records(`page=1&limit=2&range=all&${keys}`);
    expect(second).toEqual({ timestamp: time(24), a: 24, b: 'text 24' });
  });
});
