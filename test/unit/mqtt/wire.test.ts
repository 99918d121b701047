import { Duplex } from 'node:stream';
import { expect, test } from 'vitest';
import { Slices } from '#core/turns/slices.ts';
import { MOST_UNREAD } from '#core/mqtt/limits.ts';
import { Wire, type WireEvents } from '#core/mqtt/packets/wire.ts';

/* A client that reads nothing of what it is sent. */

function wireToNobody() {
  const stream = new Duplex({ read() {}, write() {} });
  const ignore = () => {};
  const events: WireEvents = {
    taken: ignore,
    heard: ignore,
    over: ignore,
    connect: ignore,
    packet: ignore,
    large: ignore,
    tooLarge: ignore,
    failed: ignore,
    closed: ignore,
  };
  const wire = new Wire(stream, events, new Slices());
  return { wire, stream };
}

const message = (bytes: number) =>
  ({
    cmd: 'publish',
    topic: 'a',
    payload: Buffer.alloc(bytes),
    qos: 0,
    retain: false,
    dup: false,
  }) as const;
const answer = { cmd: 'suback', messageId: 1, granted: Array.from({ length: 10_000 }, () => 0) } as const;

test('who leaves more answers unread than may wait is cut off', async () => {
  const { wire, stream } = wireToNobody();
  let bytes = 0;
  for (; bytes < 2 * MOST_UNREAD && !stream.destroyed; bytes += 10_000) {
    wire.send({ ...answer, granted: [...answer.granted] });
    await new Promise(setImmediate);
  }
  expect(stream.destroyed).toBe(true);
  expect(bytes).toBeGreaterThan(MOST_UNREAD - 20_000);
});

test('who has a large message on the way is not, nor for an answer behind it', async () => {
  const { wire, stream } = wireToNobody();
  wire.message(message(3 * MOST_UNREAD), () => {});
  await new Promise(setImmediate);
  wire.send({ cmd: 'pingresp' });
  await new Promise(setImmediate);
  expect(stream.destroyed).toBe(false);
  expect(wire.unread).toBeGreaterThan(3 * MOST_UNREAD);
});
