import { once } from 'node:events';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { Principal } from '#core/api/call.ts';
import { openSession } from '#core/bridge/session.ts';
import { createEventBus } from '#core/base/event-bus.ts';
import { PERMISSIONS } from '#shared/schema/schemas.ts';
import { decodeMessage, encodeMessage, type ColumnPage, type ServerMessage } from '#shared/bridge/wire.ts';
import { CREDIT } from '#shared/values/credit.ts';
import {
  folder,
  open,
  heard,
  windows,
  post,
  letIn,
  origin,
  dial,
  refusedWith,
  openConsoleForEach,
} from './console-fixture.ts';
import { answer, openTestDoors } from './fixture.ts';

openConsoleForEach();

const OWNER: Principal = {
  account_id: 'a',
  permissions: new Set(PERMISSIONS),
  project_ids: null,
  key_id: null,
  by: { kind: 'window', name: 'tester' },
};

describe('the socket', () => {
  test('carries messages both ways as frames of shared/bridge/wire.ts', async () => {
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

  test('takes one message a turn, however many come at once', async () => {
    const socket = dial({ ...(await letIn()), origin: origin() });
    await once(socket, 'open');
    const frames = Array.from({ length: 500 }, (_, n) => encodeMessage({ type: 'more', n: n + 1 }));
    for (const frame of frames) socket.send(frame);
    const seen = new Set<number>();
    while (heard.length < frames.length) {
      seen.add(heard.length);
      await setImmediate();
    }
    expect(seen.size).toBeGreaterThan(frames.length / 2);
    socket.close();
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

  test('cuts off a window that does not read what it asks for, and no other one', async () => {
    const piece = { offset: 0, total: 1, timestamps: new Float64Array(1 << 20), columns: [] };
    const postPiece = () => post({ type: 'arrays', n: 1, arrays: piece });
    const headers = { ...(await letIn()), origin: origin() };
    const reading = dial(headers);
    await once(reading, 'open');
    for (let n = 0; n < 20; n++) {
      const read = once(reading, 'message');
      postPiece();
      await read;
    }
    expect(windows).toEqual({ opened: 1, closed: 0 });
    const stuck = dial(headers);
    await once(stuck, 'open');
    stuck.pause();
    let posted = 0;
    while (windows.closed === 0 && posted++ < 20) {
      postPiece();
      await setImmediate();
    }
    expect(windows).toEqual({ opened: 2, closed: 1 });
    expect(posted).toBeGreaterThan(8);
    expect(open.logged).toEqual([
      expect.stringMatching(/^A window of the console was cut off: it left \d{8} bytes unread\.$/),
    ]);
    stuck.terminate();
    expect(reading.readyState).toBe(WebSocket.OPEN);
    reading.close();
  });

  test('keeps a window that is slow to read, however many charts it has given up meanwhile', async () => {
    const log = { info: expect.unreachable, warn: expect.unreachable, error: expect.unreachable };
    const made = { pieces: 0, closed: 0 };
    async function* pieces(): AsyncGenerator<ColumnPage, null, undefined> {
      for (;;) {
        made.pieces++;
        yield { offset: 0, total: 1, timestamps: new Float64Array(1 << 19), columns: [] };
        await setImmediate();
      }
    }
    const doors = await openTestDoors(
      { rendererDirectory: join(folder, 'renderer') },
      {
        openWindow(send, wire) {
          const session = openSession({
            dispatch: ({ id }) => Promise.resolve({ ...answer(id, null), arrays: pieces() }),
            authenticate: () => OWNER,
            events: createEventBus(),
            post: send,
            wire,
            log,
          });
          return {
            receive: (message) => session.receive(message),
            close() {
              made.closed++;
              session.close();
            },
          };
        },
      },
    );
    const { cookie, 'sec-websocket-protocol': protocols } = await letIn(doors);
    const socket = new WebSocket(`ws://127.0.0.1:${doors.port}/console/socket`, protocols.split(', '), {
      headers: { cookie, origin: `http://127.0.0.1:${doors.port}` },
    });
    await once(socket, 'open');
    const input = { project_id: 'p', device_id: 'd', keys: [] };
    const show = async (n: number) => {
      const before = made.pieces;
      socket.send(encodeMessage({ type: 'stream', n, id: 'chart.columns', input }));
      for (let turn = 0; turn < 50 && made.pieces < before + CREDIT; turn++) await setImmediate();
    };
    socket.pause();
    for (let n = 1; n <= 5; n++) {
      await show(n);
      socket.send(encodeMessage({ type: 'cancel', n }));
    }
    await show(6);
    const whileStuck = made.pieces;
    expect(whileStuck).toBeLessThan(3 * CREDIT);
    const shown = new Promise<void>((resolve) =>
      socket.on('message', (data: Buffer) => {
        const message = decodeMessage(new Uint8Array(data)) as ServerMessage;
        if (message.type === 'arrays' && message.n === 6) resolve();
      }),
    );
    socket.resume();
    await shown;
    expect(made.closed).toBe(0);
    socket.terminate();
    await expect.poll(() => made.closed).toBe(1);
    await doors.close();
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
