import { connect, createServer } from 'node:net';
import { once } from 'node:events';
import { json as jsonOf } from 'node:stream/consumers';
import { request as httpRequest, Agent, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { EncodedJson, type PagePlace } from '#core/api/call.ts';
import { badRequest, StoreError } from '#core/errors.ts';
import { answerTo } from '#core/api/dispatch.ts';
import { httpOperationIds, inV2, operationOf } from '#shared/operations/index.ts';
import { fillPath, parametersOf } from '#shared/operations/paths.ts';
import { answer, ask, AUTHORIZED, openTestDoors, speak, type TestDoors } from './fixture.ts';

const DATA = '/v2/projects/p/devices/d/data';
const bytesOf = (value: string) => new TextEncoder().encode(value);

/** Documented fields and statuses, whatever was asked. */
function expectRefusal(reply: { status: number; envelope: unknown }, status: number, message: RegExp): void {
  expect(reply.status).toBe(status);
  expect(reply.envelope).toEqual({
    success: false,
    action: expect.any(String),
    status,
    message: expect.stringMatching(message),
    data: null,
  });
}

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

describe('what a door writes out', () => {
  const page = '[{"timestamp":"2026-03-02T20:30:21.202946Z","a":1}]';
  async function* inPieces(text: string, failure?: Error): AsyncGenerator<Uint8Array> {
    for (const piece of text) yield bytesOf(piece);
    if (failure) throw failure;
  }
  async function dataOf(data: unknown, place?: PagePlace) {
    const open = await openTestDoors({}, { handle: ({ id }) => answer(id, data, place) });
    try {
      return await ask(open.port, 'GET', `${DATA}?page=1&limit=1&range=all`, { headers: AUTHORIZED });
    } finally {
      await open.close();
    }
  }

  test('a page that is JSON already goes out as it is, with the headers of its totals', async () => {
    const reply = await dataOf(new EncodedJson(bytesOf(page)), { page: 1, limit: 1, total: 3 });
    expect(reply.text).toBe(
      `{"success":true,"action":"retrieve data","status":200,"message":"Device data fetched successfully.","data":${page}}`,
    );
    expect(reply.headers).toMatchObject({
      'x-total-count': '3',
      link: expect.stringContaining('page=2&limit=1&range=all>; rel="next"'),
    });
    expect(reply.headers['content-length']).toBe(String(reply.text.length));
  });

  test('a page gives its memory back once it is out', async () => {
    const release = vi.fn();
    const json = Buffer.from(page);
    for (const room of [0, 10, 500]) {
      const memory = Buffer.concat([Buffer.alloc(room, '#'), json, Buffer.alloc(room, '#')]);
      const lent = { memory, from: room, to: room + json.length, release };
      const reply = await dataOf(new EncodedJson(memory.subarray(lent.from, lent.to), lent));
      expect((JSON.parse(reply.text) as { data: unknown }).data).toEqual(JSON.parse(page));
      expect(reply.text).not.toContain('#');
    }
    expect(release).toHaveBeenCalledTimes(3);
  });

  test('a page in pieces is the same body, streamed', async () => {
    const whole = await dataOf(new EncodedJson(bytesOf(page)));
    const streamed = await dataOf(new EncodedJson(inPieces(page)));
    expect(streamed.text).toBe(whole.text);
    expect(streamed.headers['transfer-encoding']).toBe('chunked');
  });

  test('a list of megabytes is written as its reader takes it, not all at once', async () => {
    let made = 0;
    const text = 'é'.repeat(50_000);
    const items = Array.from({ length: 400 }, (_, i) => ({ i, toJSON: () => (made++, { i, text }) }));
    const open = await openTestDoors({}, { handle: ({ id }) => answer(id, items) });
    try {
      const request = httpRequest({ port: open.port, path: '/v2/projects', headers: AUTHORIZED }).end();
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      expect(made).toBeGreaterThan(0);
      expect(made).toBeLessThan(items.length);
      const { data } = (await jsonOf(response)) as { data: unknown };
      expect(data).toEqual(items.map(({ i }) => ({ i, text })));
    } finally {
      await open.close();
    }
  });

  test('a short list has a length', async () => {
    const open = await openTestDoors({}, { handle: ({ id }) => answer(id, [{ a: 1 }, { b: 'é' }]) });
    const { text, headers } = await ask(open.port, 'GET', '/v2/projects', { headers: AUTHORIZED });
    await open.close();
    expect(text).toMatch(/,"data":\[\{"a":1\},\{"b":"é"\}\]\}$/);
    expect(headers['content-length']).toBe(String(Buffer.byteLength(text)));
  });

  test('a page that fails before its first piece is an envelope', async () => {
    const reply = await dataOf(
      new EncodedJson(inPieces('', new StoreError('damaged', 'A block is damaged.'))),
    );
    expectRefusal(reply, 500, /A block is damaged/);
  });

  test('a page that fails half-way cannot be taken for a whole one', async () => {
    await expect(dataOf(new EncodedJson(inPieces('[1,', new Error('disk'))))).rejects.toThrow(
      /aborted|socket/,
    );
  });

  test.each([
    ['a disk', new Error('disk'), 1],
    [
      'several, one of which is the disk',
      new AggregateError([new DOMException('x', 'AbortError'), new Error('disk')]),
      1,
    ],
    ['nobody who is left', new DOMException('gone', 'AbortError'), 0],
    ['a reader, and of its stream by that', new AggregateError([new DOMException('gone', 'AbortError')]), 0],
  ])('a failure of %s is in the log, a reader who left is not', async (_, failure, lines) => {
    const data = () => new EncodedJson(inPieces('[1,', failure));
    const open = await openTestDoors({}, { handle: ({ id }) => answer(id, data()) });
    await expect(ask(open.port, 'GET', DATA, { headers: AUTHORIZED })).rejects.toThrow(/aborted|socket/);
    await open.close();
    expect(open.logged.filter((line) => line.includes('broke off'))).toHaveLength(lines);
  });

  test('a download is the data itself, under a name that is safe in a header', async () => {
    const open = await openTestDoors(
      {},
      {
        handle: ({ id }) => ({
          ...answer(id, { records: 1 }),
          download: {
            type: 'text/csv; charset=utf-8',
            name: 'a"\r\nb (ü)',
            extension: 'csv',
            bytes: inPieces('t,a\n'),
          },
        }),
      },
    );
    const reply = await ask(open.port, 'GET', '/_local/v1/projects/p/devices/d/records', {
      headers: AUTHORIZED,
    });
    await open.close();
    expect(reply.text).toBe('t,a\n');
    expect(reply.headers['content-disposition']).toBe(
      `attachment; filename="a-b ___.csv"; filename*=UTF-8''a-b%20%28%C3%BC%29.csv`,
    );
    expect(reply.headers['content-type']).toBe('text/csv; charset=utf-8');
  });

  test('a download that is given up breaks off, and that is no failure', async () => {
    const given = new AbortController();
    async function* endless() {
      for (;;) {
        yield bytesOf('x'.repeat(100_000));
        given.abort();
      }
    }
    const open = await openTestDoors(
      {},
      {
        handle: ({ id }) => ({
          ...answer(id, { records: 1 }),
          download: {
            type: 'text/csv',
            name: 'a',
            extension: 'csv',
            bytes: endless(),
            givenUp: given.signal,
          },
        }),
      },
    );
    const path = '/_local/v1/projects/p/devices/d/records';
    await expect(ask(open.port, 'GET', path, { headers: AUTHORIZED })).rejects.toThrow(/aborted|socket/);
    await open.close();
    expect(open.logged).toEqual([]);
  });

  test('an answer that cannot be written is a 500, and the service lives', async () => {
    const open = await openTestDoors(
      {},
      {
        handle: ({ id }) => ({
          ...answer(id, {}),
          download: { type: 'line\nbreak', name: 'a', extension: 'csv', bytes: inPieces('t') },
        }),
      },
    );
    const path = '/_local/v1/projects/p/devices/d/records';
    const broken = [dataOf(10n), ask(open.port, 'GET', path, { headers: AUTHORIZED })];
    for (const reply of await Promise.all(broken)) expectRefusal(reply, 500, /error [0-9a-f-]{36}/);
    await open.close();
  });

  test('a bug is a 500 whose id the log has, without its words', async () => {
    const open = await openTestDoors(
      {},
      {
        dispatch: async () => {
          throw new Error('secret path /x');
        },
      },
    );
    const reply = await ask(open.port, 'GET', '/v2/projects', { headers: AUTHORIZED });
    await open.close();
    expectRefusal(reply, 500, /error [0-9a-f-]{36}/);
    expect(reply.text).not.toContain('secret');
    const id = /error ([0-9a-f-]{36})/.exec(reply.text)?.[1] ?? 'none';
    expect(open.logged.join()).toContain(id);
  });
});

