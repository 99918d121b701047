import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Frames } from '#core/mqtt/packets/frames.ts';
import { MOST_OTHER_PACKET, MOST_PACKET } from '#core/mqtt/limits.ts';
import { REASON } from '#core/mqtt/packets/reasons.ts';

const PUBLISH = 0x30;
const SUBSCRIBE = 0x82;

/** A fixed header and so many bytes behind it (2.1.4). */
function packetOf(first: number, length: number): Buffer {
  return Buffer.concat([Buffer.from([first, ...lengthBytes(length)]), Buffer.alloc(length, 7)]);
}

function lengthBytes(length: number): number[] {
  const bytes: number[] = [];
  let rest = length;
  do {
    const low = rest % 128;
    rest = Math.floor(rest / 128);
    bytes.push(rest > 0 ? low + 128 : low);
  } while (rest > 0);
  return bytes;
}

test('packets come out as they went in, however the stream is cut', () => {
  const lengths = fc.array(fc.oneof(fc.nat(5), fc.nat(400), fc.constantFrom(127, 128, 16_383, 16_384)), {
    maxLength: 8,
  });
  fc.assert(
    fc.property(lengths, fc.array(fc.nat(20_000), { maxLength: 20 }), (sizes, cuts) => {
      const packets = sizes.map((size) => packetOf(PUBLISH, size));
      const stream = Buffer.concat(packets);
      const frames = new Frames();
      const got: Buffer[] = [];
      const ends = [...cuts.map((cut) => cut % (stream.length + 1)), stream.length].toSorted((a, b) => a - b);
      let from = 0;
      for (const end of ends) {
        frames.push(stream.subarray(from, end));
        from = end;
        for (let frame = frames.next(); frame !== null; frame = frames.next()) got.push(frame);
      }
      expect(got).toEqual(packets);
      expect(frames.isWaiting).toBe(false);
    }),
  );
});

test('a packet is too large for what it is as soon as its header says so', () => {
  for (const [first, limit] of [
    [PUBLISH, MOST_PACKET],
    [SUBSCRIBE, MOST_OTHER_PACKET],
  ] as const) {
    const header = (length: number) => Buffer.from([first, ...lengthBytes(length)]);
    const largest = limit - header(limit).length;
    const fits = new Frames();
    fits.push(header(largest));
    expect(fits.nextLength()).toBe(limit);
    expect(fits.next()).toBeNull();
    const tooLarge = new Frames();
    tooLarge.push(header(largest + 1));
    expect(() => tooLarge.next()).toThrow(
      expect.objectContaining({
        reason: REASON.packetTooLarge,
        message: expect.stringContaining(String(limit)),
      }),
    );
  }
});

test('a length of five bytes is none', () => {
  const frames = new Frames();
  frames.push(Buffer.from([PUBLISH, 0x80, 0x80, 0x80, 0x80]));
  expect(() => frames.next()).toThrow(expect.objectContaining({ reason: REASON.malformed }));
});
