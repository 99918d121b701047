import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MAX_HEADERS } from '#core/http/guard.ts';
import { unauthorized } from '#core/base/errors.ts';
import { answer, ASKER, AUTHORIZED, openTestDoors, speak, type TestDoors, wholeOf } from './fixture.ts';

/* What clients that write requests by hand meet: every answer is an envelope in the service's own words. */

const KEY_LINE = `Authorization: ${AUTHORIZED.authorization}\r\n`;

/** A busy machine takes its time. */
const PATIENT = { timeout: 20_000 };

let open: TestDoors;
beforeAll(async () => void (open = await openTestDoors()));
afterAll(() => open.close());

const headAndBody = (words: string) => words.split('\r\n\r\n') as [string, string];

async function refusalOf(words: string, port = open.port) {
  const [head, body] = headAndBody(await speak(port, words));
  const envelope = JSON.parse(body) as { status: number; message: string };
  expect(envelope).toEqual({
    success: false,
    action: expect.any(String),
    status: Number(head.slice(9, 12)),
    message: expect.not.stringMatching(/parse error|llhttp|HPE_/i),
    data: null,
  });
  return { head, status: envelope.status, message: envelope.message };
}

describe('methods', () => {
  test.each(['FOO', 'get', 'Post'])('%s is no method, and that is said', async (method) => {
    const words = `${method} /v2/projects HTTP/1.1\r\nHost: localhost\r\n${KEY_LINE}\r\n`;
    expect(await refusalOf(words)).toMatchObject({
      status: 400,
      message: 'The method is not known: it must be GET, HEAD, POST, PATCH or DELETE, in capital letters.',
    });
  });

  test('CONNECT is answered, to who may hear of it', async () => {
    const connectTo = (target: string, lines = '') =>
      refusalOf(`CONNECT ${target} HTTP/1.1\r\nHost: localhost\r\n${lines}\r\n`);
    expect(await connectTo('example.org:443')).toMatchObject({
      status: 404,
      message: 'There is no CONNECT "example.org:443" here.',
    });
    const anonymous = await connectTo('/v2/projects');
    expect(anonymous.status).toBe(401);
    expect(anonymous.head).toContain('www-authenticate: Bearer');
    expect((await connectTo('/v2/projects', KEY_LINE)).status).toBe(404);
    expect((await refusalOf('CONNECT x:1 HTTP/1.1\r\nHost: evil.example\r\n\r\n')).status).toBe(403);
  });
});

describe('a head that cannot be read', () => {
  test.each([
    ['GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n', 'Content-Length must be a whole number of bytes'],
    [
      'GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      'Content-Length may stand there once',
    ],
    [
      'GET / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      'Transfer-Encoding may only be "chunked"',
    ],
    ['GET / HTTP/1.1\r\na b: x\r\n\r\n', 'a header holds a character'],
    ['GET /\u0001 HTTP/1.1\r\n\r\n', 'its path holds a character'],
    ['GET / HTTP/3.1\r\n\r\n', 'not HTTP/1.1'],
    ['GARBAGE\r\n\r\n', 'not HTTP/1.1'],
  ])('%j is named', async (words, message) => {
    const refused = await refusalOf(words);
    expect(refused.status).toBe(400);
    expect(refused.message).toContain(message);
  });

  test('has a limit in bytes and one in headers, and both are named', async () => {
    const get = (headers: string) =>
      `GET /v2/projects HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${KEY_LINE}${headers}\r\n`;
    const rule = `must be at most 16384 bytes and at most ${MAX_HEADERS} headers`;
    for (const headers of ['a: y\r\n'.repeat(MAX_HEADERS), `a: ${'y'.repeat(20_000)}\r\n`])
      expect((await refusalOf(get(headers))).message).toContain(rule);
    for (const headers of ['a: y\r\n'.repeat(MAX_HEADERS - 3), `a: ${'y'.repeat(16_000)}\r\n`])
      expect(headAndBody(await speak(open.port, get(headers)))[0]).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('Expect: 100-continue', () => {
  const post = (path: string, lines: string, body = '') =>
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\n${lines}Expect: 100-continue\r\nContent-Length: 15\r\n\r\n${body}`;

  test.each(['/v2/projects/p/devices', '/_local/v1/projects/p/devices/d/records', '/v2/nowhere'])(
    'hears its 401 before it has sent anything to %s, and the connection closes',
    async (path) => {
      const { head, status } = await refusalOf(post(path, ''));
      expect(status).toBe(401);
      expect(head.toLowerCase()).toContain('connection: close');
    },
  );

  test('of a device with a wrong token hears its 401 as well', async () => {
    const strange = await openTestDoors(
      {},
      {
        ingest: async ({ authorization, body }) => {
          const { envelope } = answer('records.import', null);
          if (authorization === 'Basic right')
            return answer('records.import', (await wholeOf(body(ASKER))).length);
          const { status, message } = unauthorized('No such token.');
          return { envelope: { ...envelope, success: false, status, message }, headers: {} };
        },
      },
    );
    const path = '/integrations/http';
    expect((await refusalOf(post(path, 'Authorization: Basic wrong\r\n'), strange.port)).status).toBe(401);
    await strange.close();
  });

  test('is asked for the body once the key is known', async () => {
    const socket = connect(open.port, '127.0.0.1');
    let heard = '';
    socket.on('data', (piece) => (heard += piece.toString()));
    socket.write(post('/v2/projects/p/devices', KEY_LINE));
    await expect.poll(() => heard, PATIENT).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    socket.write('{"name":"Pump"}');
    await expect.poll(() => heard, PATIENT).toContain('HTTP/1.1 201 Created');
    expect(heard).toContain('"name":"Pump"');
    socket.destroy();
  });

  test('is asked for the body once the answers before it are out, and never inside one', async () => {
    const first = Promise.withResolvers<void>();
    const slow = await openTestDoors(
      {},
      {
        ingest: async ({ contentType, body }) => {
          const size = (await wholeOf(body(ASKER))).length;
          if (contentType === 'text/slow') await first.promise;
          // The answer to this one is to be ready first.
          else setImmediate(() => setImmediate(() => setImmediate(first.resolve)));
          return answer('records.import', size);
        },
      },
    );
    const head = (type: string, lines: string) =>
      `POST /integrations/http HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\nContent-Length: 2\r\n${lines}\r\n`;
    const both = `${head('text/slow', '')}{}${head('text/quick', 'Expect: 100-continue\r\nConnection: close\r\n')}{}`;
    const said = await speak(slow.port, both);
    const answers = said.split('HTTP/1.1 ').slice(1);
    expect(answers.filter((one) => one.startsWith('200')).map((one) => one.split('\r\n\r\n')[1])).toEqual([
      expect.stringContaining('"success":true'),
      expect.stringContaining('"success":true'),
    ]);
    await slow.close();
  });
});
