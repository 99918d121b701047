import {
  generate,
  type IPubackPacket,
  type IPubcompPacket,
  type IPubrecPacket,
  type IPubrelPacket,
  type Packet,
} from 'mqtt-packet';
import type { Version } from './version.ts';

/** First bytes of the acknowledgements (3.4 to 3.7). */
const FIRST_BYTES = { puback: 0x40, pubrec: 0x50, pubrel: 0x62, pubcomp: 0x70 } as const;

type Acknowledgement = IPubackPacket | IPubrecPacket | IPubrelPacket | IPubcompPacket;

/** The bytes of a packet of the service. */
export function writePacket(packet: Packet, version: Version): Buffer {
  if (!isAcknowledgement(packet)) return generate(packet, { protocolVersion: version });
  const { cmd, messageId = 0, reasonCode = 0, properties } = packet;
  // 3.1.1 has no reasons, and success goes without saying (MQTT 5, 3.4.2.1): paho for Python fails where it is said. By
  // hand, since each message has one.
  if (version === 5 && (reasonCode !== 0 || properties !== undefined))
    return generate(packet, { protocolVersion: version });
  const bytes = Buffer.allocUnsafe(4);
  bytes[0] = FIRST_BYTES[cmd];
  bytes[1] = 2;
  bytes[2] = messageId >> 8;
  bytes[3] = messageId & 0xff;
  return bytes;
}

const isAcknowledgement = (packet: Packet): packet is Acknowledgement => packet.cmd in FIRST_BYTES;
