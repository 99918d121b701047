import { Duplex } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SHARED_PAYLOAD, UNTAKEN_MS } from '#core/mqtt/limits.ts';
import { Sending } from '#core/mqtt/packets/sending.ts';
import { writePublish } from '#core/mqtt/packets/write-packet.ts';
import { Room } from '#core/mqtt/sessions/room.ts';
import { Session } from '#core/mqtt/sessions/session.ts';
import { generate } from 'mqtt-packet';

/* What is on its way to a client, and for how long it is counted. */

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A client that takes what it is sent when it is told to. */
function client() {
  const pending: (() => void)[] = [];
  const got: Buffer[] = [];
  const stream = new Duplex({
    read() {},
    write(bytes: Buffer, _encoding, done) {
      got.push(bytes);
      pending.push(done);
    },
  });
  const takeOne = async () => {
    pending.shift()?.();
    // A callback of a stream is called in the next tick.
    await Promise.resolve().then(() => new Promise<void>((resolve) => process.nextTick(resolve)));
  };
  return { stream, got, sending: new Sending(stream, () => {}), takeOne };
}

const message = (bytes: number) => ({
  topic: 'pump',
  payload: Buffer.alloc(bytes, 'x'),
  qos: 0 as const,
  retain: false,
  properties: {},
  expiresAt: null,
  at: 0,
  times: null,
  from: null,
});

test('a large message is handed out in pieces, as they are taken, and is whole', async () => {
  const { sending, got, takeOne } = client();
  let left = 0;
  const payload = Buffer.from(Array.from({ length: 300_000 }, (_, i) => i % 251));
  sending.message([Buffer.from('head'), payload], () => void left++);
  sending.flush();
  // As much as a socket has at once, whatever TLS makes of it.
  expect(sending.unread).toBe(300_004);
  expect(got).toHaveLength(1);
  for (let i = 0; i < 20; i++) await takeOne();
  expect(left).toBe(1);
  expect(sending.unread).toBe(0);
  expect(Buffer.concat(got)).toEqual(Buffer.concat([Buffer.from('head'), payload]));
});

test('who takes nothing of it for a minute is ended, who takes a little is not', async () => {
  const { sending, stream, takeOne } = client();
  sending.message([Buffer.alloc(1_000_000)], () => {});
  sending.flush();
  for (let i = 0; i < 5; i++) {
    vi.advanceTimersByTime(UNTAKEN_MS - 1);
    await takeOne();
  }
  expect(stream.destroyed).toBe(false);
  vi.advanceTimersByTime(UNTAKEN_MS);
  expect(stream.destroyed).toBe(true);
});

test('who has nothing to take may be silent for as long as it likes', async () => {
  const { sending, stream, takeOne } = client();
  sending.answer(Buffer.alloc(2));
  sending.flush();
  await takeOne();
  vi.advanceTimersByTime(10 * UNTAKEN_MS);
  expect(stream.destroyed).toBe(false);
  sending.answer(Buffer.alloc(2));
  sending.flush();
  vi.advanceTimersByTime(UNTAKEN_MS);
  expect(stream.destroyed).toBe(true);
});

test('what never leaves has left when the connection is over', () => {
  const { sending } = client();
  let left = 0;
  for (let i = 0; i < 3; i++) sending.message([Buffer.alloc(50_000)], () => void left++);
  sending.flush();
  sending.close();
  expect([left, sending.unread]).toEqual([3, 0]);
});

test('the payload of a large message is one piece of memory for all who get it, and is counted once until the last has it', () => {
  const large = message(100_000);
  const packet = { cmd: 'publish', ...large, dup: false } as const;
  expect(writePublish(packet, 5)[1]).toBe(large.payload);
  const room = new Room(250_000);
  const sessions = Array.from({ length: 50 }, (_, i) => {
    const session = new Session({ uid: `${i}`, device: 'pump', clientId: `${i}`, expiry: 0 }, room);
    const delivery = { message: large, qos: 0, retain: false, subscriptionIds: [] } as const;
    const queued = session.enqueue(delivery, true);
    expect(queued).not.toBeNull();
    session.dequeue();
    return { session, queued: queued! };
  });
  const other = { ...large, payload: Buffer.alloc(160_000) };
  const enqueueOther = () =>
    sessions[0]!.session.enqueue({ message: other, qos: 0, retain: false, subscriptionIds: [] }, true);
  expect(enqueueOther()).toBeNull();
  for (const { session, queued } of sessions) session.left(queued);
  expect(enqueueOther()).not.toBeNull();
});

test.each([0, 1, SHARED_PAYLOAD - 1, SHARED_PAYLOAD, 16_380, 16_384, 2_097_150, 2_097_152])(
  'a PUBLISH of %i bytes is written as the library writes it',
  (bytes) => {
    for (const version of [4, 5] as const)
      for (const qos of [0, 1] as const) {
        const packet = {
          cmd: 'publish',
          ...message(bytes),
          qos,
          messageId: 7,
          dup: false,
          properties: { contentType: 'x' },
        } as const;
        const whole = generate(packet, { protocolVersion: version });
        expect(Buffer.concat(writePublish(packet, version)).equals(whole)).toBe(true);
      }
  },
);
