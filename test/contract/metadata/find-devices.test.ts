import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSystemClock } from '#core/base/system-clock.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';

/* Devices as people look for them (docs/local-api.md, "Beyond /v2"). */

/** Held still where a test moves it. */
const system = createSystemClock();
const clock = { ...system };
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
  service = await runService({}, { clock });
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
    ['?any_tags=cold,line-30&sort=name', ['Fan', 'Pump 2']],
    ['?not_tags=cold&sort=name', ['Fan', 'Pump 10']],
    ['?tags=line-3&not_tags=cold', ['Pump 10']],
    ['?status=never&sort=name', ['Fan', 'Pump 2', 'Pump 10']],
    ['?status=late', []],
    ['?outside=true', []],
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
      status: 'online',
      interval_s: null,
      values: [
        { key: 'bar', value: 1, timestamp: '2014-02-03T04:05:06.000000Z', outside: false, corrected: false },
      ],
      outside: false,
      corrected: false,
    });
    expect(other).toMatchObject({ records: 0, newest: null, status: 'never', values: [] });
    expect(await names(`?ids=${pump.id},nobody`)).toEqual(['Pump 2']);
    expect(await names('?sort=records')).toEqual(['Pump 2', 'Fan', 'Pump 10']);
  });

  test('with the last values of the keys that are asked for, else of those that measure something', async () => {
    const { id, token } = await make('Weather', { tags: ['roof'] });
    const store = (body: unknown) => service.request('POST', '/integrations/http', { key: token, body });
    await store({ timestamp: '2026-01-01T00:00:00Z', battery: 3.5, wind: 4, state: 'calm', open: true });
    await store({
      timestamp: '2026-01-01T00:01:00Z',
      battery: 3.4,
      temperature: 20.5,
      text: 'é'.repeat(300),
    });
    const valuesOf = async (query: string) => {
      const { data } = (await find(`?ids=${id}${query}`)).envelope;
      const [{ values } = { values: [] }] = data as unknown as {
        values: { key: string; value: unknown }[];
      }[];
      return values.map(({ key, value }) => [key, value]);
    };
    expect(await valuesOf('')).toEqual([
      ['temperature', 20.5],
      ['wind', 4],
      ['open', true],
    ]);
    expect(await valuesOf('&keys=state,%20battery,none')).toEqual([
      ['state', 'calm'],
      ['battery', 3.4],
    ]);
    expect(await valuesOf('&values=1')).toEqual([['temperature', 20.5]]);
    expect(await valuesOf('&values=0')).toEqual([]);
    expect(await valuesOf('&keys=text')).toEqual([['text', `${'é'.repeat(199)}…`]]);
  });

  test('by how long they have been silent: twice their interval, or a quarter of an hour', async () => {
    const { id, token } = await make('Clockwork', { tags: ['silent'] });
    const statusAt = async (seconds: number) => {
      clock.now = () => began + seconds * 1_000_000;
      const { data } = (await find('?tags=silent')).envelope;
      return (data as unknown as { status: string }[])[0]?.status;
    };
    const began = clock.now();
    const hold = (fields: object) => call('PATCH', `/_local/v1/projects/${project}/devices/${id}`, fields);
    expect(await statusAt(0)).toBe('never');
    // A recording of it is no sign of life.
    await service.request('POST', '/integrations/http', { key: token, body: { bar: 1 } });
    expect(await statusAt(15 * 60)).toBe('online');
    expect(await statusAt(15 * 60 + 1)).toBe('late');
    expect(await hold({ interval_s: 3600 })).toMatchObject({ interval_s: 3600 });
    expect(await statusAt(7200)).toBe('online');
    expect(await statusAt(7201)).toBe('late');
    expect(await names('?status=late')).toContain('Clockwork');
    expect(await names('?sort=status')).toEqual(expect.arrayContaining(['Clockwork']));
    expect(await hold({ interval_s: null })).toMatchObject({ interval_s: null });
    expect(await statusAt(901)).toBe('late');
    const shown = await call('GET', `/v2/projects/${project}/devices/${id}`);
    expect(shown).not.toHaveProperty('interval_s');
    clock.now = () => began;
  });

  test('by last values that lie outside of the normal range of their keys', async () => {
    const settings = (id: string, more: object) =>
      call('PATCH', `/_local/v1/projects/${project}/devices/${id}/key-settings`, { key: 'bar', ...more });
    await settings(pump.id, { low: 1, high: null });
    expect(await names('?outside=true')).toEqual([]);
    await settings(pump.id, { high: 1.5 });
    // Of two records it is the newest that counts.
    expect(await names('?outside=true')).toEqual([]);
    await settings(pump.id, { high: 0.5, low: null });
    expect(await names('?outside=true')).toEqual(['Pump 2']);
    expect(await names('?outside=false')).not.toContain('Pump 2');
    const { data } = (await find(`?ids=${pump.id}&keys=none`)).envelope;
    expect(data).toMatchObject([{ outside: true, values: [] }]);
    const shown = (await find(`?ids=${pump.id}`)).envelope.data;
    expect(shown).toMatchObject([{ values: [{ key: 'bar', outside: true }] }]);
  });

  test('and projects, with how their devices are', async () => {
    const { data } = (await service.request('GET', '/_local/v1/projects')).envelope;
    const [hall] = data as unknown as Record<string, number>[];
    const { devices, online, late, never, outside, records } = hall ?? {};
    expect(devices).toBe(5);
    expect((online ?? 0) + (late ?? 0) + (never ?? 0)).toBe(devices);
    expect({ never, outside, records }).toEqual({ never: 2, outside: 1, records: 5 });
  });

  test.each([
    ['?sort=size', 'sort must be "seen", "created", "name", "status" or "records", got "size"'],
    ['?limit=0', 'limit must be a whole number from 1 to 10000, got "0"'],
    ['?keys=a,b,c,d', 'keys must be at most 3 data keys, got "a,b,c,d"'],
    ['?status=gone', 'status must be "late", "never" or "online", got "gone"'],
    ['?source=usb', 'source must be "http" or "mqtt", got "usb"'],
  ])('not by %s, and told why', async (query, message) => {
    expect((await find(query)).envelope).toMatchObject({ status: 400, message });
  });
});
