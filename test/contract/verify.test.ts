import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ExplainedRequest, SeenRequest, Verification } from '#shared/operations/service/requests.ts';
import { mqttWorld, signedIn, type Device, type MqttWorld } from './mqtt/world.ts';
import { someRuns } from '../helpers/some-runs.ts';
import { createWorld, dataOf, type World } from './world.ts';

/* docs/rigs.md, "What was asked": requests that are verified, explained and cleared. */

let service: MqttWorld;
let world: World;
let other: Device;

beforeAll(async () => {
  // Each service remembers the requests that it was sent itself.
  service = await mqttWorld({}, { isAlone: true });
  world = await createWorld(service);
  other = await service.makeDevice('http');
});
afterAll(() => service.stop());
beforeEach(() => dataOf(service, 'POST', '/_local/v1/requests/clear', {}));

const store = (body: unknown, key = world.device_token) =>
  service.request('POST', '/integrations/http', { key, body });
const verify = async (body: unknown): Promise<Verification> =>
  (await dataOf(service, 'POST', '/_local/v1/requests/verify', body)) as unknown as Verification;
const refused = async (body: unknown): Promise<string> => {
  const { status, envelope } = await service.request('POST', '/_local/v1/requests/verify', { body });
  expect(status).toBe(400);
  return envelope.message;
};
const listed = async () =>
  (await dataOf(service, 'GET', '/_local/v1/requests')) as unknown as readonly SeenRequest[];

test('requests are counted by what they are, and by what is in them', async () => {
  await store({ temperature: 21.5, state: 'idle' });
  await store([{ temperature: 35 }, { temperature: 12 }]);
  await store({ temperature: 22 }, other.token);
  await service.request('GET', '/v2/projects');
  const ingest = { operation: 'ingest' };
  expect(await verify({ match: ingest, count: 3 })).toEqual({ matched: true, count: 3 });
  expect(await verify({ match: { ...ingest, device_id: world.device_id }, count: 2 })).toMatchObject({
    matched: true,
  });
  expect(
    await verify({ match: { path: '/v2/', method: 'GET', status: 'accepted' }, count: 1 }),
  ).toMatchObject({
    matched: true,
  });
  expect(
    await verify({ match: { operation: 'projects.list', status: 200 }, count: { min: 1 } }),
  ).toMatchObject({
    matched: true,
  });
  const hot = { match: ingest, body: { temperature: { gt: 30 } } };
  expect(await verify({ ...hot, count: 1 })).toEqual({ matched: true, count: 1 });
  expect(await verify({ ...hot, count: { max: 0 } })).toEqual({ matched: false, count: 1 });
  expect(await verify({ match: ingest, body: { state: { matches: '^id' } }, count: 1 })).toMatchObject({
    matched: true,
  });
  // A path that begins with an index is of the array.
  expect(await verify({ match: ingest, body: { '1.temperature': 12 }, count: 1 })).toEqual({
    matched: true,
    count: 1,
  });
  // One record has to be all of it.
  const both = { temperature: { gt: 30 }, state: 'idle' };
  expect(await verify({ match: ingest, body: both, count: 0 })).toEqual({ matched: true, count: 0 });
});

test('what came nearest is told in words', async () => {
  await store({ temperature: 21.5 });
  await store({ temperature: 35, state: 'on' }, 'unknown');
  const found = await verify({
    match: { operation: 'ingest', status: 'accepted' },
    body: { temperature: { gt: 30, lt: 40 }, state: 'on' },
    count: 1,
  });
  expect(found).toMatchObject({ matched: false, count: 0 });
  expect(found.nearest?.map(({ differs }) => differs)).toEqual([
    // Of who is not known the body is not kept.
    ['status: "refused" is not "accepted"', 'body: there is none'],
    ['body.temperature: 21.5 is not > 30', 'body.state is missing'],
  ]);
  expect(found.nearest?.[1]?.request).toMatchObject({ device_id: world.device_id, operation: 'ingest' });
});