describe('bodies that are data', () => {
  const RECORDS = '/_local/v1/projects/p/devices/d/records';

  test('arrive piece by piece, with their size and type', async () => {
    let size = 0;
    const open = await openTestDoors(
      {},
      {
        async handle({ id, body }) {
          for await (const piece of body?.bytes ?? []) size += piece.length;
          return answer(id, { size: body?.size, type: body?.type });
        },
      },
    );
    const headers = { ...AUTHORIZED, 'content-type': 'Text/CSV; charset=utf-8' };
    const reply = await ask(open.port, 'POST', `${RECORDS}?format=csv`, {
      headers,
      body: new Uint8Array(5_000_000),
    });
    await open.close();
    expect(reply.envelope.data).toEqual({ size: 5_000_000, type: 'text/csv' });
    expect(size).toBe(5_000_000);
    expect(open.calls[0]?.input).toEqual({ project_id: 'p', device_id: 'd', format: 'csv' });
  });

  test('may be refused unread or half-way, and the sender gets to the answer', async () => {
    const open = await openTestDoors(
      {},
      {
        async handle({ id, body, input }) {
          if ((input as { format?: string }).format === 'csv') for await (const _ of body?.bytes ?? []) break;
          return answerTo(operationOf(id).action, badRequest('Line 1 is bad.'), {
            info() {},
            warn() {},
            error() {},
          });
        },
      },
    );
    for (const format of ['csv', 'ndjson']) {
      const sent = { headers: AUTHORIZED, body: new Uint8Array(8_000_000) };
      expectRefusal(await ask(open.port, 'POST', `${RECORDS}?format=${format}`, sent), 400, /Line 1 is bad/);
    }
    await open.close();
  });

  test('whose sender leaves end as a refusal for their reader, and fire the signal', async () => {
    const { promise: ended, resolve } = Promise.withResolvers<{ message: string; aborted: boolean }>();
    const open = await openTestDoors(
      {},
      {
        async handle({ id, body, signal }) {
          try {
            for await (const _ of body?.bytes ?? []);
          } catch (error) {
            await new Promise((done) => setTimeout(done, 50));
            resolve({ message: (error as Error).message, aborted: signal?.aborted ?? false });
          }
          return answer(id, null);
        },
      },
    );
    const request = httpRequest({
      host: '127.0.0.1',
      port: open.port,
      method: 'POST',
      path: RECORDS,
      headers: { ...AUTHORIZED, 'content-length': '100' },
    });
    request.on('error', () => {});
    request.write('half');
    setTimeout(() => request.destroy(), 50);
    expect(await ended).toEqual({
      message: 'The connection closed before the body was whole.',
      aborted: true,
    });
    await open.close();
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
    expect(open.doors.console_url()).toBeNull();
    await open.close();
  });
});

