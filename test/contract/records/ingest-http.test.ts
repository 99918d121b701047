import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  runService,
  type RequestOptions,
  type RunningService,
} from '../../helpers/service/running-service.ts';
import { createWorld, type World } from '../world.ts';

/* POST /integrations/http (docs/api.md, "How devices store data"). */

let service: RunningService;
let world: World;
let dataPath: string;

beforeAll(async () => {
  service = await runService();
  world = await createWorld(service);
  dataPath = `/v2/projects/${world.project_id}/devices/${world.device_id}/data`;
});
beforeEach(() => service.request('DELETE', dataPath));
afterAll(() => service.stop());

const store = (options: RequestOptions) =>
  service.request('POST', '/integrations/http', { key: world.device_token, ...options });
const stored = async () =>
  (await service.request('GET', `${dataPath}?page=1&limit=100&range=all`)).envelope.data as unknown;

describe('stores', () => {
  test('one object, with the time of receipt', async () => {
    const before = Date.now();
    expect(
      (await store({ body: { temperature: 20.5, on: true, state: 'idle', gone: null } })).envelope,
    ).toEqual({
      success: true,
      action: 'store data',
      status: 200,
      message: 'Data stored successfully.',
      data: { stored: 1 },
    });
    const [record] = (await stored()) as { timestamp: string }[];
    expect(record).toEqual({ timestamp: expect.any(String), temperature: 20.5, on: true, state: 'idle' });
    const received = Date.parse(record?.timestamp ?? '');
    expect(received).toBeGreaterThanOrEqual(before - 10);
    expect(received).toBeLessThanOrEqual(Date.now() + 10);
  });

  test('nested values, flattened', async () => {
    await store({
      body: { timestamp: '2026-01-01T00:00:00Z', room: { air: { co2: 400 } }, list: [1, { deep: 'x' }] },
    });
    expect(await stored()).toEqual([
      { timestamp: '2026-01-01T00:00:00.000000Z', 'list.0': 1, 'list.1.deep': 'x', 'room.air.co2': 400 },
    ]);
  });

  test('arrays and lines, in any order, sorted when read', async () => {
    expect(
      (
        await store({
          body: [
            { timestamp: 2000, a: 1 },
            { timestamp: '1969-12-31T23:59:59.999999Z', a: 2 },
          ],
        })
      ).envelope.data,
    ).toEqual({ stored: 2 });
    const bytes = '{"timestamp":1000,"a":3}\r\n\n{"timestamp":1000,"a":4}';
    expect((await store({ raw: { type: 'application/x-ndjson', bytes } })).envelope.data).toEqual({
      stored: 2,
    });
    expect(await stored()).toEqual([
      { timestamp: '1970-01-01T00:00:02.000000Z', a: 1 },
      { timestamp: '1970-01-01T00:00:01.000000Z', a: 4 },
      { timestamp: '1970-01-01T00:00:01.000000Z', a: 3 },
      { timestamp: '1969-12-31T23:59:59.999999Z', a: 2 },
    ]);
  });

  test.each(['Basic', 'Bearer', 'basic'])('with the token as %s', async (scheme) => {
    const authorization = `${scheme} ${world.device_token}`;
    expect((await store({ key: null, headers: { authorization }, body: { a: 1 } })).status).toBe(200);
  });

  test('from hundreds of writers at once', async () => {
    const answers = await Promise.all(Array.from({ length: 300 }, (_, a) => store({ body: { a } })));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(
      (await service.request('GET', `${dataPath}?page=1&limit=1&range=all`)).headers.get('x-total-count'),
    ).toBe('300');
  });
});

