import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runService, type RunningService } from '../helpers/running-service.ts';

/* Devices as people look for them (docs/api.md, "Beyond /v2"). */

let service: RunningService;
let project: string;
let pump: { id: string; token: string };

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const { envelope } = await service.request(method, path, { body });
  expect(envelope).toMatchObject({ success: true });
  return envelope.data as T;
}

async function make(name: string, more: object = {}): Promise<{ id: string; token: string }> {
  const made = await call<{ id: string; metadata: { device_token: string } }>(
    'POST',
    `/v2/projects/${project}/devices`,
    { name, source: 'http', ...more },
  );
  return { id: made.id, token: made.metadata.device_token };
}

const find = (query = '') => service.request('GET', `/_local/v1/projects/${project}/devices${query}`);

async function names(query: string): Promise<string[]> {
  const { envelope } = await find(query);
  return (envelope.data as unknown as { name: string }[]).map(({ name }) => name);
}

beforeAll(async () => {
  service = await runService();
  project = (await call<{ id: string }>('POST', '/_local/v1/projects', { name: 'Hall' })).id;
  pump = await make('Pump 2', { tags: ['line-3', 'cold'], brand: 'Acme', model: 'T10' });
  await make('Pump 10', { tags: ['line-3'], source: 'mqtt', description: 'Señal del depósito' });
  await make('Fan', { tags: ['line-30'] });
});
afterAll(() => service.stop());

describe('devices are found', () => {
  test.each([
    ['?search=line-3&sort=name', ['Fan', 'Pump 2', 'Pump 10']],
    ['?search=acme%20t10', ['Pump 2']],
    ['?search=deposito', ['Pump 10']],
    ['?tags=line-3', ['Pump 10', 'Pump 2']],
    ['?tags=line-3,%20cold', ['Pump 2']],
    ['?tags=line', []],
    ['?source=mqtt', ['Pump 10']],
    ['?sort=created', ['Fan', 'Pump 10', 'Pump 2']],
    ['?search=nowhere', []],
  ])('by %s', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  test('by their id', async () => {
    expect(await names(`?search=${pump.id.toUpperCase()}`)).toEqual(['Pump 2']);
    expect(await names(`?search=${pump.id.slice(0, 8)}`)).toEqual(['Pump 2']);
    // A number that is searched for is not one that happens to occur in an id.
    expect(await names(`?search=${pump.id.slice(9)}`)).toEqual([]);
    expect(await names(`?search=${pump.id.slice(0, 4)}x`)).toEqual([]);
  });

  test('a page at a time, with the total and links that lead on', async () => {
    const first = await find('?search=pump&sort=name&limit=1');
    expect(first.headers.get('x-total-count')).toBe('2');
    const next = /<([^>]*)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const second = await service.request('GET', next);
    expect([first, second].map(({ envelope }) => envelope.data)).toMatchObject([
      [{ name: 'Pump 2' }],
      [{ name: 'Pump 10' }],
    ]);
    expect((await find('?page=9')).envelope.data).toEqual([]);
  });

  test('with what tells them from others, and how much they hold', async () => {
    const stored = await fetch(`${service.service.base_url}/integrations/http`, {
      method: 'POST',
      headers: { authorization: `Bearer ${pump.token}`, 'content-type': 'application/json' },
      body: '[{"timestamp":"2014-02-03T04:05:06Z","bar":1},{"timestamp":"2013-01-01T00:00:00Z","bar":2}]',
    });
    expect(stored.status).toBe(200);
    const { data } = (await find()).envelope;
    const [latest, other] = data as unknown as object[];
    expect(latest).toEqual({
      id: pump.id,
      name: 'Pump 2',
      description: '',
      brand: 'Acme',
      model: 'T10',
      avatar: expect.any(String),
      last_seen: expect.stringMatching(/^20[2-9]/),
      tags: ['line-3', 'cold'],
      source: 'http',
      records: 2,
      newest: '2014-02-03T04:05:06.000000Z',
    });
    expect(other).toMatchObject({ records: 0, newest: null });
  });

  test.each([
    ['?sort=size', 'sort must be "seen", "created" or "name", got "size"'],
    ['?limit=0', 'limit must be a whole number from 1 to 10000, got "0"'],
    ['?source=usb', 'source must be "http" or "mqtt", got "usb"'],
  ])('not by %s, and told why', async (query, message) => {
    expect((await find(query)).envelope).toMatchObject({ status: 400, message });
  });
});
