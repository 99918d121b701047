import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { hostname } from 'node:os';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeFolderForEach, open as openTls } from '../tls/fixture.ts';
import { ask, AUTHORIZED, openTestDoors, speak, type TestDoors } from './fixture.ts';

let open: TestDoors;
beforeAll(async () => void (open = await openTestDoors({ host: '127.0.0.1' })));
afterAll(() => open.close());

const withHeaders = (headers: Record<string, string>) =>
  ask(open.port, 'GET', '/v2/projects', { headers: { ...AUTHORIZED, ...headers } });

test.each([
  'localhost',
  'LOCALHOST',
  'localhost:7443',
  '127.0.0.1',
  '127.0.0.1:1',
  '[::1]',
  '[::1]:7480',
  hostname(),
  `${hostname()}:80`,
])('answers to Host: %s', async (host) => {
  expect((await withHeaders({ host })).status).toBe(200);
});

test.each([
  'evil.example',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  '127.0.0.2',
  '::1',
  'localhost:port',
  'user@localhost',
])('does not answer to Host: %s, key or not', async (host) => {
  open.calls.length = 0;
  const reply = await withHeaders({ host });
  expect([400, 403]).toContain(reply.status);
  expect(reply.envelope.success).toBe(false);
  expect(open.calls).toEqual([]);
});

test.each([
  ['http://localhost/v2/projects', 'evil.example', 200],
  ['HTTP://LOCALHOST:1/v2/projects', 'localhost', 200],
  ['http://evil.example/v2/projects', 'localhost', 403],
  ['https://evil.example/v2/projects', 'localhost', 403],
  ['http://evil.example', 'localhost', 403],
  ['http://localhost@evil.example/v2/projects', 'localhost', 403],
  ['http:///v2/projects', 'localhost', 400],
])(
  'takes the host of the target %s for the one that is asked, not Host: %s',
  async (target, host, status) => {
    open.calls.length = 0;
    const head = `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n`;
    const said = await speak(open.port, `${head}Authorization: ${AUTHORIZED.authorization}\r\n\r\n`);
    expect(said).toContain(`HTTP/1.1 ${status} `);
    expect(open.calls.length > 0).toBe(status === 200);
  },
);

test('needs a Host beside an absolute target, too', async () => {
  const said = await speak(
    open.port,
    'GET http://localhost/v2/projects HTTP/1.1\r\nConnection: close\r\n\r\n',
  );
  expect(said).toContain('HTTP/1.1 400 ');
});

test('an absolute target is answered as its path is', async () => {
  const refusal = async (method: string, path: string, lines = '') => {
    const said = await Promise.all(
      ['', 'http://localhost', 'HTTP://127.0.0.1:1'].map((host) =>
        speak(
          open.port,
          `${method} ${host}${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${lines}\r\n`,
        ),
      ),
    );
    const bodies = new Set(said.map((one) => one.split('\r\n\r\n')[1] ?? ''));
    expect(bodies.size).toBe(1);
    const [body = ''] = bodies;
    return JSON.parse(body) as { status: number; message: string };
  };
  const key = `Authorization: ${AUTHORIZED.authorization}\r\n`;
  expect(await refusal('GET', '/v2/nope')).toMatchObject({ status: 401 });
  expect(await refusal('GET', '/_local/nope')).toMatchObject({ status: 401 });
  expect(await refusal('GET', '/nope')).toMatchObject({ message: 'There is no GET "/nope" here.' });
  const large = `${key}Content-Length: ${2 ** 30}\r\nExpect: 100-continue\r\n`;
  expect(await refusal('POST', '/v2/projects/p/devices', large)).toMatchObject({ status: 400 });
  const root = await speak(
    open.port,
    'GET http://localhost?a=b HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
  );
  expect(root).toContain('There is no GET \\"/\\" here.');
});

test('refuses a rebound name before it looks at anything else, the avatar and unknown paths included', async () => {
  for (const path of ['/static/devices/default.svg', '/v2/nope', '/%zz', '/integrations/http']) {
    const reply = await ask(open.port, 'GET', path, { headers: { host: 'evil.example' } });
    expect([path, reply.status, reply.envelope.message]).toEqual([
      path,
      403,
      expect.stringContaining('Host'),
    ]);
  }
});

test('refuses pages from elsewhere by Origin, and never sends a CORS header', async () => {
  for (const origin of [
    'https://evil.example',
    'null',
    'http://localhost:1',
    `https://127.0.0.1:${open.port}`,
  ]) {
    const reply = await withHeaders({ origin });
    expect([origin, reply.status]).toEqual([origin, 403]);
    expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  }
  expect((await withHeaders({ origin: `http://127.0.0.1:${open.port}` })).status).toBe(200);
});

test('refuses what browsers say comes from another site, another port of this machine included', async () => {
  for (const site of ['cross-site', 'same-site', 'invented'])
    expect((await withHeaders({ 'sec-fetch-site': site })).status).toBe(403);
  for (const site of ['same-origin', 'none'])
    expect((await withHeaders({ 'sec-fetch-site': site })).status).toBe(200);
});

test('gives a preflight nothing', async () => {
  const headers = { origin: 'https://evil.example', 'access-control-request-method': 'DELETE' };
  const reply = await ask(open.port, 'OPTIONS', '/v2/projects/p', { headers });
  expect(reply.status).toBe(403);
});

describe('a request that does not arrive in time', () => {
  makeFolderForEach();

  test('is told to a slow sender of headers, and to no connection that was opened ahead', async () => {
    const tls = await openTls();
    const { doors, close } = await openTestDoors({ tls: true }, { tls });
    const ca = await readFile(tls.ca_file);
    const port = Number(new URL(doors.base_url).port);
    const ahead = connectTls({ host: '127.0.0.1', port, ca, servername: 'localhost' });
    const [slow, ...silent] = await Promise.all([
      speak(open.port, 'GET /v2/projects HTTP/1.1\r\nHost: localhost\r\nX-Slow: '),
      speak(open.port, ''),
      text(ahead),
    ]);
    expect(slow).toMatch(/^HTTP\/1\.1 400 /);
    expect(slow).toContain('"The request did not arrive in time."');
    // A browser would take it for the answer to the request that it sends there at that moment.
    expect(silent).toEqual(['', '']);
    await close();
  });
});

test.each([
  ['Host: localhost\r\nHost: evil.example', 'The request needs one Host header, got several.'],
  ['Host: localhost\r\nhost: localhost', 'The request needs one Host header, got several.'],
  [
    'Host: localhost\r\nTransfer-Encoding: gzip, chunked',
    'Transfer-Encoding may only be \\"chunked\\", got \\"gzip, chunked\\".',
  ],
])('nobody guesses what %j means', async (headers, why) => {
  open.calls.length = 0;
  const socket = connect(open.port, '127.0.0.1').setEncoding('utf8');
  socket.write(
    `POST /v2/projects/p/devices HTTP/1.1\r\n${headers}\r\nAuthorization: ${AUTHORIZED.authorization}\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
  );
  const [said] = (await once(socket, 'data')) as [string];
  socket.destroy();
  expect(said).toMatch(/^HTTP\/1\.1 400 /);
  expect(said).toContain(why);
  expect(open.calls).toEqual([]);
});
