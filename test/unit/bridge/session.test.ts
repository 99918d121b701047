import { beforeEach, describe, expect, test } from 'vitest';
import { EncodedJson, type Answer, type Call, type Principal } from '#core/api/call.ts';
import { openSession, type Session } from '#core/bridge/session.ts';
import { createEventBus } from '#core/event-bus.ts';
import { badRequest, notFound, Refusal } from '#core/errors.ts';
import { answerTo } from '#core/api/dispatch.ts';
import { createBridge, type BridgeClient } from '#shared/bridge-client.ts';
import type { Port } from '#shared/bridge.ts';
import { failed, succeeded } from '#shared/envelope.ts';
import { operationOf, type ArraysId } from '#shared/operations/index.ts';
import { PERMISSIONS } from '#shared/schemas.ts';
import { CHUNK_BYTES, CREDIT, type ClientMessage, type ServerMessage } from '#shared/wire.ts';

const OWNER: Principal = {
  account_id: 'a',
  permissions: new Set(PERMISSIONS),
  project_ids: null,
  key_id: null,
};
const DEVICE = { project_id: 'p', device_id: 'd' };
const PROJECT = { account_id: 'a', project_id: 'p' };
const tick = () => new Promise((resolve) => setTimeout(resolve, 5));

let handle: (call: Call) => Answer | Promise<Answer>;
let session: Session;
let bridge: BridgeClient;
const events = createEventBus();
const posted: ServerMessage[] = [];
const sent: ClientMessage[] = [];
const logged: string[] = [];
let deliver: boolean;

