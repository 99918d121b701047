import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import { succeeded } from '#shared/schema/envelope.ts';
import {
  decodeMessage,
  encodeMessage,
  type ClientMessage,
  type PostedMessage,
  type ServerMessage,
} from '#shared/bridge/wire.ts';
import { createSocketPort } from '../../../../renderer/bridge/socket-port.ts';
import { PATIENTLY } from '../../../helpers/patiently.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A service's end of the socket: what it heard, and who is there. */
async function listen(port = 0) {
  const server = new WebSocketServer({ host: '127.0.0.1', port });
  await new Promise((resolve) => server.once('listening', resolve));
  const heard: ClientMessage[] = [];
  server.on('connection', (socket) => {
    socket.on('message', (frame: Buffer) =>
      heard.push(decodeMessage(new Uint8Array(frame)) as ClientMessage),
    );
  });
  const close = () =>
    new Promise<void>((resolve) => {
      for (const client of server.clients) client.terminate();
      server.close(() => resolve());
    });
  closers.push(close);
  return {
    heard,
    close,
    clients: server.clients,
    port: (server.address() as AddressInfo).port,
  };
}

const call = (n: number): ClientMessage => ({ type: 'call', n, id: 'projects.list', input: {} });

test('what is posted before the socket opens goes out once it does', async () => {
  const service = await listen();
  const port = createSocketPort(`ws://127.0.0.1:${service.port}`, () => [], {
    opened: () => {},
    lost: () => {},
    reopening: () => Promise.resolve(),
  });
  port.post(call(1));
  await vi.waitUntil(() => service.heard.length === 1, PATIENTLY);
  expect(service.heard).toEqual([call(1)]);
});

test('messages arrive until the listener leaves', async () => {
  const service = await listen();
  const port = createSocketPort(`ws://127.0.0.1:${service.port}`, () => [], {
    opened: () => {},
    lost: () => {},
    reopening: () => Promise.resolve(),
  });
  const messages: PostedMessage[] = [];
  const stop = port.listen((message) => messages.push(message));
  await vi.waitUntil(() => service.clients.size === 1, PATIENTLY);
  const reply: ServerMessage = { type: 'reply', n: 1, envelope: succeeded('get projects', 200, 'Here.', []) };
  const [client] = service.clients;
  client?.send(encodeMessage(reply));
  await vi.waitUntil(() => messages.length === 1, PATIENTLY);
  expect(messages).toEqual([reply]);
  stop();
  client?.send(encodeMessage(reply));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(messages).toHaveLength(1);
});

test('a lost socket opens again, and subscriptions are said anew by whoever hears it opened', async () => {
  const first = await listen();
  const events: string[] = [];
  const port = createSocketPort(`ws://127.0.0.1:${first.port}`, () => [], {
    opened() {
      events.push('opened');
      port.post({ type: 'subscribe', topic: 'records.stored', filter: {} });
    },
    lost: () => events.push('lost'),
    reopening: () => Promise.resolve(events.push('reopening')),
  });
  await vi.waitUntil(() => first.heard.length === 1, PATIENTLY);
  await first.close();
  await vi.waitUntil(() => events.includes('lost'), PATIENTLY);
  port.post({ type: 'subscribe', topic: 'projects.changed', filter: {} });
  const second = await listen(first.port);
  await vi.waitUntil(() => second.heard.length === 1, PATIENTLY);
  expect(events.filter((event) => event === 'opened')).toHaveLength(2);
  // Whether the service still knows the page is asked before each try.
  expect(events.slice(0, 3)).toEqual(['opened', 'lost', 'reopening']);
  expect(second.heard).toEqual([{ type: 'subscribe', topic: 'records.stored', filter: {} }]);
});
