import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Answer, Call } from '#core/api/call.ts';
import { FILES_PATH, OfferedFiles } from '#core/bridge/offered-files.ts';
import { openSavingWindow } from '#core/bridge/saving-window.ts';
import { openSession, type Session } from '#core/bridge/session.ts';
import { createEventBus } from '#core/base/event-bus.ts';
import { badRequest } from '#core/base/errors.ts';
import { createBridge, type BridgeClient } from '#shared/bridge/bridge-client.ts';
import { portTo } from '#shared/bridge/port-to.ts';
import { CHUNK_BYTES, type PostedMessage, type WindowFileMessage } from '#shared/bridge/wire.ts';
import { CREDIT } from '#shared/values/credit.ts';
import { answer, tick } from './fixture.ts';

/* Files of a window that its browser fetches: no matter how large one is, few pieces of it are held. */

const log = { info() {}, warn() {}, error() {} };
const authenticate = () => {
  throw new Error('Nobody asks who it is.');
};

let handle: (call: Call) => Answer;
let made: number;
let offered: OfferedFiles;
let session: Session;
let bridge: BridgeClient;
let posted: PostedMessage[];

beforeEach(() => {
  made = 0;
  // What a window of the test before says late is none of this one's.
  const said: PostedMessage[] = (posted = []);
  offered = new OfferedFiles();
  const listeners = new Set<(message: PostedMessage) => void>();
  const dispatch = async (call: Call) => handle(call);
  session = openSavingWindow({
    offered,
    open: (post) => openSession({ dispatch, authenticate, events: createEventBus(), post, log }),
    post(message) {
      said.push(message);
      queueMicrotask(() => listeners.forEach((listener) => listener(message)));
    },
  });
  const port = {
    post: (message: unknown) => session.receive(structuredClone(message)),
    listen(listener: (message: PostedMessage) => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  bridge = createBridge(portTo(port, null), () => expect.unreachable());
});
afterEach(() => {
  session.close();
  vi.useRealTimers();
});

/** A file of so many chunks, each of its own number; `made` counts those that were asked for. */
async function* chunks(count: number): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < count; i++) {
    made++;
    yield new Uint8Array(CHUNK_BYTES).fill(i);
  }
}

const file = (bytes: AsyncIterable<Uint8Array>) => () => ({
  ...answer('backup.get', { projects: 1, devices: 1 }),
  download: { type: 'application/x-tar', name: 'x', extension: 'tar', bytes },
});

const about = (number: number) =>
  posted.filter(
    (message): message is WindowFileMessage =>
      (message.type === 'file' || message.type === 'file-over') && message.file === number,
  );
const lastOf = (number: number) => about(number).at(-1);
const noPiece = () => expect.unreachable('The page got a piece.');
const begin = (into: number, signal?: AbortSignal) =>
  bridge.download('backup.get', {}, noPiece, { into, ...(signal && { signal }) });

async function streamOf(number: number) {
  await expect.poll(() => about(number)[0]?.type).toBe('file');
  const [first] = about(number);
  const stream = first?.type === 'file' ? offered.take(first.path) : null;
  if (stream === null) throw new Error('There is no file at its path.');
  return stream;
}

