import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { httpOperationIds, inV2, operationOf } from '#shared/operations/index.ts';
import { fillPath, parametersOf } from '#shared/schema/path-parameters.ts';
import { ask, AUTHORIZED, expectRefusal, openTestDoors, speak, type TestDoors } from './fixture.ts';

describe('a door', () => {
  let open: TestDoors;
  beforeAll(async () => void (open = await openTestDoors()));
  afterAll(() => open.close());
  const get = (path: string, headers: Record<string, string> = AUTHORIZED) =>
    ask(open.port, 'GET', path, { headers });
  const post = (path: string, body: string | Uint8Array, headers: Record<string, string> = AUTHORIZED) =>
    ask(open.port, 'POST', path, { headers, body });

  test('has every operation of the table', async () => {
    for (const id of httpOperationIds) {
      const { method, path } = operationOf(id);
      open.calls.length = 0;
      await ask(
        open.port,
        method,
        fillPath(path, (name) => `the-${name}`),
        { headers: AUTHORIZED },
      );
      expect(open.calls.map((call) => call.id)).toEqual([id]);
      const named = parametersOf(path).map((name) => [name, `the-${name}`]);
      expect(open.calls[0]?.input).toMatchObject(Object.fromEntries(named));
    }
  });

  test('passes the query on, repeated parameters as arrays, and decodes the path once', async () => {
    const { envelope } = await get(
      '/v2/projects/a%2Fb%2520/devices/d/data?limit=1&limit=2&keys=a%2Cb&project_id=other',
    );
    expect(envelope.data).toEqual({ project_id: 'a/b%20', device_id: 'd', limit: ['1', '2'], keys: 'a,b' });
  });

  test('answers with the envelope and headers that keep it out of caches', async () => {
    const reply = await get('/v2/projects');
    expect(Object.keys(reply.envelope)).toEqual(['success', 'action', 'status', 'message', 'data']);
    expect(reply.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
  });

  test('takes the fields of a JSON body, and of the path before it, but not of the query', async () => {
    const { envelope, status } = await post(
      '/v2/projects/p/devices?name=query',
      '{"name":"n","project_id":"other"}',
    );
    expect(status).toBe(201);
    expect(envelope.data).toEqual({ project_id: 'p', name: 'n' });
  });

  test('takes no body as an empty object, whatever the Content-Type says', async () => {
    const { envelope } = await post('/v2/projects/p/devices', '', {
      ...AUTHORIZED,
      'content-type': 'text/plain',
    });
    expect(envelope.data).toEqual({ project_id: 'p' });
  });

  test.each([
    ['{broken', /JSON object; it cannot be read: /],
    ['[1]', /JSON object, got an array/],
    ['null', /got null/],
    ['3', /got a number/],
    [Uint8Array.of(0x22, 0xff, 0x22), /not UTF-8/],
    ['a'.repeat(1024 * 1024 + 1), /at most 1 MiB/],
  ])('refuses a body that is no JSON object (%#)', async (body, message) => {
    expectRefusal(await post('/v2/projects/p/devices', body), 400, message);
    expectRefusal(
      await post('/v2/projects/p/devices', body, { ...AUTHORIZED, 'transfer-encoding': 'chunked' }),
      400,
      message,
    );
  });

  test('asks for the key before it looks at the body', async () => {
    expectRefusal(await post('/v2/projects/p/devices', '{broken', {}), 401, /No such key/);
    expectRefusal(
      await post('/v2/projects/p/devices', 'x', { 'content-type': 'nonsense' }),
      401,
      /No such key/,
    );
  });

  test('names a Content-Type that is none, and refuses an encoded body', async () => {
    const named = { ...AUTHORIZED, 'content-type': 'nonsense' };
    expectRefusal(
      await post('/v2/projects/p/devices', '{}', named),
      400,
      /Content-Type is not a media type, got "nonsense"/,
    );
    const packed = { ...AUTHORIZED, 'content-encoding': 'gzip' };
    expectRefusal(
      await post('/v2/projects/p/devices', '{}', packed),
      400,
      /without Content-Encoding, got "gzip"/,
    );
  });

  test('says which scheme a 401 wants', async () => {
    expect((await get('/v2/projects', {})).headers['www-authenticate']).toBe('Bearer');
  });

  test('takes no key from the query', async () => {
    expectRefusal(
      await get('/v2/projects?authorization=Bearer%20fb_test&api_key=fb_test', {}),
      401,
      /No such key/,
    );
  });

  test.each([
    ['GET', '/v2/nope'],
    ['GET', '/v2'],
    ['GET', '/v2/projects/%zz'],
    ['GET', '/_local/v1/nope'],
    ['PUT', '/v2/projects'],
    ['OPTIONS', '/v2/projects'],
    ['PROPFIND', '/v2/projects'],
    ['QUERY', '/v2/projects'],
  ])('tells of %s %s only to who has a key', async (method, path) => {
    expectRefusal(await ask(open.port, method, path), 401, /No such key/);
    expectRefusal(
      await ask(open.port, method, path, { headers: AUTHORIZED }),
      404,
      new RegExp(`no ${method} "`),
    );
  });

  test('has nothing outside its paths, key or not', async () => {
    expectRefusal(await get('/', {}), 404, /no GET "\/" here/);
    expectRefusal(await get('/integrations/http', {}), 404, /no GET/);
    expectRefusal(await get('/%zz', {}), 404, /no GET/);
    expectRefusal(await get('/V2/projects', {}), 404, /no GET/);
    expectRefusal(await get('/console/', {}), 404, /no GET/);
  });

  test('takes identifiers of any length and content', async () => {
    const long = 'x'.repeat(4000);
    expect((await get(`/v2/projects/${long}`)).envelope.data).toEqual({ project_id: long });
    expect((await get('/v2/projects/..%2f..%2fetc')).envelope.data).toEqual({ project_id: '../../etc' });
    expect((await get('/v2/projects/%F0%9F%94%A5')).envelope.data).toEqual({ project_id: '🔥' });
  });

  test('serves the default avatar to anyone', async () => {
    const reply = await get('/static/devices/default.svg', {});
    expect(reply.headers['content-type']).toContain('image/svg+xml');
    expect(reply.text).toMatch(/^<svg [^]*<\/svg>\n$/);
  });

  test('hands what a device stores to ingest, larger than a JSON body', async () => {
    const headers = { authorization: 'Basic token', 'content-type': 'application/x-ndjson' };
    const reply = await post('/integrations/http', new Uint8Array(3_000_000), headers);
    expect(reply.envelope.data).toEqual({ contentType: 'application/x-ndjson', size: 3_000_000 });
  });

  test('refuses more than 64 MiB of a device at once', async () => {
    const headers = {
      authorization: 'Basic token',
      'content-length': String(64 * 1024 * 1024 + 1),
      expect: '100-continue',
    };
    expectRefusal(await post('/integrations/http', '', headers), 413, /at most 64 MiB/);
    // More than there is ever room for, too: sent again later, it would still be too large.
    const never = { ...headers, 'content-length': String(1 << 30) };
    expectRefusal(await post('/integrations/http', '', never), 413, /at most 64 MiB/);
  });

  test('answers in an envelope what the HTTP parser refuses', async () => {
    const tooLong = `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`;
    const cases: [string, RegExp][] = [
      [tooLong, /at most 16384 bytes/],
      ['GARBAGE\r\n\r\n', /not HTTP/],
      [
        'GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
        /not HTTP/,
      ],
      ['GET / HTTP/1.1\r\nConnection: close\r\n\r\n', /needs a Host header/],
      ['GET / HTTP/1.0\r\n\r\n', /needs a Host header/],
    ];
    for (const [words, message] of cases) {
      const [head = '', body = ''] = (await speak(open.port, words)).split('\r\n\r\n');
      expect(head).toMatch(/^HTTP\/1\.1 400 /);
      expectRefusal({ status: 400, envelope: JSON.parse(body) }, 400, message);
    }
  });

  test('takes an Expect it does not know as if it were not there', async () => {
    expect((await get('/v2/projects', { ...AUTHORIZED, expect: 'miracles' })).status).toBe(200);
  });
});

describe('strict', () => {
  test('has the document and the avatar, and nothing else', async () => {
    const open = await openTestDoors({ strict: true, rendererDirectory: import.meta.dirname });
    for (const id of httpOperationIds) {
      const { method, path } = operationOf(id);
      const { status } = await ask(open.port, method, path, { headers: AUTHORIZED });
      expect([id, status < 400]).toEqual([id, inV2(id)]);
    }
    expectRefusal(await ask(open.port, 'GET', '/_local/v1/status'), 404, /no GET/);
    expectRefusal(
      await ask(open.port, 'POST', '/integrations/http', { headers: AUTHORIZED, body: '{}' }),
      404,
      /no POST/,
    );
    expectRefusal(await ask(open.port, 'GET', '/console/'), 404, /no GET/);
    expect((await ask(open.port, 'GET', '/static/devices/default.svg')).status).toBe(200);
    expect(await open.doors.console_url()).toBeNull();
    await open.close();
  });
});
