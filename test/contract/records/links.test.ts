import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { createWorld, type World } from '../world.ts';

/* The links of a page can be followed and mean what was asked, whatever valid query they come from (RFC 8288). */

let service: RunningService;
let world: World;
let path: string;

/** 40 records: most of a day in 2026, and the first and last that a record may be. */
const STORED = [
  '1700-01-01T00:00:00.000000Z',
  ...Array.from({ length: 38 }, (_, i) => `2026-01-01T00:00:${String(i).padStart(2, '0')}.000001Z`),
  '2200-12-31T23:59:59.999999Z',
].map((timestamp, n) => ({ timestamp, n, [`k ${n % 3}`]: 1 }));

beforeAll(async () => {
  service = await runService();
  world = await createWorld(service);
  path = `/v2/projects/${world.project_id}/devices/${world.device_id}/data`;
  await service.request('DELETE', path);
  const stored = await service.request('POST', '/integrations/http', {
    key: world.device_token,
    body: STORED,
  });
  expect(stored.envelope).toMatchObject({ data: { stored: STORED.length } });
});
afterAll(() => service.stop());

interface Page {
  readonly records: readonly unknown[];
  readonly total: string | null;
  readonly links: Readonly<Record<string, string>>;
}

async function read(target: string): Promise<Page> {
  const { status, envelope, headers } = await service.request('GET', target);
  expect([status, target]).toEqual([200, target]);
  const links = (headers.get('link') ?? '').matchAll(/<([^>]+)>; rel="(\w+)"/g);
  return {
    records: envelope.data as unknown as unknown[],
    total: headers.get('x-total-count'),
    links: Object.fromEntries([...links].map(([, address = '', relation = '']) => [relation, address])),
  };
}

/** All pages from this one on, by one relation. */
async function follow(from: Page, relation: 'next' | 'prev'): Promise<Page[]> {
  const pages = [from];
  for (let target = from.links[relation]; target !== undefined; target = pages.at(-1)?.links[relation])
    pages.push(await read(target));
  return pages;
}

const digits = (length: number) => (value: number) => String(value).padStart(length, '0');
const year = fc.oneof(
  fc.constantFrom('0000', '0001', '1699', '1700', '2026', '2200', '2201', '2256', '9998', '9999'),
  fc.integer({ min: 0, max: 9999 }).map(digits(4)),
);
const instant = fc
  .tuple(
    year,
    fc.constantFrom('-01-01T00:00:00', '-01-01T00:00:20', '-12-31T23:59:59', '-06-15T12:30:30'),
    fc.option(fc.stringMatching(/^\d{1,9}$/), { nil: undefined }),
    fc.constantFrom('Z', '+00:00', '-00:30', '+14:00', '-23:59', '+23:59'),
  )
  .map(([y, rest, fraction, zone]) => `${y}${rest}${fraction === undefined ? '' : `.${fraction}`}${zone}`);
/** One after the other in the order of their moments; equal ones are a range too. */
const span = fc
  .tuple(instant, instant)
  .map((ends) => ends.toSorted((a, b) => Date.parse(iso(a)) - Date.parse(iso(b))))
  // A range has to begin before it ends by more than what Date drops.
  .filter(([a = '', b = '']) => a === b || Date.parse(iso(a)) < Date.parse(iso(b)));
const iso = (text: string) => text.replace(/\.(\d{1,3})\d*/, '.$1');

const query = fc.record({
  limit: fc.integer({ min: 1, max: 50 }),
  keys: fc.option(fc.constantFrom('n', ' n ,, k 1 ', ' ', 'k 0,k 2,nothing', 'ü&=#%,n', ','), {
    nil: undefined,
  }),
  range: fc.option(span, { nil: undefined }),
});

test('from any page, next and prev lead through all records of the query, once each', async () => {
  await fc.assert(
    fc.asyncProperty(query, fc.nat({ max: 60 }), async ({ limit, keys, range }, skip) => {
      const asked = new URLSearchParams({ limit: String(limit), range: range ? 'time' : 'all' });
      for (const [i, name] of range ? ['start', 'end'].entries() : []) asked.append(name, range?.[i] ?? '');
      if (keys !== undefined) asked.append('keys', keys);
      const at = (page: number, size = limit) => {
        const own = new URLSearchParams(asked);
        own.set('page', String(page));
        own.set('limit', String(size));
        return `${path}?${own.toString()}`;
      };
      const all = (await read(at(1, 10_000))).records;
      const start = await read(at(1 + skip));
      const first = await read(start.links['first'] ?? 'none');
      const last = await read(start.links['last'] ?? 'none');
      const forwards = await follow(first, 'next');
      const backwards = await follow(last, 'prev');
      expect(forwards.flatMap(({ records }) => records)).toEqual(all);
      expect(backwards.toReversed().flatMap(({ records }) => records)).toEqual(all);
      for (const page of [start, ...forwards, ...backwards]) expect(page.total).toBe(String(all.length));
      // Also from beyond the end.
      expect((await follow(start, 'prev')).at(-1)?.records).toEqual(first.records);
    }),
    { numRuns: 60 },
  );
});

test.each([
  ['2020-01-01T00:00:00Z', '9999-12-31T23:59:59.999999Z'],
  ['2020-01-01T00:00:00Z', '9999-12-31T23:59:59-01:00'],
  ['0000-01-01T00:00:00+01:00', '2030-01-01T00:00:00Z'],
  ['0001-01-01T00:00:00.000123Z', '9999-12-31T23:59:59.999Z'],
])('from %s to %s, the bounds stay as they were written', async (start, end) => {
  const asked = new URLSearchParams({ page: '1', limit: '1', range: 'time', start, end });
  const { links } = await read(`${path}?${asked.toString()}`);
  const next = new URL(links['next'] ?? 'none', 'http://host').searchParams;
  expect([next.get('start'), next.get('end'), next.get('page')]).toEqual([start, end, '2']);
  await read(links['next'] ?? 'none');
});

test('are left out where they would be too long for clients, and the total stays', async () => {
  const keysOf = (count: number) => Array.from({ length: count }, (_, i) => `temperature_${i}`).join(',');
  const short = await read(`${path}?page=2&limit=10&range=all&keys=${keysOf(20)}`);
  expect(Object.keys(short.links)).toEqual(['first', 'prev', 'next', 'last']);
  const long = await read(`${path}?page=2&limit=10&range=all&keys=${keysOf(150)}`);
  expect(long).toMatchObject({ links: {}, total: String(STORED.length) });
  expect(long.records).toHaveLength(10);
});

test('keys that only a window can name break nothing', async () => {
  const input = {
    project_id: world.project_id,
    device_id: world.device_id,
    page: 1,
    limit: 1,
    range: 'all',
    keys: '\ud800',
  } as const;
  expect(await service.bridge.call('data.list', input)).toMatchObject({
    status: 200,
    data: [{ timestamp: STORED.at(-1)?.timestamp }],
  });
});
