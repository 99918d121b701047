import { generate } from 'mqtt-packet';
import { describe, expect, test } from 'vitest';
import { REASON } from '#core/mqtt/reasons.ts';
import { writePacket } from '#core/mqtt/write-packet.ts';

describe.each(['puback', 'pubrec', 'pubcomp'] as const)('%s', (cmd) => {
  test.each([1, 255, 256, 65_535])('with identifier %i is written as the library writes it', (messageId) => {
    for (const protocolVersion of [4, 5] as const)
      for (const reasonCode of [REASON.success, REASON.payloadInvalid])
        for (const properties of [{}, { properties: { reasonString: 'not JSON' } }]) {
          const packet = { cmd, messageId, reasonCode, ...properties };
          expect(writePacket(packet, protocolVersion)).toEqual(generate(packet, { protocolVersion }));
        }
  });
});
