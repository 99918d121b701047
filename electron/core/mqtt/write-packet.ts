import { generate, type Packet } from 'mqtt-packet';
import type { Version } from './version.ts';

/** First bytes of the acknowledgements (3.4, 3.5, 3.7). */
const FIRST_BYTES = { puback: 0x40, pubrec: 0x50, pubcomp: 0x70 } as const;

/** The bytes of a packet of the service. */
export function writePacket(packet: Packet, version: Version): Buffer {
  if (packet.cmd === 'puback' || packet.cmd === 'pubrec' || packet.cmd === 'pubcomp') {
    const { cmd, messageId = 0, reasonCode, properties } = packet;
    // 3.1.1 has no reasons, and success goes without saying (MQTT 5, 3.4.2.1). By hand, since each message has one.
    if (version === 4 || (reasonCode === 0 && properties === undefined)) {
      const bytes = Buffer.allocUnsafe(4);
      bytes[0] = FIRST_BYTES[cmd];
      bytes[1] = 2;
      bytes[2] = messageId >> 8;
      bytes[3] = messageId & 0xff;
      return bytes;
    }
  }
  return generate(packet, { protocolVersion: version });
}
