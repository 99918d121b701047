import {
  parser as createParser,
  type IConnectPacket,
  type IPublishPacket,
  type Packet,
  type Parser,
} from 'mqtt-packet';
import type { QoS } from '../topics.ts';
import { checkPacket, versionOf } from './check-packet.ts';
import { CONNECT, typeOf } from './frames.ts';
import { readShort } from './read-short.ts';
import { Reader } from './reader.ts';
import type { Version } from './version.ts';
import { PacketError, REASON } from './reasons.ts';

/** Reads whole packets of one version, of whichever connection. */
class PacketReader {
  readonly #parser: Parser;
  #packet: Packet | null = null;
  #failure: unknown = null;

  constructor(protocolVersion: Version) {
    this.#parser = createParser({ protocolVersion });
    this.#parser.on('packet', (packet) => (this.#packet ??= packet));
    this.#parser.on('error', (error: unknown) => (this.#failure ??= error));
  }

  /** Null where nothing can be read, and why. */
  read(frame: Buffer): { readonly packet: Packet | null; readonly failure: unknown } {
    this.#packet = this.#failure = null;
    let unread = 0;
    try {
      unread = this.#parser.parse(frame);
    } catch (error) {
      this.#failure ??= error;
    }
    return { packet: unread === 0 ? this.#packet : null, failure: this.#failure };
  }
}

const fresh = (): Record<Version, PacketReader> => ({ 4: new PacketReader(4), 5: new PacketReader(5) });
let readers = fresh();

/** The version of the packet that begins a connection. Throws PacketError. */
export function readVersion(frame: Buffer): Version {
  const version = versionOf(frame);
  if (version === null) throw new PacketError(REASON.unsupportedVersion, 'MQTT 3.1.1 and 5 are spoken here.');
  return version;
}

/** Reads it. Throws PacketError. */
export function readConnect(frame: Buffer, version: Version): IConnectPacket {
  checkPacket(frame, version);
  // A reader remembers the CONNECT that it read.
  const packet = readWith(new PacketReader(version), frame);
  if (packet.cmd !== 'connect') throw malformed(null);
  return packet;
}

/** Reads any further packet. Throws PacketError. */
export function readPacket(frame: Buffer, version: Version): Packet {
  if (typeOf(frame) === CONNECT)
    throw new PacketError(REASON.protocolError, 'A connection has one CONNECT (3.1).');
  const short = readShort(frame, version);
  if (short !== null) return short;
  checkPacket(frame, version);
  return readWith(readers[version], frame);
}

/** Reads what stands before the payload of a PUBLISH of 3.1.1, of which no more is there. Throws PacketError. */
export function readBeginning(beginning: Buffer): IPublishPacket {
  const reader = new Reader(beginning);
  const topic = reader.text();
  const [first] = beginning;
  const qos = (first! >> 1) & 3;
  if (qos === 3) throw malformed(new Error('its QoS is 3'));
  const packet: IPublishPacket = {
    cmd: 'publish',
    topic,
    payload: Buffer.alloc(0),
    qos: qos as QoS,
    retain: (first! & 1) !== 0,
    dup: (first! & 8) !== 0,
  };
  if (qos > 0) packet.messageId = reader.number(2);
  checkIdentifier(packet);
  return packet;
}

function readWith(reader: PacketReader, frame: Buffer): Packet {
  const { packet, failure } = reader.read(frame);
  if (packet !== null && failure === null) {
    checkIdentifier(packet);
    return packet;
  }
  // What it was in the middle of must not meet the next packet.
  readers = fresh();
  throw malformed(failure);
}

/** 2.2.1: an identifier is never 0; where one is due the library says -1 for none. */
function checkIdentifier(packet: Packet): void {
  const { messageId } = packet;
  if (messageId !== undefined && messageId < 1)
    throw new PacketError(
      REASON.malformed,
      `A ${packet.cmd.toUpperCase()} has an identifier from 1 on (2.2.1).`,
    );
}

function malformed(cause: unknown): PacketError {
  const message = cause instanceof Error ? cause.message : 'it is not what its header says';
  return new PacketError(REASON.malformed, `A packet cannot be read: ${message}.`, { cause });
}
