import { describe, expect, test } from 'vitest';
import { EncodedJson, type Answer } from '#core/api/call.ts';
import { Refusal } from '#core/base/errors.ts';
import { CHUNK_BYTES } from '#shared/bridge/wire.ts';
import { answer, DEVICE, openTestSession, tick } from './fixture.ts';

/* What one window may have under way at once, so that it stops nobody. */

const MOST = 64;
const call = (n: number) => ({ type: 'call', n, id: 'projects.list', input: {} });

/** A session whose requests are answered one by one. */
function openSlow() {
  const open = openTestSession();
  const ends: (() => void)[] = [];
  open.handle = ({ id }) => new Promise<Answer>((resolve) => ends.push(() => resolve(answer(id, null))));
  return { open, ends };
}

describe('of calls', () => {
  test('64 are under way at once, and no more is read until one has ended', async () => {
    const { open, ends } = openSlow();
    for (let n = 1; n < MOST; n++) open.session.receive(call(n));
    await tick();
    expect([ends.length, open.isRead]).toEqual([MOST - 1, true]);
    // What had come already when reading stopped waits.
    for (let n = MOST; n <= MOST + 3; n++) open.session.receive(call(n));
    await tick();
    expect([ends.length, open.isRead]).toEqual([MOST, false]);
    for (let n = 0; n < 3; n++) ends[n]?.();
    await tick();
    expect([ends.length, open.isRead]).toEqual([MOST + 3, false]);
    for (const end of ends) end();
    await tick();
    expect([open.posted.length, open.isRead]).toEqual([MOST + 3, true]);
  });

  test('those that are cancelled count until their work has ended', async () => {
    const { open, ends } = openSlow();
    for (let n = 1; n <= MOST; n++) {
      open.session.receive(call(n));
      await tick();
      open.session.receive({ type: 'cancel', n });
    }
    expect([ends.length, open.isRead]).toEqual([MOST, false]);
    ends[0]?.();
    await tick();
    expect([open.isRead, open.posted]).toEqual([true, []]);
  });
});

test('of files and charts 64 are under way at once; one more is refused, and what runs is read on', async () => {
  const { open, ends } = openSlow();
  const download = (n: number) => ({ type: 'download', n, id: 'records.export', input: DEVICE });
  for (let n = 1; n <= MOST + 1; n++) open.session.receive(download(n));
  await tick();
  expect([ends.length, open.isRead]).toEqual([MOST, true]);
  expect(open.posted).toMatchObject([{ n: MOST + 1, envelope: { status: 429 } }]);
  for (const end of ends) end();
  await tick();
  open.session.receive(download(MOST + 2));
  await tick();
  expect(ends).toHaveLength(MOST + 1);
});

test('what a window sends takes its room while it is under way, and is refused where there is none', async () => {
  const held: number[] = [];
  const open = openTestSession(() => {
    let own = 0;
    return {
      take(bytes) {
        if (bytes > 5_000_000) throw new Refusal(429, 'Too much at once.');
        held.push((own = bytes));
      },
      release: () => void (own > 0 && held.push(-own)),
    };
  });
  open.handle = ({ id }) => answer(id, null);
  open.session.receive(call(1), 1000);
  open.session.receive(call(2), 6_000_000);
  await tick();
  expect(held).toEqual([1000, -1000]);
  expect(open.posted).toMatchObject([
    { n: 2, envelope: { status: 429, message: 'Too much at once.' } },
    { n: 1, envelope: { status: 200 } },
  ]);
});

test('a chunk that is larger than chunks are is refused', async () => {
  const open = openTestSession();
  open.handle = async ({ id, body }) => {
    for await (const _ of body?.bytes ?? []);
    return answer(id, null);
  };
  open.session.receive({ type: 'upload', n: 1, id: 'records.import', input: DEVICE, size: 1 });
  open.session.receive({ type: 'chunk', n: 1, bytes: new Uint8Array(CHUNK_BYTES + 1) });
  await tick();
  const message = `A chunk has at most ${CHUNK_BYTES} bytes, got ${CHUNK_BYTES + 1}.`;
  expect(open.posted).toMatchObject([{ n: 1, envelope: { status: 400, message } }]);
});

test('a page that is too large for a window is read no further than that, and let go', async () => {
  const open = openTestSession();
  const mebibyte = new Uint8Array(1024 * 1024).fill(32);
  const seen = { pieces: 0, ended: false };
  async function* pieces(): AsyncGenerator<Uint8Array> {
    try {
      for (; seen.pieces < 1000; seen.pieces++) yield mebibyte;
    } finally {
      seen.ended = true;
    }
  }
  open.handle = ({ id }) => answer(id, new EncodedJson(pieces()));
  const asked = open.bridge.call('data.list', { ...DEVICE, page: 1, limit: 10_000, range: 'all' });
  expect(await asked).toMatchObject({ status: 413, message: expect.stringMatching(/Ask for fewer records/) });
  expect(seen).toEqual({ pieces: 8, ended: true });
});