describe('opening and closing', () => {
  test('a busy port is named together with the flag that chooses another', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const { port } = holder.address() as { port: number };
    await expect(openTestDoors({ port })).rejects.toMatchObject({
      code: 'port-busy',
      message: expect.stringMatching(new RegExp(`Port ${port} .*--port N`)),
    });
    holder.close();
  });

  test('an address of another machine is named', async () => {
    await expect(openTestDoors({ host: '192.0.2.1' })).rejects.toMatchObject({
      code: 'bad-flag',
      message: /192\.0\.2\.1 is not an address/,
    });
  });

  test('with tls off, the one plain door is both URLs', async () => {
    const open = await openTestDoors();
    expect(open.doors.base_url).toBe(`http://127.0.0.1:${open.port}`);
    expect(open.doors.http_url).toBe(open.doors.base_url);
    await open.close();
  });

  test('a close lets what runs finish, and ends connections that are kept alive', async () => {
    const { promise: asked, resolve } = Promise.withResolvers<void>();
    const open = await openTestDoors(
      {},
      {
        async handle({ id }) {
          resolve();
          await new Promise((done) => setTimeout(done, 150));
          return answer(id, 'whole');
        },
      },
    );
    const agent = new Agent({ keepAlive: true });
    const request = httpRequest({
      host: '127.0.0.1',
      port: open.port,
      path: '/v2/projects',
      headers: AUTHORIZED,
      agent,
    });
    const replied = once(request, 'response') as Promise<[IncomingMessage]>;
    request.end();
    await asked;
    const closed = open.doors.close(5000).then(() => performance.now());
    const [reply] = await replied;
    reply.resume();
    expect(reply.statusCode).toBe(200);
    await once(reply, 'end');
    const ended = performance.now();
    expect((await closed) - ended).toBeLessThan(1000);
    agent.destroy();
    await expect(ask(open.port, 'GET', '/')).rejects.toThrow('ECONNREFUSED');
  });

  test('a close does not wait for connections that have asked nothing', async () => {
    const open = await openTestDoors();
    const ahead = connect(open.port, '127.0.0.1');
    await once(ahead, 'connect');
    const began = performance.now();
    await Promise.all([open.doors.close(5000), once(ahead.resume(), 'close')]);
    expect(performance.now() - began).toBeLessThan(1000);
  });

  test('a close cuts what takes longer than its grace', async () => {
    const open = await openTestDoors({}, { handle: () => new Promise(() => {}) });
    const hanging = ask(open.port, 'GET', '/_local/v1/projects/p/devices/d/records', { headers: AUTHORIZED });
    const outcome = expect(hanging).rejects.toThrow(/socket hang up|ECONNRESET/);
    await expect.poll(() => open.calls.length).toBe(1);
    await open.doors.close(100);
    await outcome;
    await expect.poll(() => open.calls[0]?.signal?.aborted).toBe(true);
  });
});
