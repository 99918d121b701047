import type { IConnackPacket } from 'mqtt-packet';
import { MOST_ALIASES, MOST_PACKET, RECEIVE_MAXIMUM } from '../limits.ts';
import { REASON, returnCodeOf, type PacketError } from '../packets/reasons.ts';
import type { Version } from '../packets/version.ts';
import type { Wire } from '../packets/wire.ts';
import type { Accepted } from './connect.ts';

/** Returns the CONNACK of an accepted client, with the limits of the service (3.2). */
export function accepting(accepted: Accepted, sessionPresent: boolean): IConnackPacket {
  if (accepted.version !== 5) return { cmd: 'connack', sessionPresent, returnCode: 0 };
  return {
    cmd: 'connack',
    sessionPresent,
    reasonCode: REASON.success,
    properties: {
      sessionExpiryInterval: accepted.expiry,
      receiveMaximum: RECEIVE_MAXIMUM,
      maximumPacketSize: MOST_PACKET,
      topicAliasMaximum: MOST_ALIASES,
      sharedSubscriptionAvailable: false,
      ...(accepted.isAssigned && { assignedClientIdentifier: accepted.clientId }),
    },
  };
}

/** Answers a refused client, and closes its connection. */
export function refuse(error: PacketError, wire: Pick<Wire, 'version' | 'send' | 'close'>): void {
  const answer = refusing(error, wire.version);
  if (answer !== null) wire.send(answer);
  wire.close();
}

/** Returns the CONNACK of a refused client; null where 3.1.1 has none, and the connection is closed without one (3.1.4). */
function refusing({ reason, message }: PacketError, version: Version | null): IConnackPacket | null {
  if (version === 5)
    return {
      cmd: 'connack',
      sessionPresent: false,
      reasonCode: reason,
      properties: { reasonString: message },
    };
  // Who asks for a version that is not spoken gets an answer of 3.1.1 (3.2.2.3), or of 5 (MQTT 5, 3.1.2.2).
  const returnCode = returnCodeOf(reason);
  return returnCode === null ? null : { cmd: 'connack', sessionPresent: false, returnCode };
}
