/*
 * Reason codes of MQTT 5 (2.4; what each means for a packet stands with it: 3.2.2.2 CONNACK, 3.4.2.1 PUBACK, 3.9.3 SUBACK,
 * 3.14.2.1 DISCONNECT), and the return codes of a CONNACK in 3.1.1 (3.2.2.3), which knows no others.
 */

export const REASON = {
  success: 0x00,
  noSubscriptionExisted: 0x11,
  unspecified: 0x80,
  malformed: 0x81,
  protocolError: 0x82,
  implementationSpecific: 0x83,
  unsupportedVersion: 0x84,
  clientIdInvalid: 0x85,
  badCredentials: 0x86,
  notAuthorized: 0x87,
  serverBusy: 0x89,
  serverShuttingDown: 0x8b,
  badAuthenticationMethod: 0x8c,
  keepAliveTimeout: 0x8d,
  sessionTakenOver: 0x8e,
  filterInvalid: 0x8f,
  topicInvalid: 0x90,
  idInUse: 0x91,
  idNotFound: 0x92,
  receiveMaximumExceeded: 0x93,
  topicAliasInvalid: 0x94,
  packetTooLarge: 0x95,
  quotaExceeded: 0x97,
  administrative: 0x98,
  payloadInvalid: 0x99,
  sharedUnsupported: 0x9e,
} as const;

export type Reason = (typeof REASON)[keyof typeof REASON];

/** A SUBACK of 3.1.1 knows one failure (3.9.3). */
export const SUBACK_FAILURE = 0x80;

const RETURN_CODES: ReadonlyMap<Reason, number> = new Map([
  [REASON.unsupportedVersion, 1],
  [REASON.clientIdInvalid, 2],
  [REASON.serverBusy, 3],
  [REASON.serverShuttingDown, 3],
  [REASON.unspecified, 3],
  [REASON.quotaExceeded, 3],
  [REASON.implementationSpecific, 3],
  [REASON.badCredentials, 4],
  [REASON.notAuthorized, 5],
]);

/** Returns the code of a CONNACK of 3.1.1; null where it has none, and the connection is closed without one (3.1.4). */
export function returnCodeOf(reason: Reason): number | null {
  return RETURN_CODES.get(reason) ?? null;
}

/** Error that ends a connection, with the reason for DISCONNECT or CONNACK. */
export class PacketError extends Error {
  override readonly name = 'PacketError';
  readonly reason: Reason;

  constructor(reason: Reason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