test('requests that are still to come are waited for, and no longer than asked for', async () => {
  const waiting = verify({ match: { device_id: other.id }, count: 2, within_ms: 30_000 });
  await store({ a: 1 }, other.token);
  await store({ a: 2 });
  await store({ a: 3 }, other.token);
  expect(await waiting).toEqual({ matched: true, count: 2 });
  // More than enough does not become less.
  expect(await verify({ match: { device_id: other.id }, count: 1, within_ms: 60_000 })).toEqual({
    matched: false,
    count: 2,
  });
  expect(await verify({ match: { device_id: other.id }, count: 3, within_ms: 50 })).toMatchObject({
    matched: false,
    count: 2,
  });
});

test('an order is of requests with any others between', async () => {
  await store({ a: 1 });
  await service.request('GET', '/v2/projects');
  await store({ a: 2 }, other.token);
  const [first, second] = [{ device_id: world.device_id }, { device_id: other.id }];
  expect(await verify({ count: { min: 0 }, order: [first, second] })).toMatchObject({ matched: true });
  expect(await verify({ count: { min: 0 }, order: [second, first] })).toMatchObject({ matched: false });
});

test('packets of MQTT are requests, and a burst is counted whole', async () => {
  const device = await service.makeDevice();
  const client = await signedIn(service, device, 5);
  for (let n = 1; n <= 30; n++) {
    const message = { topic: device.id, payload: `{"n":${n}}`, qos: 1, dup: false, retain: false } as const;
    client.send({ cmd: 'publish', ...message, messageId: n });
    await client.next();
  }
  client.end();
  const match = { door: 'mqtt', method: 'PUBLISH', device_id: device.id };
  expect(await verify({ match, count: 30, within_ms: 30_000 })).toEqual({ matched: true, count: 30 });
});

test('a request says which rule its answer followed, and a shell sends it again by its line', async () => {
  await store({ "it's": 1 });
  const [seen] = await listed();
  const about = (await dataOf(
    service,
    'GET',
    `/_local/v1/requests/${seen?.id}`,
  )) as unknown as ExplainedRequest;
  expect(about).toMatchObject({
    operation: 'ingest',
    rule: { section: 'docs/api.md, How devices store data' },
    response_head: expect.stringContaining('"stored":1') as string,
  });
  const env = { ...process.env, TOKEN: world.device_token };
  const { stdout } = await promisify(execFile)('sh', ['-c', `${about.curl} -s`], { env });
  expect(JSON.parse(stdout)).toMatchObject({ success: true, data: { stored: 1 } });
  await store({}, 'unknown');
  const [last] = await listed();
  const refusal = await dataOf(service, 'GET', `/_local/v1/requests/${last?.id}`);
  expect(refusal).toMatchObject({ rule: { section: 'docs/api.md, Access' } });
  const unknown = await service.request('GET', '/_local/v1/requests/1000000');
  expect([unknown.status, unknown.envelope.message]).toEqual([404, 'Request not found.']);
});

test('no answer that is kept shows a token', async () => {
  const made = await service.request('POST', `/v2/projects/${world.project_id}/devices`, {
    body: { name: 'D', source: 'http' },
  });
  const { device_token } = (made.envelope.data as unknown as { metadata: { device_token: string } }).metadata;
  const [seen] = await listed();
  expect(seen?.response_head).toContain('Device created successfully.');
  for (let at = 0; at + 8 < device_token.length; at++)
    expect(JSON.stringify(seen)).not.toContain(device_token.slice(at, at + 8));
});

