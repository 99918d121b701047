import { beforeEach, describe, expect, test } from 'vitest';
import { type Answer } from '#core/api/call.ts';
import { badRequest, Refusal } from '#core/base/errors.ts';
import { failed, succeeded } from '#shared/schema/envelope.ts';
import { type ArraysId } from '#shared/operations/index.ts';
import { CHUNK_BYTES } from '#shared/bridge/wire.ts';
import { CREDIT } from '#shared/values/credit.ts';
import { answer, DEVICE, openTestSession, tick, type TestSession } from './fixture.ts';

let open: TestSession;
beforeEach(() => void (open = openTestSession()));

describe('an upload', () => {
  const file = (size: number) => new Blob([new Uint8Array(size).map((_, index) => index % 251)]);

  test('arrives whole, in order, with its size, and reports what was taken', async () => {
    const size = 20 * CHUNK_BYTES + 7;
    const seen: number[] = [];
    open.handle = async ({ id, body }) => {
      const pieces: Uint8Array[] = [];
      for await (const piece of body?.bytes ?? []) pieces.push(piece);
      const whole = Buffer.concat(pieces);
      return answer(id, {
        size: body?.size,
        same: whole.equals(Buffer.from(await file(size).arrayBuffer())),
      });
    };
    const options = { onProgress: (bytes: number) => void seen.push(bytes) };
    const envelope = await open.bridge.upload('records.import', DEVICE, file(size), options);
    expect(envelope.data).toEqual({ size, same: true });
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(seen.length).toBeGreaterThanOrEqual(20);
  });

  test('waits for its reader: never more than the window under way', async () => {
    const { promise: go, resolve } = Promise.withResolvers<void>();
    open.handle = async ({ id, body }) => {
      await go;
      for await (const _ of body?.bytes ?? []);
      return answer(id, null);
    };
    const result = open.bridge.upload('records.import', DEVICE, file(30 * CHUNK_BYTES));
    const chunks = () => open.sent.filter(({ type }) => type === 'chunk').length;
    await expect.poll(chunks).toBe(CREDIT);
    await tick();
    expect(chunks()).toBe(CREDIT);
    resolve();
    expect((await result).status).toBe(200);
    expect(chunks()).toBe(30);
  });

  test('of an empty file ends at once', async () => {
    open.handle = async ({ id, body }) => {
      let pieces = 0;
      for await (const _ of body?.bytes ?? []) pieces++;
      return answer(id, pieces);
    };
    expect((await open.bridge.upload('records.import', DEVICE, file(0))).data).toBe(0);
  });

  test('refused while it is under way ends with the refusal', async () => {
    open.handle = async ({ body }) => {
      for await (const _ of body?.bytes ?? []) throw badRequest('Line 1 is bad.');
      throw new Error('There was no chunk.');
    };
    const envelope = await open.bridge.upload('records.import', DEVICE, file(30 * CHUNK_BYTES));
    expect(envelope).toEqual(failed('import records', 400, 'Line 1 is bad.'));
  });

  test('cancelled while its reader waits ends the reading', async () => {
    const { promise: ended, resolve } = Promise.withResolvers<unknown>();
    open.handle = async ({ id, body }) => {
      try {
        for await (const _ of body?.bytes ?? []);
      } catch (error) {
        resolve(error);
      }
      return answer(id, null);
    };
    open.session.receive({ type: 'upload', n: 1, id: 'records.import', input: DEVICE, size: 10 });
    open.session.receive({ type: 'chunk', n: 1, bytes: Uint8Array.of(1) });
    await tick();
    open.session.receive({ type: 'cancel', n: 1 });
    expect(await ended).toMatchObject({ name: 'AbortError' });
  });

  test('that sends more than it was granted is refused', async () => {
    open.handle = async ({ id, body }) => {
      await tick();
      for await (const _ of body?.bytes ?? []);
      return answer(id, null);
    };
    open.session.receive({ type: 'upload', n: 1, id: 'records.import', input: DEVICE, size: 100 });
    for (let i = 0; i <= CREDIT; i++) open.session.receive({ type: 'chunk', n: 1, bytes: Uint8Array.of(i) });
    await expect.poll(() => open.posted.at(-1)).toMatchObject({ type: 'reply', envelope: { status: 400 } });
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
    open.handle = () => exported(pieces(3, 2 * CHUNK_BYTES + 1));
    const received: Uint8Array[] = [];
    const envelope = await open.bridge.download(
      'records.export',
      DEVICE,
      (bytes) => void received.push(bytes),
    );
    expect(envelope.data).toEqual({ records: 3 });
    expect(received.map((bytes) => bytes.length)).toEqual(
      [0, 1, 2].flatMap(() => [CHUNK_BYTES, CHUNK_BYTES, 1]),
    );
    expect(received.map((bytes) => bytes[0])).toEqual([0, 0, 0, 1, 1, 1, 2, 2, 2]);
  });

  test('waits for the window: a slow one holds the source back', async () => {
    let made = 0;
    open.handle = () =>
      exported(
        (async function* () {
          for (; made < 100; made++) yield Uint8Array.of(made);
        })(),
      );
    open.deliver = false;
    open.session.receive({ type: 'download', n: 1, id: 'records.export', input: DEVICE });
    await tick();
    expect(open.posted.filter(({ type }) => type === 'bytes').length).toBe(CREDIT);
    expect(made).toBeLessThanOrEqual(CREDIT + 1);
    open.session.receive({ type: 'more', n: 1 });
    await tick();
    expect(open.posted.filter(({ type }) => type === 'bytes').length).toBe(CREDIT + 1);
    open.session.receive({ type: 'cancel', n: 1 });
    await tick();
    expect(open.posted.filter(({ type }) => type === 'reply')).toEqual([]);
  });

  test('that is refused has no pieces', async () => {
    open.handle = () => {
      throw badRequest('No such format.');
    };
    const envelope = await open.bridge.download('records.export', DEVICE, () => expect.unreachable());
    expect(envelope.status).toBe(400);
  });

  test('that breaks half-way ends as an error whose id the log has', async () => {
    open.handle = () =>
      exported(
        (async function* () {
          yield Uint8Array.of(1);
          throw new Error('disk on fire');
        })(),
      );
    const envelope = await open.bridge.download('records.export', DEVICE, () => {});
    expect(envelope.status).toBe(500);
    expect(envelope.message).not.toContain('fire');
    expect(open.logged.join()).toContain(/error ([0-9a-f-]{36})/.exec(envelope.message)?.[1] ?? 'none');
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
    open.handle = ({ id, input }) =>
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
    const envelope = await open.bridge.stream('chart.columns', REQUEST, (piece) => void pages.push(piece));
    expect(pages).toEqual([page(0), page(1)]);
    expect(envelope).toEqual(succeeded('read columns', 200, 'Columns read successfully.', { records: 2 }));
  });

  test('wait for the window, and stop when it cancels', async () => {
    let made = 0;
    let ended = false;
    open.handle = ({ id }) =>
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
    open.deliver = false;
    open.session.receive({ type: 'stream', n: 1, id: 'chart.columns', input: REQUEST });
    await expect.poll(() => open.posted.length).toBe(CREDIT);
    await tick();
    expect([open.posted.length, made, ended]).toEqual([CREDIT, CREDIT, false]);
    open.session.receive({ type: 'cancel', n: 1 });
    await tick();
    expect([open.posted.length, made, ended]).toEqual([CREDIT, CREDIT, true]);
  });

  test('that are refused are an envelope', async () => {
    open.handle = () => {
      throw new Refusal(404, 'Device not found.');
    };
    expect(await open.bridge.stream('chart.columns', REQUEST, () => expect.unreachable())).toEqual(
      failed('read columns', 404, 'Device not found.'),
    );
  });

  test('that break half-way end as an error whose id the log has', async () => {
    open.handle = ({ id }) =>
      streamed(
        id as ArraysId,
        (async function* () {
          yield page(0);
          throw new Error('disk on fire');
        })(),
      );
    const envelope = await open.bridge.stream('chart.columns', REQUEST, () => {});
    expect(envelope).toMatchObject({ status: 500, message: expect.not.stringContaining('fire') });
    expect(open.logged.join()).toContain(/error ([0-9a-f-]{36})/.exec(envelope.message)?.[1] ?? 'none');
  });

  test('are what only a stream asks for', async () => {
    open.session.receive({ type: 'call', n: 1, id: 'chart.series', input: { ...REQUEST, width: 2 } });
    open.session.receive({ type: 'stream', n: 2, id: 'projects.list', input: {} });
    await tick();
    expect(open.posted.map((message) => message.type === 'reply' && message.envelope.message)).toEqual([
      'chart.series must be sent as "stream", not as "call".',
      'projects.list must be sent as "call", not as "stream".',
    ]);
  });
});
