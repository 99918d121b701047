import { beforeEach, describe, expect, test } from 'vitest';
import { EncodedJson, type Answer } from '#core/api/call.ts';
import { notFound } from '#core/base/errors.ts';
import { failed, succeeded } from '#shared/schema/envelope.ts';
import { answer, DEVICE, openTestSession, tick, type TestSession } from './fixture.ts';

const PROJECT = { account_id: 'a', project_id: 'p' };

let open: TestSession;
beforeEach(() => void (open = openTestSession()));

describe('a call', () => {
  test('gets the envelope of its operation', async () => {
    open.handle = ({ id, input }) => answer(id, input);
    const envelope = await open.bridge.call('projects.get', { project_id: 'p' });
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
      open.handle = ({ id }) => answer(id, data);
      const envelope = await open.bridge.call('data.list', { ...DEVICE, page: 1, limit: 10, range: 'all' });
      expect(envelope.data).toEqual(page);
    }
  });

  test('gets a refusal as an envelope', async () => {
    open.handle = () => {
      throw notFound('Project');
    };
    expect(await open.bridge.call('projects.get', { project_id: 'x' })).toEqual(
      failed('get project', 404, 'Project not found.'),
    );
  });

  test('that is cancelled tells its handler, and no reply follows', async () => {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    let signal: AbortSignal | undefined;
    open.handle = (call) => {
      signal = call.signal;
      return promise;
    };
    const controller = new AbortController();
    const result = open.bridge.call('projects.list', {}, { signal: controller.signal });
    controller.abort(new Error('changed my mind'));
    await expect(result).rejects.toThrow('changed my mind');
    expect(signal?.aborted).toBe(true);
    resolve(answer('projects.list', []));
    await tick();
    expect(open.posted).toEqual([]);
  });

  test('of what is no call says how to ask', async () => {
    open.session.receive({ type: 'call', n: 1, id: 'records.export', input: {} });
    open.session.receive({ type: 'download', n: 2, id: 'records.import', input: {} });
    await tick();
    expect(open.posted.map((message) => message.type === 'reply' && message.envelope.message)).toEqual([
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
  open.session.receive(message);
  await tick();
  expect(open.posted).toEqual([]);
  expect(open.logged).toEqual([expect.stringContaining('not a message')]);
});

test('a window that sends nothing but nonsense does not fill the log, and is answered all the same', async () => {
  for (let n = 0; n < 1000; n++) open.session.receive({ type: 'nonsense', n });
  expect(open.logged).toHaveLength(21);
  expect(open.logged.at(-1)).toContain('not logged');
  open.handle = ({ id, input }) => answer(id, input);
  expect(await open.bridge.call('projects.get', { project_id: 'p' })).toMatchObject({ status: 200 });
});

test('the second of two requests of one number is ignored', async () => {
  open.handle = ({ id, input }) => answer(id, input);
  for (const project_id of ['first', 'second'])
    open.session.receive({ type: 'call', n: 1, id: 'projects.get', input: { project_id } });
  await tick();
  expect(open.posted).toMatchObject([{ type: 'reply', n: 1, envelope: { data: { project_id: 'first' } } }]);
});

describe('events', () => {
  test('come while their topic is subscribed to, once each', async () => {
    const heard: unknown[] = [];
    const first = open.bridge.subscribe('projects.changed', (payload) => heard.push(['first', payload]));
    const second = open.bridge.subscribe('projects.changed', (payload) => heard.push(['second', payload]));
    open.session.receive({ type: 'subscribe', topic: 'projects.changed', filter: {} });
    open.events.publish('projects.changed', PROJECT);
    open.events.publish('records.removed', { ...PROJECT, device_id: 'd' });
    await tick();
    expect(heard).toEqual([
      ['first', PROJECT],
      ['second', PROJECT],
    ]);
    first();
    second();
    open.events.publish('projects.changed', PROJECT);
    await tick();
    expect(heard.length).toBe(2);
  });
});

test('a window that closes ends all it had under way', async () => {
  const signals: (AbortSignal | undefined)[] = [];
  open.handle = ({ signal }) => {
    signals.push(signal);
    return new Promise(() => {});
  };
  open.session.receive({ type: 'subscribe', topic: 'devices.changed', filter: {} });
  open.session.receive({ type: 'call', n: 1, id: 'projects.list', input: {} });
  open.session.receive({ type: 'upload', n: 2, id: 'records.import', input: DEVICE, size: 1 });
  open.session.close();
  open.events.publish('devices.changed', { ...PROJECT, device_id: 'd' });
  await tick();
  expect(signals.map((signal) => signal?.aborted)).toEqual([true, true]);
  expect(open.posted).toEqual([]);
});
