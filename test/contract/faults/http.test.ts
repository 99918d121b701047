import { once } from 'node:events';
import { connect } from 'node:net';
import type { FaultsNow } from '#shared/operations/service/faults.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { startServiceProcess } from '../../helpers/service/service-process.ts';
import { createWorld, dataOf, type World } from '../world.ts';
import { clearFaults, countsOf, faultsNow, outcomeOf, RawRequest, seenBy, setFaults } from './faulty.ts';

/* docs/rigs.md, "Faults": what rules do to requests over HTTP. */

let service: RunningService;
let world: World;
let device: string;

beforeAll(async () => {
  service = await runService({}, { isAlone: true });
  world = await createWorld(service);
  device = `/v2/projects/${world.project_id}/devices/${world.device_id}`;
});
afterAll(() => service.stop());
beforeEach(() => dataOf(service, 'DELETE', `${device}/data`));
afterEach(async () => {
  await clearFaults(service);
});

const store = (body: unknown = { n: 1 }, headers: Record<string, string> = {}) =>
  service.request('POST', '/integrations/http', { key: world.device_token, body, headers });
const stored = async () =>
  ((await dataOf(service, 'GET', `${device}/data?page=1&limit=100&range=all`)) as unknown as object[]).length;
const ask = () => service.request('GET', '/v2/projects');
const rawIngest = (body = '{"n":1}') =>
  new RawRequest(service, 'POST', '/integrations/http', { key: world.device_token, body });

describe('status', () => {
  test('is an envelope of the surface that was asked, and nothing is done', async () => {
    await setFaults(service, [{ name: 'busy', do: { status: 503, retry_after_s: 7, message: 'Later.' } }]);
    const envelope = (action: string) => ({
      success: false,
      action,
      status: 503,
      message: 'Later.',
      data: null,
    });
    const local = await service.request('GET', '/_local/v1/keys');
    for (const [asked, action] of [
      [await ask(), 'get projects'],
      [await store(), 'store data'],
      [local, 'get keys'],
      [await service.request('GET', '/v2/nothing'), 'read request'],
    ] as const) {
      expect([asked.status, asked.headers.get('retry-after')]).toEqual([503, '7']);
      expect(asked.envelope).toEqual(envelope(action));
    }
    expect(countsOf(await clearFaults(service))).toEqual([[4, 4]]);
    expect(await stored()).toBe(0);
    expect((await store()).status).toBe(200);
  });

  test('may be one that the service has not itself, and says which rule it is of', async () => {
    await setFaults(service, [{ name: 'gateway', do: { status: 504 } }]);
    const { status, headers, envelope } = await ask();
    expect([status, headers.get('retry-after')]).toEqual([504, null]);
    expect(envelope.message).toBe('The fault "gateway" is switched on: it answers 504.');
    await clearFaults(service);
    const [last] = (await seenBy(service)).filter(({ fault }) => fault === 'gateway');
    expect(last).toMatchObject({ status: 504, refused: true, message: envelope.message });
    const explained = await dataOf(service, 'GET', `/_local/v1/requests/${last?.id}`);
    expect(explained).toMatchObject({ fault: 'gateway', rule: { section: 'docs/rigs.md, Faults' } });
    expect(service.logged.join('')).toContain('The fault "gateway" acts on projects.list over http.');
  });
});

test('a delay keeps a request waiting, until its rule ends at the latest', async () => {
  await setFaults(service, [{ match: { operation: 'projects.list' }, do: { delay_ms: [600_000, 600_000] } }]);
  let isAnswered = false;
  const asked = ask().finally(() => (isAnswered = true));
  // Others are not kept waiting.
  expect((await store()).status).toBe(200);
  await expect.poll(async () => countsOf(await faultsNow(service))).toEqual([[1, 1]]);
  expect(isAnswered).toBe(false);
  await clearFaults(service);
  expect((await asked).status).toBe(200);
});

test('a short delay is over by itself', async () => {
  await setFaults(service, [{ do: { delay_ms: [1, 20] } }]);
  expect((await ask()).status).toBe(200);
  expect((await store()).status).toBe(200);
  expect(countsOf(await faultsNow(service))).toEqual([[2, 2]]);
});