describe('a file that is saved', () => {
  test('is fetched whole, and the page hears how much has come, and that it is over', async () => {
    handle = file(chunks(40));
    const reply = begin(7);
    const stream = await streamOf(7);
    const bytes = buffer(stream);
    expect((await reply).data).toEqual({ projects: 1, devices: 1 });
    expect(lastOf(7)).toMatchObject({ type: 'file', bytes: 40 * CHUNK_BYTES });
    session.receive({ type: 'end-file', file: 7 });
    const whole = await bytes;
    expect(whole.length).toBe(40 * CHUNK_BYTES);
    expect(Array.from({ length: 40 }, (_, i) => whole[i * CHUNK_BYTES + 5])).toEqual(
      Array.from({ length: 40 }, (_, i) => i),
    );
    await expect.poll(() => lastOf(7)).toEqual({ type: 'file-over', file: 7, how: 'whole' });
    const paths = new Set(about(7).map((message) => (message.type === 'file' ? message.path : 'over')));
    expect([...paths]).toEqual([expect.stringMatching(/^files\/[\w-]{43}$/), 'over']);
  });

  test('is made as it is fetched: few pieces are held, whoever reads how slowly', async () => {
    handle = file(chunks(400));
    void begin(1);
    const stream = await streamOf(1);
    await tick();
    // One more is in the hands of the session, which waits for its turn.
    expect(made).toBeLessThanOrEqual(CREDIT + 1);
    let read = 0;
    let most = 0;
    for await (const piece of stream) {
      read += (piece as Uint8Array).length / CHUNK_BYTES;
      most = Math.max(most, made - read);
      if (read % 50 === 0) await tick();
      if (read === 300) break;
    }
    expect(read).toBe(300);
    // Those under credit, one in the stream and one in the session.
    expect(most).toBeLessThanOrEqual(CREDIT + 3);
    await expect.poll(() => lastOf(1)).toEqual({ type: 'file-over', file: 1, how: 'left' });
    await tick();
    expect(made).toBeLessThanOrEqual(300 + CREDIT + 3);
  });

  test('is there once, under a path that nobody guesses', async () => {
    handle = file(chunks(1));
    void begin(1);
    const [first] = await expect
      .poll(() => about(1))
      .toHaveLength(1)
      .then(() => about(1));
    const path = first?.type === 'file' ? first.path : '';
    expect(offered.take(FILES_PATH)).toBeNull();
    expect(offered.take(`${path}x`)).toBeNull();
    expect(offered.take(path)).not.toBeNull();
    expect(offered.take(path)).toBeNull();
  });

  test('may come by two requests, one after the other', async () => {
    let asked = 0;
    handle = ({ id }) => {
      if (asked++ === 0)
        return file(
          (async function* () {
            yield* chunks(3);
            throw badRequest('It broke off.');
          })(),
        )();
      expect(id).toBe('backup.get');
      return file(chunks(2))();
    };
    const first = await begin(4);
    expect(first).toMatchObject({ success: false, message: 'It broke off.' });
    const bytes = buffer(await streamOf(4));
    await begin(4);
    session.receive({ type: 'end-file', file: 4 });
    const whole = await bytes;
    expect([0, 1, 2, 3, 4].map((i) => whole[i * CHUNK_BYTES])).toEqual([0, 1, 2, 0, 1]);
  });

  test('that is refused before its first byte is no file, and says why', async () => {
    handle = () => {
      throw badRequest('No such device.');
    };
    expect(await begin(2)).toMatchObject({ success: false, message: 'No such device.' });
    expect(about(2)).toEqual([]);
  });

  test('is not whole where it is dropped or the window closes', async () => {
    for (const [number, end] of [
      [1, () => session.receive({ type: 'drop-file', file: 1 })],
      [2, () => session.close()],
    ] as const) {
      handle = file(chunks(400));
      void begin(number);
      const stream = await streamOf(number);
      const broken = once(stream, 'error');
      stream.resume();
      end();
      expect(String(await broken)).toContain('before it was whole');
      await expect.poll(() => lastOf(number)).toMatchObject({ type: 'file-over', how: 'left' });
    }
  });

  test('is given up where nobody comes for it within a minute', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    handle = file(chunks(400));
    void begin(1);
    await vi.advanceTimersByTimeAsync(1);
    const [first] = about(1);
    await vi.advanceTimersByTimeAsync(59_000);
    expect(lastOf(1)).toMatchObject({ type: 'file' });
    await vi.advanceTimersByTimeAsync(1_001);
    expect(lastOf(1)).toEqual({ type: 'file-over', file: 1, how: 'not-fetched' });
    expect(first?.type === 'file' && offered.take(first.path)).toBeNull();
    expect(made).toBeLessThanOrEqual(CREDIT + 1);
  });
});

test('a download without a file goes to the page, beside one with', async () => {
  handle = file(chunks(20));
  const pieces: number[] = [];
  const reply = bridge.download('backup.get', {}, (piece) => void pieces.push(piece.length));
  handle = file(chunks(20));
  const bytes = begin(1).then(() => session.receive({ type: 'end-file', file: 1 }));
  expect((await buffer(await streamOf(1))).length).toBe(20 * CHUNK_BYTES);
  await bytes;
  expect((await reply).success).toBe(true);
  expect(pieces).toEqual(Array.from({ length: 20 }, () => CHUNK_BYTES));
});

test('of more files than a window may have at once the bytes come to the page', async () => {
  handle = () => file(chunks(1))();
  for (let number = 1; number <= 64; number++) await begin(number);
  let bytes = 0;
  const take = (piece: Uint8Array) => void (bytes += piece.length);
  expect((await bridge.download('backup.get', {}, take, { into: 65 })).success).toBe(true);
  expect([bytes, about(65)]).toEqual([CHUNK_BYTES, []]);
});
