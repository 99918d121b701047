import type { IPubackPacket, IPublishPacket } from 'mqtt-packet';
import { PUBACK, PUBLISH, typeOf } from './frames.ts';
import { isPadded, lengthEnd } from './reader.ts';
import type { Version } from './version.ts';
import type { QoS } from '../topics.ts';

/*
 * The packets that come thousands of times a second, read by hand: checking one and handing it to the library takes longer
 * than storing its message. Whatever is unusual about one, or wrong, is left to them.
 */

const FIRST_PRINTABLE = 0x20;
const LAST_PRINTABLE = 0x7e;

/** A PUBLISH without properties, or a PUBACK without a reason; null for whatever else a whole packet is. */
export function readShort(frame: Buffer, version: Version): IPublishPacket | IPubackPacket | null {
  if (typeOf(frame) === PUBLISH) return readPublish(frame, version);
  return frame[0] === PUBACK << 4 && frame.length === 4 ? readPuback(frame) : null;
}

function readPuback(frame: Buffer): IPubackPacket | null {
  const messageId = frame.readUInt16BE(2);
  return messageId === 0 ? null : { cmd: 'puback', messageId, reasonCode: 0 };
}

/** 3.3. */
function readPublish(frame: Buffer, version: Version): IPublishPacket | null {
  const first = frame[0]!;
  const qos = (first >> 1) & 3;
  if (qos === 3 || (qos === 0 && (first & 8) !== 0)) return null;
  const at = lengthEnd(frame);
  if (isPadded(frame, at) && version === 5) return null;
  const from = at + 2;
  // The topic, an identifier where the QoS is not 0, and the length of no properties.
  if (from > frame.length) return null;
  const end = from + frame.readUInt16BE(at);
  const payloadAt = end + (qos === 0 ? 0 : 2) + (version === 5 ? 1 : 0);
  if (payloadAt > frame.length || !isPrintable(frame, from, end)) return null;
  if (version === 5 && frame[payloadAt - 1] !== 0) return null;
  const packet: IPublishPacket = {
    cmd: 'publish',
    topic: frame.toString('latin1', from, end),
    payload: frame.subarray(payloadAt),
    qos: qos as QoS,
    retain: (first & 1) !== 0,
    dup: (first & 8) !== 0,
  };
  if (qos === 0) return packet;
  packet.messageId = frame.readUInt16BE(end);
  return packet.messageId === 0 ? null : packet;
}

function isPrintable(bytes: Uint8Array, from: number, end: number): boolean {
  for (let at = from; at < end; at++)
    if (bytes[at]! < FIRST_PRINTABLE || bytes[at]! > LAST_PRINTABLE) return false;
  return true;
}
