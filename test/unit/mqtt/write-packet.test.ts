import { generate } from 'mqtt-packet';
import { describe, expect, test } from 'vitest';
import { REASON } from '#core/mqtt/packets/reasons.ts';
import { writePacket } from '#core/mqtt/packets/write-packet.ts';

describe.each(['puback', 'pubrec', 'pubrel', 'pubcomp'] as const)('%s', (cmd) => {
  test.each([1, 255, 256, 65_535])('with identifier %i is written as the library writes it', (messageId) => {
    for (const protocolVersion of [4, 5] as const)
      for (const reasonCode of [REASON.success, REASON.idNotFound]) {
        const packet = { cmd, messageId, reasonCode };
        // Success goes without saying (MQTT 5, 3.4.2.1).
        const isShort = reasonCode === REASON.success;
        expect(writePacket(packet, protocolVersion)).toEqual(
          generate(packet, { protocolVersion: isShort ? 4 : protocolVersion }),
        );
        const worded = { ...packet, properties: { reasonString: 'not JSON' } };
        expect(writePacket(worded, protocolVersion)).toEqual(generate(worded, { protocolVersion }));
      }
  });
});