describe('drop', () => {
  test('leaves a request without an answer, and does nothing of it', async () => {
    await setFaults(service, [{ name: 'lost', match: { operation: 'ingest' }, do: { drop: true } }]);
    const asked = rawIngest();
    await expect.poll(async () => countsOf(await faultsNow(service))).toEqual([[1, 1]]);
    expect(asked.got.length).toBe(0);
    const left = rawIngest();
    await expect.poll(async () => countsOf(await faultsNow(service))).toEqual([[2, 2]]);
    left.leave();
    expect((await left.ended).length).toBe(0);
    await clearFaults(service);
    expect((await asked.ended).length).toBe(0);
    expect(await stored()).toBe(0);
    const [seen] = (await seenBy(service)).filter(({ fault }) => fault === 'lost');
    expect(seen).toMatchObject({ status: 0, refused: true, stored: 0, device_id: world.device_id });
  });

  test('behind the store: it is stored, and a retry with the same Idempotency-Key stores nothing twice', async () => {
    await setFaults(service, [
      { name: 'lost', match: { operation: 'ingest', first: 1 }, do: { drop: true, after_store: true } },
    ]);
    const key = { 'Idempotency-Key': '"once"' };
    const given = new AbortController();
    const { http_url, base_url } = service.service;
    const asked = fetch(`${http_url ?? base_url}/integrations/http`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.device_token}`, 'content-type': 'application/json', ...key },
      body: '{"n":1}',
      signal: given.signal,
    });
    await expect.poll(stored).toBe(1);
    given.abort();
    await expect(asked).rejects.toThrow();
    expect((await store({ n: 1 }, key)).status).toBe(200);
    expect(await stored()).toBe(1);
    const [, seen] = (await seenBy(service)).filter(({ operation }) => operation === 'ingest');
    expect(seen).toMatchObject({ fault: 'lost', status: 200, refused: false, stored: 1 });
  });

  test('takes all of a long body: its client waits for an answer alone', async () => {
    await setFaults(service, [{ match: { operation: 'ingest' }, do: { drop: true } }]);
    const asked = rawIngest(JSON.stringify(Array.from({ length: 60_000 }, (_, n) => ({ n }))));
    await expect.poll(async () => countsOf(await faultsNow(service))).toEqual([[1, 1]]);
    await clearFaults(service);
    expect((await asked.ended).length).toBe(0);
    expect(await stored()).toBe(0);
  });
});

test('refuse ends the connection at once, and nothing is done', async () => {
  await setFaults(service, [{ match: { operation: 'ingest' }, do: { refuse: true } }]);
  expect((await rawIngest().ended).length).toBe(0);
  expect(await outcomeOf(store())).toBe('lost');
  expect((await ask()).status).toBe(200);
  const { rules } = await clearFaults(service);
  // A client may try again by itself.
  expect(rules[0]!.done).toBe(rules[0]!.seen);
  expect(await stored()).toBe(0);
});

describe('cut_after_bytes', () => {
  test('sends so many bytes of the answer as it is, head and all', async () => {
    const whole = await new RawRequest(service, 'GET', '/v2/projects').ended;
    const withoutDate = (bytes: Buffer) =>
      bytes
        .toString()
        .replace(/date: [^\r]*/i, 'date: now')
        .replace(/connection: close\r\n/i, '');
    for (const most of [0, 1, 60, whole.length - 1]) {
      await setFaults(service, [{ do: { cut_after_bytes: most } }]);
      const got = await new RawRequest(service, 'GET', '/v2/projects').ended;
      expect(got.length).toBe(most);
      if (most > 200) expect(withoutDate(whole)).toContain(withoutDate(got));
    }
    await setFaults(service, [{ do: { cut_after_bytes: whole.length + 1000 } }]);
    expect((await ask()).status).toBe(200);
    await setFaults(service, [{ do: { cut_after_bytes: 150 } }]);
    expect(await outcomeOf(ask())).toBe('lost');
  });

  test('cuts an export that is made while it is sent', async () => {
    await dataOf(service, 'POST', '/_local/v1/requests/clear', {});
    await store(Array.from({ length: 5000 }, (_, n) => ({ n, text: `record ${n}` })));
    const path = `/_local/v1/projects/${world.project_id}/devices/${world.device_id}/records?format=csv`;
    await setFaults(service, [{ do: { cut_after_bytes: 20_000 } }]);
    expect((await new RawRequest(service, 'GET', path).ended).length).toBe(20_000);
    await clearFaults(service);
    const { status, text } = await service.request('GET', path);
    expect([status, text.split('\n').length]).toEqual([200, 5002]);
  });

  test('loses the answer of what was stored, once', async () => {
    await setFaults(service, [
      { match: { operation: 'ingest', first: 1 }, do: { cut_after_bytes: 0, after_store: true } },
    ]);
    const key = { 'Idempotency-Key': '"again"' };
    const first = await outcomeOf(store({ n: 2 }, key));
    expect(['lost', 200]).toContain(first);
    expect((await store({ n: 2 }, key)).status).toBe(200);
    expect(await stored()).toBe(1);
  });
});

test('bytes_per_s sends the same answer slowly, and the rest of it at once when the rule ends', async () => {
  await store(Array.from({ length: 300 }, (_, n) => ({ n })));
  const path = `${device}/data?page=1&limit=300&range=all`;
  const { text } = await service.request('GET', path);
  await setFaults(service, [{ do: { bytes_per_s: 1_000_000 } }]);
  expect((await service.request('GET', path)).text).toBe(text);
  await setFaults(service, [{ do: { bytes_per_s: 20 } }]);
  const slow = new RawRequest(service, 'GET', path);
  await expect.poll(() => slow.got.length).toBeGreaterThan(0);
  expect(slow.got.length).toBeLessThan(text.length);
  await clearFaults(service);
  expect((await slow.ended).toString().endsWith(text)).toBe(true);
});

test('several of them together: slow, then refused', async () => {
  await setFaults(service, [{ do: { delay_ms: 5, status: 500, bytes_per_s: 100_000, message: 'Broken.' } }]);
  const { status, envelope } = await ask();
  expect([status, envelope.message]).toEqual([500, 'Broken.']);
});

test('HEAD has the status without a body', async () => {
  await setFaults(service, [{ match: { method: 'HEAD' }, do: { status: 503 } }]);
  const { status, text } = await service.request('HEAD', '/v2/projects');
  expect([status, text]).toEqual([503, '']);
  expect((await ask()).status).toBe(200);
});

test('what switches faults off is never kept from it', async () => {
  for (const does of [{ refuse: true }, { drop: true }, { status: 500 }, { cut_after_bytes: 0 }]) {
    await setFaults(service, [{ do: does }]);
    expect((await faultsNow(service)).rules).toHaveLength(1);
    expect(countsOf(await clearFaults(service))).toEqual([[0, 0]]);
  }
  expect(await faultsNow(service)).toEqual({ seed: null, rules: [] });
});

test('what comes behind one another on a connection meets its own fault, and the answers before it stay whole', async () => {
  await setFaults(service, [{ match: { path: '/v2/projects?cut' }, do: { cut_after_bytes: 0 } }]);
  const { http_url, base_url, api_key } = service.service;
  const request = (path: string) =>
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${api_key}\r\n\r\n`;
  const socket = connect(Number(new URL(http_url ?? base_url).port), '127.0.0.1');
  let got = '';
  socket.on('data', (piece) => (got += piece.toString()));
  socket.on('error', () => {});
  const closed = once(socket, 'close');
  socket.write(request('/v2/projects') + request('/v2/projects') + request('/v2/projects?cut'));
  await closed;
  expect(got.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
  expect(got.endsWith('}')).toBe(true);
});

test('over HTTPS it is the same, by a door of its own', async () => {
  const secure = await startServiceProcess();
  const set = (rule: object) => secure.call('PUT', '/_local/v1/faults', { rules: [rule] });
  const list = () => secure.fetch('/v2/projects').then((answer) => answer.text());
  await set({ match: { door: 'http' }, do: { status: 503 } });
  expect(await list()).toContain('"status":200');
  await set({ name: 'tls', match: { door: 'https' }, do: { status: 503 } });
  expect(await list()).toContain('"status":503');
  await set({ match: { door: 'https' }, do: { cut_after_bytes: 100 } });
  await expect(list()).rejects.toThrow();
  await set({ match: { door: 'https' }, do: { bytes_per_s: 1_000_000 } });
  expect(await list()).toContain('"status":200');
  await set({ match: { door: 'https', operation: 'projects.list' }, do: { drop: true } });
  const dropped = list();
  const gone = expect(dropped).rejects.toThrow();
  await expect
    .poll(async () => (await secure.call<FaultsNow>('GET', '/_local/v1/faults')).data?.rules[0]?.done)
    .toBe(1);
  // Whoever waits is let go by a stop.
  expect(await secure.stop()).toBe(0);
  await gone;
});
