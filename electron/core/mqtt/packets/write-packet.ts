import {
  generate,
  type IPubackPacket,
  type IPubcompPacket,
  type IPublishPacket,
  type IPubrecPacket,
  type IPubrelPacket,
  type Packet,
} from 'mqtt-packet';
import { SHARED_PAYLOAD } from '../limits.ts';
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

/** The bytes of a PUBLISH; of a large one the payload is a piece of its own, which is not copied. */
export function writePublish(packet: IPublishPacket, version: Version): readonly Buffer[] {
  const { payload } = packet;
  if (typeof payload === 'string' || payload.length < SHARED_PAYLOAD) return [writePacket(packet, version)];
  const head = writePacket({ ...packet, payload: '' }, version);
  // Behind the first byte stands the length of the rest (2.2.3), which is the payload's, too.
  let end = 1;
  while (head[end]! >= 0x80) end++;
  const rest = head.subarray(end + 1);
  return [Buffer.concat([head.subarray(0, 1), variable(rest.length + payload.length), rest]), payload];
}

/** A number of one to four bytes (1.5.5). */
function variable(value: number): Buffer {
  const bytes: number[] = [];
  let left = value;
  do {
    const byte = left % 128;
    left = Math.floor(left / 128);
    bytes.push(left > 0 ? byte | 0x80 : byte);
  } while (left > 0);
  return Buffer.from(bytes);
}

const isAcknowledgement = (packet: Packet): packet is Acknowledgement => packet.cmd in FIRST_BYTES;