describe('what cannot be verified', () => {
  test.each([
    [{}, 'count is required: it must be a whole number from 0, or an object of min and max'],
    [{ count: -1 }, 'count must be'],
    [{ count: 1, match: { verb: 'GET' } }, 'match must be an object of door, operation'],
    [{ count: 1, match: { door: 'window' } }, 'match.door must be'],
    [{ count: { min: 3, max: 1 } }, 'count.min must not be more than max, got 3'],
    [
      { count: 0, match: { operation: 'ingset' } },
      'match.operation must be the operationId of an operation in the OpenAPI document, or "ingest", got "ingset": did you mean "ingest"?',
    ],
    [{ count: 0, order: [{}, { operation: 'none of them' }] }, 'order.1.operation must be the operationId'],
    [{ count: 0, match: { method: 'get' } }, 'match.method must be a method such as "POST"'],
    [{ count: 1, within_ms: 60_001 }, 'within_ms must be a whole number from 0 to 60000'],
    [{ count: 1, body: { a: { above: 1 } } }, 'body.a must be a value'],
    [{ count: 1, body: { a: { matches: '(' } } }, 'body.a.matches must be a regular expression'],
  ])('%j', async (body, says) => {
    expect(await refused(body)).toContain(says);
  });

  test('an expression that would never end ends the verification, not the service', async () => {
    await store({ text: `${'a'.repeat(36)}!` });
    expect(await refused({ count: 1, body: { text: { matches: '^(a+)+$' } } })).toContain(
      'body.text.matches must be a regular expression that ends in 50 ms',
    );
    expect((await service.request('GET', '/v2/projects')).status).toBe(200);
  });
});

test('a world sees and clears its own requests alone', async () => {
  await store({ a: 1 });
  const key = world.strangers_key;
  const ask = async (path: string, body: unknown) =>
    (await service.request('POST', path, { key, body })).envelope.data as unknown;
  expect(await ask('/_local/v1/requests/verify', { count: 0 })).toEqual({ matched: true, count: 0 });
  await service.request('GET', '/v2/projects', { key });
  expect(await ask('/_local/v1/requests/verify', { count: 1 })).toEqual({ matched: true, count: 1 });
  expect(await ask('/_local/v1/requests/clear', {})).toEqual({ cleared: 1 });
  expect(await ask('/_local/v1/requests/verify', { count: 0 })).toEqual({ matched: true, count: 0 });
  expect(await verify({ match: { device_id: world.device_id }, count: 1 })).toMatchObject({ matched: true });
  const [own] = await listed();
  expect((await service.request('GET', `/_local/v1/requests/${own?.id}`, { key })).status).toBe(403);
});

test('any conditions on any bodies count what a plain reading of them counts', async () => {
  const value = fc.oneof(fc.integer({ min: 0, max: 4 }), fc.constantFrom('on', 'off', 'x.y'), fc.boolean());
  const record = fc.dictionary(fc.constantFrom('a', 'b', 'c'), value, { minKeys: 1 });
  const condition = fc.oneof(
    value,
    fc.constantFrom('^o', '.').map((matches) => ({ matches })),
    fc.record(
      { gt: fc.integer({ min: 0, max: 4 }), lte: fc.integer({ min: 0, max: 4 }) },
      { requiredKeys: ['gt'] },
    ),
  );
  const holds = (is: unknown, wanted: unknown): boolean => {
    if (typeof wanted !== 'object' || wanted === null) return is === wanted;
    if ('matches' in wanted) return typeof is === 'string' && new RegExp(String(wanted.matches)).test(is);
    const { gt, lte = Infinity } = wanted as { gt: number; lte?: number };
    return typeof is === 'number' && is > gt && is <= lte;
  };
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(record, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 8 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'c'), condition, { maxKeys: 2 }),
      async (bodies, body) => {
        await dataOf(service, 'POST', '/_local/v1/requests/clear', {});
        for (const records of bodies) await store(records);
        const expected = bodies.filter((records) =>
          records.some((each) =>
            Object.entries(body).every(([key, wanted]) => key in each && holds(each[key], wanted)),
          ),
        ).length;
        const found = await verify({ match: { operation: 'ingest' }, body, count: bodies.length + 1 });
        expect(found.count).toBe(expected);
      },
    ),
    { numRuns: someRuns(200) },
  );
});
