import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { createTickets } from '#core/http/console/tickets.ts';
import { decodeMessage, encodeMessage, type ServerMessage } from '#shared/wire.ts';
import { ask, openTestDoors, type TestDoors } from './fixture.ts';

let folder: string;
let open: TestDoors;
/** What windows sent, and how many were opened and closed. */
const heard: unknown[] = [];
const windows = { opened: 0, closed: 0 };
let post: (message: ServerMessage) => void = () => {};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fieldbench-console-'));
  await mkdir(join(folder, 'renderer/assets'), { recursive: true });
  await writeFile(join(folder, 'renderer/index.html'), '<!doctype html><title>The app</title>');
  await writeFile(join(folder, 'renderer/assets/app-1a2b.js'), 'export {};');
  await writeFile(join(folder, 'secret.json'), '{"secret":true}');
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(async () => {
  heard.length = 0;
  Object.assign(windows, { opened: 0, closed: 0 });
  open = await openTestDoors(
    { rendererDirectory: join(folder, 'renderer') },
    {
      openWindow(send) {
        windows.opened++;
        post = send;
        return { receive: (message) => void heard.push(message), close: () => void windows.closed++ };
      },
    },
  );
});
afterEach(() => open.close());

const link = () => new URL(open.doors.console_url() ?? 'none');
const pathOf = ({ pathname, search }: URL) => pathname + search;
const get = (path: string, headers: Record<string, string> = {}) => ask(open.port, 'GET', path, { headers });

async function signIn(): Promise<{ cookie: string }> {
  const { cookie } = await letIn();
  return { cookie };
}

/** All that a page has of its own: the cookie, and what its WebSocket offers. */
async function letIn(doors = open): Promise<{ cookie: string; 'sec-websocket-protocol': string }> {
  const reply = await ask(doors.port, 'GET', pathOf(new URL(doors.doors.console_url() ?? 'none')));
  const secret = /#let-in=([\w-]{43})$/.exec(reply.headers.location ?? '')?.[1] ?? 'none';
  return {
    cookie: reply.headers['set-cookie']?.[0]?.split(';')[0] ?? 'none',
    'sec-websocket-protocol': `fieldbench, let-in.${secret}`,
  };
}

const origin = () => `http://127.0.0.1:${open.port}`;
const dial = (
  { 'sec-websocket-protocol': protocols, ...headers }: Record<string, string>,
  path = '/console/socket',
) => new WebSocket(`ws://127.0.0.1:${open.port}${path}`, protocols?.split(', ') ?? [], { headers });

async function refusedWith(socket: WebSocket): Promise<{ status: number | undefined; body: unknown }> {
  const [, response] = await once(socket, 'unexpected-response');
  const chunks: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
  return {
    status: (response as { statusCode?: number }).statusCode,
    body: JSON.parse(Buffer.concat(chunks).toString()),
  };
}

