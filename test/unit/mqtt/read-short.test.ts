import * as fc from 'fast-check';
import { generate, parser, type Packet } from 'mqtt-packet';
import { expect, test } from 'vitest';
import { checkPacket } from '#core/mqtt/packets/check-packet.ts';
import type { Version } from '#core/mqtt/packets/version.ts';
import { readShort } from '#core/mqtt/packets/read-short.ts';

/** What the library makes of a packet that is checked; null where it, or the check, refuses it. */
function readByLibrary(frame: Buffer, version: Version): Packet | null {
  const reader = parser({ protocolVersion: version });
  const got: Packet[] = [];
  let hasFailed = false;
  reader.on('packet', (packet) => got.push(packet));
  reader.on('error', () => (hasFailed = true));
  try {
    checkPacket(frame, version);
    if (reader.parse(frame) > 0) return null;
  } catch {
    return null;
  }
  const [packet] = got;
  return hasFailed || packet === undefined || (packet.messageId ?? 1) < 1 ? null : packet;
}

const versions = fc.constantFrom<Version>(4, 5);

function expectTheSame(frame: Buffer, version: Version): void {
  const short = readShort(frame, version);
  if (short === null) return;
  const { cmd, messageId } = short;
  expect(readByLibrary(frame, version)).toMatchObject(cmd === 'publish' ? { ...short } : { cmd, messageId });
}

test('a PUBLISH without properties is read, as the library reads it', () => {
  const anyone = fc.record({
    topic: fc.stringMatching(/^[ -~]{1,200}$/),
    payload: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    qos: fc.constantFrom(0, 1, 2),
    retain: fc.boolean(),
    dup: fc.boolean(),
    messageId: fc.integer({ min: 1, max: 65_535 }),
  });
  // DUP with QoS 0 is malformed (3.3.1.1).
  const publish = anyone.map((packet) => ({ ...packet, dup: packet.dup && packet.qos > 0 }));
  fc.assert(
    fc.property(publish, versions, (packet, protocolVersion) => {
      const frame = generate({ cmd: 'publish', ...packet }, { protocolVersion });
      const short = readShort(frame, protocolVersion);
      expect(short).not.toBeNull();
      const { messageId, ...others } = packet;
      expect(short).toEqual({ cmd: 'publish', ...others, ...(packet.qos > 0 && { messageId }) });
      expectTheSame(frame, protocolVersion);
    }),
  );
});

test('whatever else is read is read as the library reads it, and nothing that is refused', () => {
  // A whole packet of a PUBLISH or a PUBACK, what is in it made up.
  const body = fc.oneof(
    fc.uint8Array({ maxLength: 20 }),
    fc
      .tuple(fc.uint8Array({ maxLength: 8 }), fc.uint8Array({ maxLength: 8 }))
      .map(([topic, rest]) => Uint8Array.from([0, topic.length, ...topic, ...rest])),
  );
  fc.assert(
    fc.property(fc.integer({ min: 0x30, max: 0x4f }), body, versions, (first, bytes, version) => {
      expectTheSame(Buffer.from([first, bytes.length, ...bytes]), version);
    }),
    { numRuns: 2000 },
  );
});
