import { isUtf8 } from 'node:buffer';
import {
  AUTH,
  CONNECT,
  DISCONNECT,
  PUBACK,
  PUBCOMP,
  PUBLISH,
  SUBSCRIBE,
  typeOf,
  UNSUBSCRIBE,
} from './frames.ts';
import { MOST_PROPERTIES } from '../limits.ts';
import { PacketError, REASON } from './reasons.ts';
import type { Version } from './version.ts';

/*
 * The library that reads packets takes ill-formed text, properties that belong to other packets or come twice, and lengths
 * that reach into what follows. What is wrong in that way is found here, before it is read.
 */

/** Properties of a will (MQTT 5, 3.1.3.2) are as of a packet of their own. */
const WILL = 0;
const ACKNOWLEDGEMENTS = [PUBACK, PUBACK + 1, PUBACK + 2, PUBCOMP];

/** What a property holds (MQTT 5, 2.2.2.2): so many bytes, or a length of its own. */
type Holds = 1 | 2 | 4 | 'flag' | 'number' | 'text' | 'pair' | 'bytes';

const REPEATED = 38;
/** By identifier: what it holds, and in which packets of a client it may be; user properties in any (2.2.2.2). */
const PROPERTIES: ReadonlyMap<number, readonly [Holds, readonly number[]]> = new Map([
  [1, ['flag', [PUBLISH, WILL]]],
  [2, [4, [PUBLISH, WILL]]],
  [3, ['text', [PUBLISH, WILL]]],
  [8, ['text', [PUBLISH, WILL]]],
  [9, ['bytes', [PUBLISH, WILL]]],
  [11, ['number', [SUBSCRIBE]]],
  [17, [4, [CONNECT, DISCONNECT]]],
  [21, ['text', [CONNECT, AUTH]]],
  [22, ['bytes', [CONNECT, AUTH]]],
  [23, ['flag', [CONNECT]]],
  [24, [4, [WILL]]],
  [25, ['flag', [CONNECT]]],
  [31, ['text', [...ACKNOWLEDGEMENTS, DISCONNECT, AUTH]]],
  [33, [2, [CONNECT]]],
  [34, [2, [CONNECT]]],
  [35, [2, [PUBLISH]]],
  [
    REPEATED,
    ['pair', [CONNECT, WILL, PUBLISH, ...ACKNOWLEDGEMENTS, SUBSCRIBE, UNSUBSCRIBE, DISCONNECT, AUTH]],
  ],
  [39, [4, [CONNECT]]],
]);

/** The version that a CONNECT asks for; null where it is spoken nowhere here, or there is none. */
export function versionOf(frame: Buffer): Version | null {
  const reader = new Reader(frame);
  if (reader.text() !== 'MQTT') return null;
  const version = reader.byte();
  return version === 4 || version === 5 ? version : null;
}

/** Throws PacketError where something in a whole packet of a client is not where, or what, it should be. */
export function checkPacket(frame: Buffer, version: Version): void {
  const reader = new Reader(frame);
  const type = typeOf(frame);
  const properties = (of: number) => {
    if (version === 5) reader.properties(of);
  };
  if (type === CONNECT) checkConnect(reader, properties);
  else if (type === PUBLISH) {
    reader.text();
    // An identifier stands where the QoS is not 0 (3.3.2).
    if ((frame[0]! & 0x06) !== 0) reader.skip(2);
    properties(PUBLISH);
  } else if (type === SUBSCRIBE || type === UNSUBSCRIBE) {
    reader.skip(2);
    properties(type);
    while (!reader.isAtEnd) {
      reader.text();
      if (type === SUBSCRIBE) reader.skip(1);
    }
  } else if (version === 5) {
    // An identifier, where there is one, and a reason; both stand alone where nothing else is to be said (3.4.2.1, 3.14.2.1).
    if (ACKNOWLEDGEMENTS.includes(type)) reader.skip(2);
    else if (type !== DISCONNECT && type !== AUTH) return;
    if (!reader.isAtEnd) reader.skip(1);
    if (!reader.isAtEnd) properties(type);
  }
}

function checkConnect(reader: Reader, properties: (of: number) => void): void {
  reader.text();
  reader.skip(1);
  const flags = reader.byte();
  reader.skip(2);
  properties(CONNECT);
  reader.text();
  if ((flags & 0x04) !== 0) {
    properties(WILL);
    reader.text();
    reader.skip(reader.number(2));
  }
  if ((flags & 0x80) !== 0) reader.text();
  if ((flags & 0x40) !== 0) reader.skip(reader.number(2));
  if (!reader.isAtEnd) throw malformed('something stands behind its end');
}

/** Goes through a packet; each method throws PacketError where it ends too early. */
class Reader {
  readonly #bytes: Buffer;
  #at = 1;

  constructor(frame: Buffer) {
    this.#bytes = frame;
    this.variable();
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  skip(bytes: number): void {
    if (this.#at + bytes > this.#bytes.length) throw malformed('it ends too early');
    this.#at += bytes;
  }

  byte(): number {
    return this.number(1);
  }

  number(bytes: 1 | 2 | 4): number {
    const from = this.#at;
    this.skip(bytes);
    return this.#bytes.readUIntBE(from, bytes);
  }

  /** 1.5.5. */
  variable(): number {
    let value = 0;
    for (let i = 0; i < 4; i++) {
      const byte = this.byte();
      value += (byte & 0x7f) * 128 ** i;
      if (byte < 0x80) return value;
    }
    throw malformed('a number has more than four bytes');
  }

  /** 1.5.4: well-formed UTF-8, without U+0000. */
  text(): string {
    const length = this.number(2);
    const from = this.#at;
    this.skip(length);
    const bytes = this.#bytes.subarray(from, this.#at);
    if (!isUtf8(bytes)) throw malformed('a text is not well-formed UTF-8 (1.5.4)');
    if (bytes.includes(0)) throw malformed('a text has U+0000 in it (1.5.4)');
    return bytes.toString('utf8');
  }

  /** MQTT 5, 2.2.2. */
  properties(of: number): void {
    const length = this.variable();
    // A hundred thousand of them would take longer to read than others should wait.
    if (length > MOST_PROPERTIES)
      throw new PacketError(
        REASON.quotaExceeded,
        `The properties of a packet have ${length} bytes; ${MOST_PROPERTIES} are the most.`,
      );
    const end = this.#at + length;
    const seen = new Set<number>();
    while (this.#at < end) {
      const id = this.variable();
      const [holds, places] = PROPERTIES.get(id) ?? [];
      if (holds === undefined || !places?.includes(of))
        throw malformed(`property ${id} does not belong there (MQTT 5, 2.2.2.2)`);
      if (id !== REPEATED && seen.has(id))
        throw new PacketError(REASON.protocolError, `Property ${id} of a packet comes twice.`);
      seen.add(id);
      this.#value(id, holds);
    }
    if (this.#at !== end) throw malformed('its properties are longer than they say');
  }

  #value(id: number, holds: Holds): void {
    if (holds === 'flag') {
      const value = this.byte();
      if (value > 1) throw new PacketError(REASON.protocolError, `Property ${id} is 0 or 1, got ${value}.`);
    } else if (holds === 'number') this.variable();
    else if (holds === 'bytes') this.skip(this.number(2));
    else if (holds === 'text') this.text();
    else if (holds === 'pair') {
      this.text();
      this.text();
    } else this.skip(holds);
  }
}

const malformed = (what: string) => new PacketError(REASON.malformed, `A packet cannot be read: ${what}.`);