describe('the link', () => {
  test('opens the console once, by a cookie that scripts and other sites cannot use', async () => {
    const url = link();
    const reply = await get(pathOf(url));
    expect([reply.status, reply.headers.location]).toEqual([
      303,
      expect.stringMatching(/^\/console\/#let-in=[\w-]{43}$/),
    ]);
    // Else a server on another port of this host, which is sent the cookie, would have both.
    expect(reply.headers['set-cookie']?.[0]).not.toContain(reply.headers.location?.split('=')[1]);
    expect(reply.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    expect(reply.headers['set-cookie']).toEqual([
      expect.stringMatching(/^fieldbench_console_\d+=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/console$/),
    ]);
    const again = await get(pathOf(url));
    expect([again.status, again.headers['set-cookie']]).toEqual([403, undefined]);
    expect(again.text).toContain('works once');
  });

  test('is a fresh one each time', () => {
    expect(link().search).not.toBe(link().search);
  });

  test('leads a browser that is in already to the console, used up or not', async () => {
    const url = link();
    const cookie = (await get(pathOf(url))).headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    expect((await get(pathOf(url), { cookie })).status).toBe(303);
  });

  test.each(['', '?token=', '?token=x', '?token=a&token=b', `?token=${'A'.repeat(43)}`])(
    'is not to be guessed (%s)',
    async (query) => {
      link();
      expect((await get(`/console/open${query}`)).status).toBe(403);
    },
  );

  test('is good for ten minutes', () => {
    let now = 1_000_000;
    const tickets = createTickets(() => now);
    const [early, late] = [tickets.issue(), tickets.issue()];
    now += 10 * 60_000 - 1;
    const { cookie = '', secret = '' } = tickets.redeem(early) ?? {};
    expect([cookie, secret]).toEqual([
      expect.stringMatching(/^[\w-]{43}$/),
      expect.stringMatching(/^[\w-]{43}$/),
    ]);
    expect([tickets.isVisitor(cookie), tickets.isVisitor(secret)]).toEqual([true, false]);
    expect([tickets.isSecret(secret), tickets.isSecret(cookie)]).toEqual([true, false]);
    now += 1;
    expect(tickets.redeem(late)).toBeNull();
  });
});

describe('the page', () => {
  test('says without the cookie how to get in, and shows nothing of the app', async () => {
    for (const path of ['/console/', '/console/assets/app-1a2b.js', '/console/nope']) {
      const reply = await get(path, { cookie: 'fieldbench_console=forged; fieldbench_console_1=forged' });
      expect([path, reply.status]).toEqual([path, 403]);
      expect(reply.headers['content-type']).toContain('text/html');
      expect(reply.text).toContain('npm run serve');
    }
  });

  test('is the built renderer under a strict policy', async () => {
    const reply = await get('/console/', await signIn());
    expect(reply.text).toContain('The app');
    expect(reply.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
    const policy = reply.headers['content-security-policy'];
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "form-action 'none'",
    ])
      expect(policy).toContain(rule);
    expect(policy).toContain(`connect-src 'self' ws://127.0.0.1:${open.port}`);
    expect(policy).not.toContain('unsafe-eval');
  });

  test('has assets that a browser may keep, and a page for what is not there', async () => {
    const visitor = await signIn();
    const asset = await get('/console/assets/app-1a2b.js', visitor);
    expect(asset.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'private, max-age=31536000, immutable',
    });
    expect((await get('/console/assets/gone.js', visitor)).status).toBe(404);
    expect((await get('/console/assets', visitor)).status).toBe(404);
    expect((await get('/console', visitor)).headers.location).toBe('/console/');
  });

  test.each([
    '/console/../secret.json',
    '/console/%2e%2e/secret.json',
    '/console/..%2fsecret.json',
    '/console/assets/..%2f..%2fsecret.json',
    '/console/..%5csecret.json',
    '/console/%2fetc%2fhosts.json',
    '/console/index.html%00.js',
    '/console//secret.json',
  ])('never leaves its folder (%s)', async (path) => {
    const reply = await get(path, await signIn());
    expect(reply.status).toBe(404);
    expect(reply.text).not.toContain('secret":true');
  });

  test('takes only GET', async () => {
    expect((await ask(open.port, 'POST', '/console/', { headers: await signIn() })).status).toBe(404);
  });
});

