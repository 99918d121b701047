import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { offered, open, link, pathOf, get, signIn, openConsoleForEach } from './console-fixture.ts';
import { ask } from './fixture.ts';

openConsoleForEach();

describe('the link', () => {
  test('opens the console once, by a cookie that scripts and other sites cannot use', async () => {
    const url = await link();
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

  test('is a fresh one each time', async () => {
    expect((await link()).search).not.toBe((await link()).search);
  });

  test('leads a browser that is in already to the console, used up or not', async () => {
    const url = await link();
    const cookie = (await get(pathOf(url))).headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    expect((await get(pathOf(url), { cookie })).status).toBe(303);
  });

  test.each(['', '?token=', '?token=x', '?token=a&token=b', `?token=${'A'.repeat(43)}`])(
    'is not to be guessed (%s)',
    async (query) => {
      await link();
      expect((await get(`/console/open${query}`)).status).toBe(403);
    },
  );
});

describe('the page', () => {
  test('says without the cookie how to get in, and shows nothing of the app', async () => {
    for (const path of ['/console/', '/console/assets/app-1a2b.js', '/console/nope']) {
      const reply = await get(path, { cookie: 'fieldbench_console=forged; fieldbench_console_1=forged' });
      expect([path, reply.status]).toEqual([path, 403]);
      expect(reply.headers['content-type']).toContain('text/html');
      expect(reply.text).toContain('fieldbench open');
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

describe('a file that a page saves', () => {
  const offer = (bytes: Readable) => `/console/${offered.offer(bytes, () => expect.unreachable()).path}`;

  test('is fetched once, by who was let in, and by nothing that only looks', async () => {
    const visitor = await signIn();
    const path = offer(Readable.from([Buffer.from('first, '), Buffer.from('second')]));
    const stranger = await get(path);
    expect([stranger.status, stranger.text]).toEqual([403, expect.not.stringContaining('first, ')]);
    expect((await ask(open.port, 'HEAD', path, { headers: visitor })).status).toBe(404);
    const reply = await get(path, visitor);
    expect([reply.status, reply.text]).toEqual([200, 'first, second']);
    expect(reply.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    expect((await get(path, visitor)).status).toBe(404);
  });

  test('that breaks off breaks the connection, so that no half passes for a whole', async () => {
    const visitor = await signIn();
    const path = offer(
      Readable.from(
        (async function* () {
          yield Buffer.from('one ');
          throw new Error('The disk is gone.');
        })(),
      ),
    );
    await expect(get(path, visitor)).rejects.toThrow('aborted');
  });

  test('ends where its browser leaves, and waits for a slow one', async () => {
    const visitor = await signIn();
    let made = 0;
    const bytes = Readable.from(
      (async function* () {
        for (; made < 1000; made++) yield Buffer.alloc(256 * 1024);
      })(),
      { objectMode: false },
    );
    const path = offer(bytes);
    const asked = request({ host: '127.0.0.1', port: open.port, path, headers: visitor, agent: false }).end();
    const [answered] = (await once(asked, 'response')) as [IncomingMessage];
    answered.once('error', () => {});
    await expect.poll(() => made).toBeGreaterThan(0);
    // What sockets of this system hold is far below 250 MiB.
    await expect.poll(() => bytes.readableFlowing).toBe(false);
    expect(made).toBeLessThan(200);
    answered.destroy();
    await expect.poll(() => bytes.destroyed).toBe(true);
    expect(made).toBeLessThan(200);
  });
});
