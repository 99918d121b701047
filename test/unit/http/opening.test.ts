import { connect, createServer } from 'node:net';
import { once } from 'node:events';
import { request as httpRequest, Agent, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { answer, ask, AUTHORIZED, openTestDoors } from './fixture.ts';

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
    const closed = open.doors.close(50_000).then(() => performance.now());
    const [reply] = await replied;
    reply.resume();
    expect(reply.statusCode).toBe(200);
    await once(reply, 'end');
    const ended = performance.now();
    expect((await closed) - ended).toBeLessThan(25_000);
    agent.destroy();
    await expect(ask(open.port, 'GET', '/')).rejects.toThrow('ECONNREFUSED');
  });

  test('a close does not wait for connections that have asked nothing', async () => {
    const open = await openTestDoors();
    const ahead = connect(open.port, '127.0.0.1');
    await once(ahead, 'connect');
    const began = performance.now();
    await Promise.all([open.doors.close(50_000), once(ahead.resume(), 'close')]);
    expect(performance.now() - began).toBeLessThan(25_000);
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

test('a door that shuts answers what was just sent over a new connection', async () => {
  const open = await openTestDoors({ tls: false });
  const { port } = new URL(open.doors.base_url);
  const socket = connect(Number(port), '127.0.0.1');
  await once(socket, 'connect');
  // Connections are taken in their order: by this answer the door has that one.
  await fetch(open.doors.base_url);
  const closed = open.doors.close(3000);
  socket.write('GET /readyz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n');
  expect(await text(socket)).toMatch(/^HTTP\/1.1 200 /);
  await closed;
});