describe('an Idempotency-Key', () => {
  const records = async () => ((await stored()) as { n: number }[]).map(({ n }) => n);
  const send = (key: string, body: object) => store({ headers: { 'Idempotency-Key': key }, body });

  test('stores a request once, and answers as the first time', async () => {
    const first = await send('once-1', [{ n: 1 }, { n: 2 }]);
    expect(first.envelope).toMatchObject({
      status: 200,
      message: 'Data stored successfully.',
      data: { stored: 2 },
    });
    expect((await send('once-1', [{ n: 1 }, { n: 2 }])).envelope).toEqual(first.envelope);
    expect((await send('"once-1"', [{ n: 1 }, { n: 2 }])).envelope).toEqual(first.envelope);
    expect((await send('once-2', { n: 3 })).envelope.status).toBe(200);
    expect(await records()).toEqual([3, 2, 1]);
  });

  test('is not asked what the body was, which is checked all the same', async () => {
    await send('other', { n: 1 });
    expect((await send('other', { n: 2 })).envelope).toMatchObject({ status: 200, data: { stored: 1 } });
    expect((await send('other', [])).envelope.status).toBe(400);
    expect(await records()).toEqual([1]);
  });

  test('of many requests at the same time stores one', async () => {
    const sent = await Promise.all(Array.from({ length: 10 }, () => send('together', { n: 1 })));
    expect(sent.map(({ envelope }) => envelope.status)).toEqual(Array(10).fill(200));
    expect(await records()).toEqual([1]);
  });

  test('whose request was refused stores what comes with it next', async () => {
    expect((await send('refused', { n: [] })).envelope.status).toBe(400);
    await send('refused', { n: 1 });
    expect(await records()).toEqual([1]);
  });

  test('outlives a purge: what was purged does not come back', async () => {
    await send('purged', { n: 1 });
    await service.request('DELETE', dataPath);
    expect((await send('purged', { n: 1 })).envelope.status).toBe(200);
    expect(await records()).toEqual([]);
  });

  test.each([
    ['', 'empty'],
    ['""', 'empty in quotes'],
    ['a b', 'a blank'],
    ['"a', 'half a quote'],
    ['"a";p=1', 'parameters'],
    ['ä', 'not ASCII'],
    ['k'.repeat(256), 'too long'],
  ])('that is none is refused: %s (%s)', async (key) => {
    const { envelope } = await send(key, { n: 1 });
    expect(envelope.status).toBe(400);
    expect(envelope.message).toMatch(
      /^Idempotency-Key must be 1 to 255 visible ASCII characters, bare or as a string in quotes, got /,
    );
    expect(await records()).toEqual([]);
  });

  test('may be of 255 characters, with quotes in it', async () => {
    expect((await send('k'.repeat(255), { n: 1 })).envelope.status).toBe(200);
    await send('"say-\\"hi\\""', { n: 2 });
    await send('say-"hi"', { n: 2 });
    expect(await records()).toEqual([2, 1]);
  });

  test('is checked after the token', async () => {
    const { envelope } = await store({
      key: 'no-such-token',
      headers: { 'Idempotency-Key': '' },
      body: { n: 1 },
    });
    expect(envelope.status).toBe(401);
  });
});

describe('refuses', () => {
  test.each([
    [{ timestamp: '2026-01-01T00:00:00Z' }, /record 1/],
    [[{ a: 1 }, { a: Number.NaN }], /record 2/],
    [[{ a: 1 }, { 'b,c': 1 }], /record 2.*"b,c"/],
    [[{ a: 1 }, 7], /record 2.*7/],
    [{ a: 1, timestamp: 'yesterday' }, /timestamp.*"yesterday"/],
    [{ a: 1, timestamp: 1.5 }, /timestamp.*1\.5/],
    [{ a: 1, timestamp: '1699-12-31T23:59:59Z' }, /1700.*2200/],
    [{ a: { b: { c: { d: { e: 1 } } } } }, /record 1.*depth|deep/],
    [[{ a: 1 }, { a: 'x'.repeat(65_537) }], /record 2: the text of "a" must be at most 65,536 characters/],
    [[], /empty/],
  ])('%j, and stores nothing of it', async (body, message) => {
    const answer = await store({ body });
    expect(answer.envelope).toMatchObject({ success: false, action: 'store data', status: 400, data: null });
    expect(answer.envelope.message).toMatch(message);
    expect(await stored()).toEqual([]);
  });

  test.each([null, 'wrong', `fb_${'0'.repeat(40)}`])('the token %j', async (key) => {
    expect((await store({ key, body: { a: 1 } })).envelope).toMatchObject({ status: 401, data: null });
  });

  test("the service's own API key", async () => {
    expect((await store({ key: service.service.api_key, body: { a: 1 } })).status).toBe(401);
  });

  test('a device whose source is mqtt', async () => {
    const created = await service.request('POST', `/v2/projects/${world.project_id}/devices`, {
      body: { name: 'Broker', source: 'mqtt' },
    });
    const { metadata } = created.envelope.data as unknown as { metadata: { device_token: string } };
    for (const body of [{ a: 1 }, []])
      expect((await store({ key: metadata.device_token, body })).envelope).toMatchObject({
        status: 403,
        message: expect.stringContaining('MQTT'),
      });
  });

  test('the old token once a new one was issued', async () => {
    const path = `/_local/v1/projects/${world.project_id}/devices/${world.device_id}/token`;
    const { envelope } = await service.request('POST', path);
    const { device_token } = envelope.data as unknown as { device_token: string };
    expect((await store({ body: { a: 1 } })).status).toBe(401);
    expect((await store({ key: device_token, body: { a: 1 } })).status).toBe(200);
  });
});
