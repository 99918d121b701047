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
import { isPadded, malformed, Reader } from './reader.ts';
import { PacketError, REASON } from './reasons.ts';
import type { Version } from './version.ts';

/*
 * The library that reads packets takes ill-formed text, properties that belong to other packets or come twice, and lengths
 * that reach into what follows. What is wrong in that way is found here, before it is read.
 */

/** Properties of a will (MQTT 5, 3.1.3.2) are as of a packet of their own. */
const WILL = 0;
const ACKNOWLEDGEMENTS = [PUBACK, PUBACK + 1, PUBACK + 2, PUBCOMP];

/** Type of a property (MQTT 5, 2.2.2.2): so many bytes, or a length of its own. */
type Holds = 1 | 2 | 4 | 'flag' | 'number' | 'text' | 'pair' | 'bytes';

/** Bits of the first byte of a PUBLISH (3.3.1), and of the options of a subscription (MQTT 5, 3.8.3.1). */
const QOS = 0x06;
const DUP = 0x08;
const NO_LOCAL = 0x04;

const RESPONSE_TOPIC = 8;
const REPEATED = 38;
/** By identifier: what it holds, and in which packets of a client it may be; user properties in any (2.2.2.2). */
const PROPERTIES: ReadonlyMap<number, readonly [Holds, readonly number[]]> = new Map([
  [1, ['flag', [PUBLISH, WILL]]],
  [2, [4, [PUBLISH, WILL]]],
  [3, ['text', [PUBLISH, WILL]]],
  [RESPONSE_TOPIC, ['text', [PUBLISH, WILL]]],
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
  if (version === 5 && isPadded(frame, reader.at))
    throw malformed('its length has more bytes than it needs (1.5.5)');
  const properties = (of: number) => {
    if (version === 5) checkProperties(reader, of);
  };
  if (type === CONNECT) checkConnect(reader, properties);
  else if (type === PUBLISH) {
    reader.text();
    // An identifier stands where the QoS is not 0 (3.3.2).
    if ((frame[0]! & QOS) !== 0) reader.skip(2);
    else if ((frame[0]! & DUP) !== 0) throw malformed('DUP is 0 with QoS 0 (3.3.1.1)');
    properties(PUBLISH);
    return;
  } else if (type === SUBSCRIBE || type === UNSUBSCRIBE) {
    reader.skip(2);
    properties(type);
    while (!reader.isAtEnd) checkFilter(reader, type);
  } else {
    if (ACKNOWLEDGEMENTS.includes(type)) reader.skip(2);
    // A reason, and properties; they are left out where nothing is to be said (MQTT 5, 3.4.2.1, 3.14.2.1).
    if (version === 5 && (ACKNOWLEDGEMENTS.includes(type) || type === DISCONNECT || type === AUTH)) {
      if (!reader.isAtEnd) reader.skip(1);
      if (!reader.isAtEnd) properties(type);
    }
  }
  if (!reader.isAtEnd) throw malformed('something stands behind its end');
}

function checkFilter(reader: Reader, type: number): void {
  const filter = reader.text();
  if (type === UNSUBSCRIBE) {
    if (filter === '') throw malformed('a filter has one character at least (4.7.3)');
    return;
  }
  if ((reader.byte() & NO_LOCAL) !== 0 && filter.startsWith('$share/'))
    throw new PacketError(
      REASON.protocolError,
      'A shared subscription cannot be without what its own client publishes (MQTT 5, 3.8.3.1).',
    );
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
}

/** MQTT 5, 2.2.2. */
function checkProperties(reader: Reader, of: number): void {
  const length = reader.variable();
  // A hundred thousand of them would take longer to read than others should wait.
  if (length > MOST_PROPERTIES)
    throw new PacketError(
      REASON.quotaExceeded,
      `The properties of a packet have ${length} bytes; ${MOST_PROPERTIES} are the most.`,
    );
  const end = reader.at + length;
  const seen = new Set<number>();
  while (reader.at < end) {
    const id = reader.variable();
    const [holds, places] = PROPERTIES.get(id) ?? [];
    if (holds === undefined || !places?.includes(of))
      throw malformed(`property ${id} does not belong there (MQTT 5, 2.2.2.2)`);
    if (id !== REPEATED && seen.has(id))
      throw new PacketError(REASON.protocolError, `Property ${id} of a packet comes twice.`);
    seen.add(id);
    checkValue(reader, id, holds);
  }
  if (reader.at !== end) throw malformed('its properties are longer than they say');
}

function checkValue(reader: Reader, id: number, holds: Holds): void {
  if (holds === 'flag') {
    const value = reader.byte();
    if (value > 1) throw new PacketError(REASON.protocolError, `Property ${id} is 0 or 1, got ${value}.`);
  } else if (holds === 'number') reader.variable();
  else if (holds === 'bytes') reader.skip(reader.number(2));
  else if (holds === 'text') {
    if (/[+#]/.test(reader.text()) && id === RESPONSE_TOPIC)
      throw new PacketError(REASON.protocolError, 'A Response Topic has no wildcards (MQTT 5, 3.3.2.3.5).');
  } else if (holds === 'pair') {
    reader.text();
    reader.text();
  } else reader.skip(holds);
}