beforeEach(() => {
  posted.length = sent.length = logged.length = 0;
  deliver = true;
  const keep = (message: string) => void logged.push(message);
  const log = { info: keep, warn: keep, error: keep };
  const listeners = new Set<(message: ServerMessage) => void>();
  session = openSession({
    dispatch: async (call) => {
      try {
        expect(call.authenticate()).toBe(OWNER);
        return await handle(call);
      } catch (error) {
        return answerTo(operationOf(call.id).action, error, log);
      }
    },
    authenticate: () => OWNER,
    events,
    post(message) {
      posted.push(message);
      const copy = structuredClone(message);
      if (deliver) queueMicrotask(() => listeners.forEach((listener) => listener(copy)));
    },
    log,
  });
  const port: Port = {
    post(message) {
      sent.push(message);
      session.receive(structuredClone(message));
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  bridge = createBridge(port, () => expect.unreachable());
});

function answer(id: Call['id'], data: unknown): Answer {
  const { action, status, message } = operationOf(id);
  return { envelope: succeeded(action, status, message, data) };
}

describe('a call', () => {
  test('gets the envelope of its operation', async () => {
    handle = ({ id, input }) => answer(id, input);
    const envelope = await bridge.call('projects.get', { project_id: 'p' });
    expect(envelope).toEqual(
      succeeded('get project', 200, 'Project retrieved successfully.', { project_id: 'p' }),
    );
  });

  test('gets a page, which is JSON text in the store, as values: whole, or in pieces that split a character', async () => {
    const page = [{ timestamp: '2026-03-02T20:30:21.202946Z', name: 'größe \ud800 🔥', value: -0.5 }];
    const bytes = new TextEncoder().encode(JSON.stringify(page));
    async function* pieces(): AsyncGenerator<Uint8Array> {
      for (const byte of bytes) yield Uint8Array.of(byte);
    }
    for (const data of [new EncodedJson(bytes), new EncodedJson(pieces())]) {
      handle = ({ id }) => answer(id, data);
      const envelope = await bridge.call('data.list', { ...DEVICE, page: 1, limit: 10, range: 'all' });
      expect(envelope.data).toEqual(page);
    }
  });

  test('gets a refusal as an envelope', async () => {
    handle = () => {
      throw notFound('Project');
    };
    expect(await bridge.call('projects.get', { project_id: 'x' })).toEqual(
      failed('get project', 404, 'Project not found.'),
    );
  });

  test('that is cancelled tells its handler, and no reply follows', async () => {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    let signal: AbortSignal | undefined;
    handle = (call) => {
      signal = call.signal;
      return promise;
    };
    const controller = new AbortController();
    const result = bridge.call('projects.list', {}, { signal: controller.signal });
    controller.abort(new Error('changed my mind'));
    await expect(result).rejects.toThrow('changed my mind');
    expect(signal?.aborted).toBe(true);
    resolve(answer('projects.list', []));
    await tick();
    expect(posted).toEqual([]);
  });

  test('of what is no call says how to ask', async () => {
    session.receive({ type: 'call', n: 1, id: 'records.export', input: {} });
    session.receive({ type: 'download', n: 2, id: 'records.import', input: {} });
    await tick();
    expect(posted.map((message) => message.type === 'reply' && message.envelope.message)).toEqual([
      'records.export must be sent as "download", not as "call".',
      'records.import must be sent as "upload", not as "download".',
    ]);
  });
});

test.each([
  ['nothing', null],
  ['text', 'call'],
  ['an unknown type', { type: 'shutdown', n: 1 }],
  ['an unknown operation', { type: 'call', n: 1, id: 'toString', input: {} }],
  ['a number that is none', { type: 'cancel', n: Number.NaN }],
  ['an unknown topic', { type: 'subscribe', topic: 'secrets', filter: {} }],
  ['a subscription to no one knows what', { type: 'subscribe', topic: 'records.stored', filter: 'all' }],
  ['a chunk that is not bytes', { type: 'chunk', n: 1, bytes: 'abc' }],
  ['a stream of nothing', { type: 'stream', n: 1, input: DEVICE }],
])('%s is logged and ignored', async (_, message) => {
  session.receive(message);
  await tick();
  expect(posted).toEqual([]);
  expect(logged).toEqual([expect.stringContaining('not a message')]);
});

test('a window that sends nothing but nonsense does not fill the log, and is answered all the same', async () => {
  for (let n = 0; n < 1000; n++) session.receive({ type: 'nonsense', n });
  expect(logged).toHaveLength(21);
  expect(logged.at(-1)).toContain('not logged');
  handle = ({ id, input }) => answer(id, input);
  expect(await bridge.call('projects.get', { project_id: 'p' })).toMatchObject({ status: 200 });
});

test('the second of two requests of one number is ignored', async () => {
  handle = ({ id, input }) => answer(id, input);
  for (const project_id of ['first', 'second'])
    session.receive({ type: 'call', n: 1, id: 'projects.get', input: { project_id } });
  await tick();
  expect(posted).toMatchObject([{ type: 'reply', n: 1, envelope: { data: { project_id: 'first' } } }]);
});

describe('an upload', () => {
  const file = (size: number) => new Blob([new Uint8Array(size).map((_, index) => index % 251)]);

  test('arrives whole, in order, with its size, and reports what was taken', async () => {
    const size = 20 * CHUNK_BYTES + 7;
    const seen: number[] = [];
    handle = async ({ id, body }) => {
      const pieces: Uint8Array[] = [];
      for await (const piece of body?.bytes ?? []) pieces.push(piece);
      const whole = Buffer.concat(pieces);
      return answer(id, {
        size: body?.size,
        same: whole.equals(Buffer.from(await file(size).arrayBuffer())),
      });
    };
    const options = { onProgress: (bytes: number) => void seen.push(bytes) };
    const envelope = await bridge.upload('records.import', DEVICE, file(size), options);
    expect(envelope.data).toEqual({ size, same: true });
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(seen.length).toBeGreaterThanOrEqual(20);
  });

  test('waits for its reader: never more than the window under way', async () => {
    const { promise: go, resolve } = Promise.withResolvers<void>();
    handle = async ({ id, body }) => {
      await go;
      for await (const _ of body?.bytes ?? []);
      return answer(id, null);
    };
    const result = bridge.upload('records.import', DEVICE, file(30 * CHUNK_BYTES));
    const chunks = () => sent.filter(({ type }) => type === 'chunk').length;
    await expect.poll(chunks).toBe(CREDIT);
    await tick();
    expect(chunks()).toBe(CREDIT);
    resolve();
    expect((await result).status).toBe(200);
    expect(chunks()).toBe(30);
  });

  test('of an empty file ends at once', async () => {
    handle = async ({ id, body }) => {
      let pieces = 0;
      for await (const _ of body?.bytes ?? []) pieces++;
      return answer(id, pieces);
    };
    expect((await bridge.upload('records.import', DEVICE, file(0))).data).toBe(0);
  });

  test('refused while it is under way ends with the refusal', async () => {
    handle = async ({ body }) => {
      for await (const _ of body?.bytes ?? []) throw badRequest('Line 1 is bad.');
      throw new Error('There was no chunk.');
    };
    const envelope = await bridge.upload('records.import', DEVICE, file(30 * CHUNK_BYTES));
    expect(envelope).toEqual(failed('import records', 400, 'Line 1 is bad.'));
  });

  test('cancelled while its reader waits ends the reading', async () => {
    const { promise: ended, resolve } = Promise.withResolvers<unknown>();
    handle = async ({ id, body }) => {
      try {
        for await (const _ of body?.bytes ?? []);
      } catch (error) {
        resolve(error);
      }
      return answer(id, null);
    };
    session.receive({ type: 'upload', n: 1, id: 'records.import', input: DEVICE, size: 10 });
    session.receive({ type: 'chunk', n: 1, bytes: Uint8Array.of(1) });
    await tick();
    session.receive({ type: 'cancel', n: 1 });
    expect(await ended).toMatchObject({ name: 'AbortError' });
  });

  test('that sends more than it was granted is refused', async () => {
    handle = async ({ id, body }) => {
      await tick();
      for await (const _ of body?.bytes ?? []);
      return answer(id, null);
    };
    session.receive({ type: 'upload', n: 1, id: 'records.import', input: DEVICE, size: 100 });
    for (let i = 0; i <= CREDIT; i++) session.receive({ type: 'chunk', n: 1, bytes: Uint8Array.of(i) });
    await expect.poll(() => posted.at(-1)).toMatchObject({ type: 'reply', envelope: { status: 400 } });
  });
});

describe('a download', () => {
  async function* pieces(count: number, size: number): AsyncGenerator<Uint8Array> {
    for (let i = 0; i < count; i++) yield new Uint8Array(size).fill(i);
  }
  const exported = (bytes: AsyncIterable<Uint8Array>) => ({
    ...answer('records.export', { records: 3 }),
    download: { type: 'text/csv', name: 'x', extension: 'csv', bytes },
  });

  test('arrives in pieces of at most a chunk, then its envelope', async () => {
    handle = () => exported(pieces(3, 2 * CHUNK_BYTES + 1));
    const received: Uint8Array[] = [];
    const envelope = await bridge.download('records.export', DEVICE, (bytes) => void received.push(bytes));
    expect(envelope.data).toEqual({ records: 3 });
    expect(received.map((bytes) => bytes.length)).toEqual(
      [0, 1, 2].flatMap(() => [CHUNK_BYTES, CHUNK_BYTES, 1]),
    );
    expect(received.map((bytes) => bytes[0])).toEqual([0, 0, 0, 1, 1, 1, 2, 2, 2]);
  });

  test('waits for the window: a slow one holds the source back', async () => {
    let made = 0;
    handle = () =>
      exported(
        (async function* () {
          for (; made < 100; made++) yield Uint8Array.of(made);
        })(),
      );
    deliver = false;
    session.receive({ type: 'download', n: 1, id: 'records.export', input: DEVICE });
    await tick();
    expect(posted.filter(({ type }) => type === 'bytes').length).toBe(CREDIT);
    expect(made).toBeLessThanOrEqual(CREDIT + 1);
    session.receive({ type: 'more', n: 1 });
    await tick();
    expect(posted.filter(({ type }) => type === 'bytes').length).toBe(CREDIT + 1);
    session.receive({ type: 'cancel', n: 1 });
    await tick();
    expect(posted.filter(({ type }) => type === 'reply')).toEqual([]);
  });

  test('that is refused has no pieces', async () => {
    handle = () => {
      throw badRequest('No such format.');
    };
    const envelope = await bridge.download('records.export', DEVICE, () => expect.unreachable());
    expect(envelope.status).toBe(400);
  });

  test('that breaks half-way ends as an error whose id the log has', async () => {
    handle = () =>
      exported(
        (async function* () {
          yield Uint8Array.of(1);
          throw new Error('disk on fire');
        })(),
      );
    const envelope = await bridge.download('records.export', DEVICE, () => {});
    expect(envelope.status).toBe(500);
    expect(envelope.message).not.toContain('fire');
    expect(logged.join()).toContain(/error ([0-9a-f-]{36})/.exec(envelope.message)?.[1] ?? 'none');
  });
});

describe('arrays', () => {
  const REQUEST = { ...DEVICE, keys: ['a'] };
  const page = (offset: number) => ({
    offset,
    total: 100,
    timestamps: Float64Array.of(offset),
    columns: [Float64Array.of(-offset)],
  });
  const streamed = (id: ArraysId, arrays: NonNullable<Answer['arrays']>) => ({ ...answer(id, null), arrays });

  test('come piece by piece, then the envelope with what they returned', async () => {
    handle = ({ id, input }) =>
      streamed(
        id as ArraysId,
        (async function* () {
          expect(input).toEqual(REQUEST);
          yield page(0);
          yield page(1);
          return { records: 2 };
        })(),
      );
    const pages: unknown[] = [];
    const envelope = await bridge.stream('chart.columns', REQUEST, (piece) => void pages.push(piece));
    expect(pages).toEqual([page(0), page(1)]);
    expect(envelope).toEqual(succeeded('read columns', 200, 'Columns read successfully.', { records: 2 }));
  });

  test('wait for the window, and stop when it cancels', async () => {
    let made = 0;
    let ended = false;
    handle = ({ id }) =>
      streamed(
        id as ArraysId,
        (async function* () {
          try {
            while (made < 100) yield page(made++);
          } finally {
            ended = true;
          }
        })(),
      );
    deliver = false;
    session.receive({ type: 'stream', n: 1, id: 'chart.columns', input: REQUEST });
    await expect.poll(() => posted.length).toBe(CREDIT);
    await tick();
    expect([posted.length, made, ended]).toEqual([CREDIT, CREDIT, false]);
    session.receive({ type: 'cancel', n: 1 });
    await tick();
    expect([posted.length, made, ended]).toEqual([CREDIT, CREDIT, true]);
  });

  test('that are refused are an envelope', async () => {
    handle = () => {
      throw new Refusal(404, 'Device not found.');
    };
    expect(await bridge.stream('chart.columns', REQUEST, () => expect.unreachable())).toEqual(
      failed('read columns', 404, 'Device not found.'),
    );
  });

  test('that break half-way end as an error whose id the log has', async () => {
    handle = ({ id }) =>
      streamed(
        id as ArraysId,
        (async function* () {
          yield page(0);
          throw new Error('disk on fire');
        })(),
      );
    const envelope = await bridge.stream('chart.columns', REQUEST, () => {});
    expect(envelope).toMatchObject({ status: 500, message: expect.not.stringContaining('fire') });
    expect(logged.join()).toContain(/error ([0-9a-f-]{36})/.exec(envelope.message)?.[1] ?? 'none');
  });

  test('are what only a stream asks for', async () => {
    session.receive({ type: 'call', n: 1, id: 'chart.series', input: { ...REQUEST, width: 2 } });
    session.receive({ type: 'stream', n: 2, id: 'projects.list', input: {} });
    await tick();
    expect(posted.map((message) => message.type === 'reply' && message.envelope.message)).toEqual([
      'chart.series must be sent as "stream", not as "call".',
      'projects.list must be sent as "call", not as "stream".',
    ]);
  });
});

describe('events', () => {
  test('come while their topic is subscribed to, once each', async () => {
    const heard: unknown[] = [];
    const first = bridge.subscribe('projects.changed', (payload) => heard.push(['first', payload]));
    const second = bridge.subscribe('projects.changed', (payload) => heard.push(['second', payload]));
    session.receive({ type: 'subscribe', topic: 'projects.changed', filter: {} });
    events.publish('projects.changed', PROJECT);
    events.publish('records.removed', { ...PROJECT, device_id: 'd' });
    await tick();
    expect(heard).toEqual([
      ['first', PROJECT],
      ['second', PROJECT],
    ]);
    first();
    second();
    events.publish('projects.changed', PROJECT);
    await tick();
    expect(heard.length).toBe(2);
  });
});

test('a window that closes ends all it had under way', async () => {
  const signals: (AbortSignal | undefined)[] = [];
  handle = ({ signal }) => {
    signals.push(signal);
    return new Promise(() => {});
  };
  session.receive({ type: 'subscribe', topic: 'devices.changed', filter: {} });
  session.receive({ type: 'call', n: 1, id: 'projects.list', input: {} });
  session.receive({ type: 'upload', n: 2, id: 'records.import', input: DEVICE, size: 1 });
  session.close();
  events.publish('devices.changed', { ...PROJECT, device_id: 'd' });
  await tick();
  expect(signals.map((signal) => signal?.aborted)).toEqual([true, true]);
  expect(posted).toEqual([]);
});