describe('the socket', () => {
  test('carries messages both ways as frames of shared/wire.ts', async () => {
    const socket = dial({ ...(await letIn()), origin: origin() });
    await once(socket, 'open');
    socket.send(encodeMessage({ type: 'chunk', n: 3, bytes: Uint8Array.of(1, 2, 3) }));
    await expect.poll(() => heard).toEqual([{ type: 'chunk', n: 3, bytes: Uint8Array.of(1, 2, 3) }]);
    const page = {
      offset: 0,
      total: 2,
      timestamps: Float64Array.of(2, 1),
      columns: [Float64Array.of(NaN, -0)],
    };
    post({ type: 'arrays', n: 4, arrays: page });
    const [frame] = (await once(socket, 'message')) as [Buffer];
    expect(decodeMessage(frame)).toEqual({ type: 'arrays', n: 4, arrays: page });
    socket.close();
    await expect.poll(() => windows).toEqual({ opened: 1, closed: 1 });
    post({ type: 'more', n: 4 });
  });

  test('wants the cookie and the origin of its own page', async () => {
    const visitor = await letIn();
    const cases: Record<string, string>[] = [
      { origin: origin() },
      { ...visitor },
      { ...visitor, origin: 'http://evil.example' },
      { ...visitor, origin: origin(), host: 'evil.example' },
      { ...visitor, cookie: `${visitor.cookie}x`, origin: origin() },
      // Another program on a port of this host is sent the cookie, too.
      { cookie: visitor.cookie, origin: origin() },
      { ...visitor, 'sec-websocket-protocol': 'fieldbench', origin: origin() },
      { ...visitor, 'sec-websocket-protocol': `${visitor['sec-websocket-protocol']}x`, origin: origin() },
      {
        ...visitor,
        'sec-websocket-protocol': `fieldbench, let-in.${visitor.cookie.split('=')[1]}`,
        origin: origin(),
      },
    ];
    for (const headers of cases) {
      const { status, body } = await refusedWith(dial(headers));
      expect([headers, status, body]).toEqual([
        headers,
        403,
        expect.objectContaining({ success: false, status: 403 }),
      ]);
    }
    expect(windows.opened).toBe(0);
  });

  test('takes up its subprotocol and says no secret back', async () => {
    const visitor = await letIn();
    const socket = dial({ ...visitor, origin: origin() });
    await once(socket, 'open');
    expect(socket.protocol).toBe('fieldbench');
    socket.close();
  });

  test('lets in every tab of a browser that was let in twice, by what it was given last', async () => {
    const [first, second] = [await letIn(), await letIn()];
    const mixed = { cookie: second.cookie, 'sec-websocket-protocol': first['sec-websocket-protocol'] };
    for (const visitor of [first, second, mixed]) {
      const socket = dial({ ...visitor, origin: origin() });
      await once(socket, 'open');
      socket.close();
    }
  });

  test('is at one path alone', async () => {
    const headers = { ...(await letIn()), origin: origin() };
    for (const [path, status] of [
      ['/console/socket/x', 404],
      ['/v2/projects', 401],
    ] as const) {
      const [, response] = await once(dial(headers, path), 'unexpected-response');
      expect([path, response]).toMatchObject([path, { statusCode: status }]);
    }
    expect(windows.opened).toBe(0);
  });

  test.each([
    ['text', 1003, 'hello'],
    ['what is no frame', 1007, Uint8Array.of(255, 255, 255, 255, 1)],
    ['more than a frame may hold', 1009, new Uint8Array(5 * 1024 * 1024)],
  ])('closes at %s', async (_, code, sent) => {
    const socket = dial({ ...(await letIn()), origin: origin() });
    await once(socket, 'open');
    socket.send(sent);
    const [closed] = await once(socket, 'close');
    expect(closed).toBe(code);
    await expect.poll(() => windows.closed).toBe(1);
    expect(heard).toEqual([]);
  });

  test('lets go of a window that no longer answers, and keeps one that does', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const doors = await openTestDoors({ rendererDirectory: join(folder, 'renderer') });
    const { port } = doors;
    const { cookie, 'sec-websocket-protocol': protocols } = await letIn(doors);
    const headers = { cookie, origin: `http://127.0.0.1:${port}` };
    const offered = protocols.split(', ');
    const url = `ws://127.0.0.1:${port}/console/socket`;
    const [silent, lively] = [
      new WebSocket(url, offered, { headers, autoPong: false }),
      new WebSocket(url, offered, { headers }),
    ];
    await Promise.all([once(silent, 'open'), once(lively, 'open')]);
    const pinged = Promise.all([once(silent, 'ping'), once(lively, 'ping')]);
    vi.advanceTimersByTime(30_000);
    await pinged;
    // The lively one's pong has to be back before the next look.
    lively.ping();
    await once(lively, 'pong');
    const closed = once(silent, 'close');
    vi.advanceTimersByTime(30_000);
    vi.useRealTimers();
    expect((await closed)[0]).toBe(1006);
    expect(lively.readyState).toBe(WebSocket.OPEN);
    await doors.close();
  });

  test('says goodbye when the service stops', async () => {
    const socket = dial({ ...(await letIn()), origin: origin() });
    await once(socket, 'open');
    const [[code]] = await Promise.all([once(socket, 'close'), open.doors.close(2000)]);
    expect(code).toBe(1001);
    await expect.poll(() => windows.closed).toBe(1);
  });
});
