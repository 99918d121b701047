import type { IConnectPacket } from 'mqtt-packet';
import type { Chances } from '../../base/chance.ts';
import type { Clock } from '../../base/clock.ts';
import { Refusal } from '../../base/errors.ts';
import { requireSource, senderOfToken } from '../../ingest/authenticate.ts';
import type { Ingest } from '../../ingest/ingest.ts';
import type { Sender } from '../../store/metadata/sender.ts';
import type { Metadata } from '../../store/metadata/metadata.ts';
import { hashSecret } from '../../vault/secrets.ts';
import { MOST_CLIENT_ID, MOST_EXPIRY_S } from '../limits.ts';
import { readRecords } from './reading.ts';
import type { MessagePacket } from '../sessions/message.ts';
import type { Version } from '../packets/version.ts';
import { PacketError, REASON } from '../packets/reasons.ts';

/** "The session does not expire" (MQTT 5, 3.1.2.11.2), which here is as long as it may. */
const NEVER = 0xffffffff;

/** A CONNECT whose sender is known. */
export interface Accepted {
  readonly version: Version;
  readonly sender: Sender;
  /** Of its token: asked again with each message, since it may be renewed. */
  readonly tokenHash: string;
  readonly clientId: string;
  /** Whether the service has chosen it (MQTT 5, 3.1.3.1). */
  readonly isAssigned: boolean;
  readonly isClean: boolean;
  /** Seconds. */
  readonly expiry: number;
  /** Seconds between packets at most; 0: any (3.1.2.10). */
  readonly keepAlive: number;
  /** QoS 1 and 2 messages that it takes at once (MQTT 5, 3.1.2.11.3). */
  readonly receiveMaximum: number;
  readonly maximumPacketSize: number;
  /** Whether reasons may be given in words (MQTT 5, 3.1.2.11.7). */
  readonly wantsReasons: boolean;
  readonly will: Will | null;
  /** Why its will is none, where it could not be told so. */
  readonly willRefused: { readonly packet: MessagePacket; readonly message: string } | null;
}

/** Will: message published when a client is gone; its expiry counts from then on (MQTT 5, 3.1.3.2.4). */
export interface Will {
  readonly packet: MessagePacket;
  readonly version: Version;
  readonly delayS: number;
}

interface AcceptParts {
  readonly metadata: Metadata;
  readonly ingest: Pick<Ingest, 'read'>;
  readonly clock: Clock;
  readonly chance: Pick<Chances, 'of'>;
}

/** Authenticates a CONNECT. Rejects with PacketError, whose reason the CONNACK gives. */
export async function accept(
  packet: IConnectPacket,
  version: Version,
  { metadata, ingest, clock, chance }: AcceptParts,
): Promise<Accepted> {
  const properties = packet.properties ?? {};
  if (properties.authenticationMethod !== undefined)
    throw new PacketError(
      REASON.badAuthenticationMethod,
      'Devices sign in by id and token; there is no other authentication method.',
    );
  if (properties.authenticationData !== undefined)
    throw new PacketError(
      REASON.protocolError,
      'Authentication Data belongs to a method, and none is named (MQTT 5, 3.1.2.11.10).',
    );
  if (properties.receiveMaximum === 0 || properties.maximumPacketSize === 0)
    throw new PacketError(REASON.protocolError, 'Receive Maximum and Maximum Packet Size are 1 at least.');
  const isClean = packet.clean === true;
  const { clientId: asked } = packet;
  // 3.1.3.1 of 3.1.1: without an id there is nothing to find a session by.
  if (asked.length > MOST_CLIENT_ID || asked.includes('\0') || (asked === '' && version !== 5 && !isClean))
    throw new PacketError(
      REASON.clientIdInvalid,
      `A client id has 1 to ${MOST_CLIENT_ID} characters; without one a session is clean.`,
    );
  const { sender, tokenHash } = await authenticate(packet, asked, metadata);
  const { id } = sender.device;
  const will = packet.will === undefined ? null : willOf(packet.will, version, id);
  const refused = will === null ? null : await refusalOf(will, sender, { ingest, clock });
  // Only 5 has a word for it. A device of 3.1.1, for which "offline" is a will by habit, is let in: its records matter more.
  if (refused !== null && version === 5)
    throw new PacketError(REASON.payloadInvalid, `The will is no record: ${refused}`);
  const isAssigned = asked === '';
  return {
    version,
    sender,
    tokenHash,
    clientId: isAssigned ? chance.of(id).uuid() : asked,
    isAssigned,
    isClean,
    expiry: expiryOf(packet, version),
    keepAlive: packet.keepalive ?? 0,
    receiveMaximum: properties.receiveMaximum ?? 65_535,
    maximumPacketSize: properties.maximumPacketSize ?? Infinity,
    wantsReasons: properties.requestProblemInformation !== false,
    will: refused === null ? will : null,
    willRefused: will === null || refused === null ? null : { packet: will.packet, message: refused },
  };
}

/** In 3.1.1 a session that is not clean is for good (3.1.2.4), which here is as long as any may be away. */
function expiryOf({ clean, properties }: IConnectPacket, version: Version): number {
  const asked = version === 5 ? (properties?.sessionExpiryInterval ?? 0) : clean === true ? 0 : NEVER;
  return Math.min(asked, MOST_EXPIRY_S);
}

/** By device id and token; or the token alone as the username, where the client id is that of the device. */
async function authenticate(
  { username, password }: IConnectPacket,
  clientId: string,
  metadata: Metadata,
): Promise<{ readonly sender: Sender; readonly tokenHash: string }> {
  if (username === undefined || username === '')
    throw new PacketError(
      REASON.badCredentials,
      'The username is the id of the device, the password its token.',
    );
  const isAlone = password === undefined || password.length === 0;
  const [id, token] = isAlone ? [clientId, username] : [username, password.toString('utf8')];
  const tokenHash = hashSecret(token);
  try {
    const sender = await senderOfToken(metadata, tokenHash);
    if (sender.device.id !== id)
      throw new PacketError(REASON.badCredentials, 'The token is that of another device.');
    requireSource(sender.device, 'mqtt');
    return { sender, tokenHash };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const reason = error.status === 401 ? REASON.badCredentials : REASON.notAuthorized;
    throw new PacketError(reason, error.message, { cause: error });
  }
}

function willOf(will: NonNullable<IConnectPacket['will']>, version: Version, device: string): Will {
  if (will.topic !== device)
    throw new PacketError(REASON.notAuthorized, `A will goes to the device's own topic, ${device}.`);
  if ((will.qos ?? 0) > 2)
    throw new PacketError(REASON.malformed, 'The QoS of a will is 0, 1 or 2 (3.1.2.6).');
  const { willDelayInterval = 0, ...properties } = will.properties ?? {};
  const { payload, qos = 0, retain = false } = will;
  // Of the packet that brought it, which it outlives.
  const own = Buffer.from(payload);
  const packet = {
    cmd: 'publish',
    topic: device,
    payload: own,
    qos,
    retain,
    dup: false,
    properties,
  } as const;
  return { delayS: willDelayInterval, version, packet };
}

/** Why it could not be stored, whenever that was; null: nothing is known against it. */
async function refusalOf(
  { packet, version }: Will,
  { device }: Sender,
  { ingest, clock }: Pick<AcceptParts, 'ingest' | 'clock'>,
): Promise<string | null> {
  const { payload: bytes, retain, properties } = packet;
  if (bytes.length === 0 && retain) return null;
  try {
    const now = () => clock.now();
    await readRecords({ ingest, now }, { device, version, bytes, contentType: properties?.contentType });
    return null;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error.message;
  }
}
