import { parser as createParser, type IConnectPacket, type Packet, type Parser } from 'mqtt-packet';
import { CONNECT, PUBLISH, typeOf } from './frames.ts';
import { MOST_PROPERTIES } from './limits.ts';
import { PacketError, REASON } from './reasons.ts';

export type Version = 4 | 5;

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

/** Reads the packet that begins a connection. Throws PacketError. */
export function readConnect(frame: Buffer): IConnectPacket {
  if (typeOf(frame) !== CONNECT)
    throw new PacketError(REASON.protocolError, 'The first packet is a CONNECT (3.1).');
  // A reader remembers the CONNECT that it read.
  const packet = readWith(new PacketReader(4), frame);
  if (packet.cmd !== 'connect') throw malformed(null);
  return packet;
}

/** Reads any further packet. Throws PacketError. */
export function readPacket(frame: Buffer, version: Version): Packet {
  if (typeOf(frame) === CONNECT)
    throw new PacketError(REASON.protocolError, 'A connection has one CONNECT (3.1).');
  if (version === 5) checkProperties(frame);
  return readWith(readers[version], frame);
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

/** A hundred thousand properties would take longer to read than others should wait. */
function checkProperties(frame: Buffer): void {
  if (typeOf(frame) !== PUBLISH || frame.length <= MOST_PROPERTIES) return;
  let at = 1;
  while (frame[at]! >= 0x80) at++;
  at++;
  at += 2 + frame.readUInt16BE(at);
  // Behind the topic stands an identifier where the QoS is not 0 (3.3.2).
  if ((frame[0]! & 0x06) !== 0) at += 2;
  let length = 0;
  for (let i = 0; i < 4 && at < frame.length; i++) {
    const byte = frame[at++]!;
    length += (byte & 0x7f) * 128 ** i;
    if (byte < 0x80) break;
  }
  if (length > MOST_PROPERTIES)
    throw new PacketError(
      REASON.quotaExceeded,
      `The properties of a packet have ${length} bytes; ${MOST_PROPERTIES} are the most.`,
    );
}

function malformed(cause: unknown): PacketError {
  const message = cause instanceof Error ? cause.message : 'it is not what its header says';
  const isVersion = /protocol ?(version|id)/i.test(message);
  return new PacketError(
    isVersion ? REASON.unsupportedVersion : REASON.malformed,
    isVersion ? 'MQTT 3.1.1 and 5 are spoken here.' : `A packet cannot be read: ${message}.`,
    { cause },
  );
}
