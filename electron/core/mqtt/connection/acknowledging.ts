import type { Packet } from 'mqtt-packet';
import { StoreError, ThreadError } from '../../base/errors.ts';
import { PacketError, REASON, type Reason } from '../packets/reasons.ts';
import type { Version } from '../packets/version.ts';
import type { Entry } from './entry.ts';
import type { Refused } from './storing.ts';

/** The acknowledgements of a message, as often as it is acknowledged. */
export function acknowledgementsOf(
  { packet: { qos, messageId = 0 }, unkept, fault }: Entry,
  refused: Refused | null,
  { version, wantsReasons }: { readonly version: Version; readonly wantsReasons: boolean },
): readonly Packet[] {
  if (qos === 0 || fault?.isUnanswered === true) return [];
  // 3.1.1 has no word for it: what is not stored is acknowledged, or it would be sent for ever (docs/mqtt.md).
  const says = wantsReasons && version === 5;
  const reasonString = refused?.message ?? unkept;
  const packet = {
    cmd: qos === 1 ? 'puback' : 'pubrec',
    messageId,
    reasonCode: refused?.reason ?? REASON.success,
    ...(says && reasonString !== null && { properties: { reasonString } }),
  } as const;
  return qos === 2 && fault?.isTwice === true ? [packet, packet] : [packet];
}

/** How the connection ends of a client whose message could not be stored; null for an unexpected failure. */
export function endOf(error: unknown): { readonly reason: Reason; readonly message: string } | null {
  if (error instanceof PacketError) return error;
  if (!(error instanceof StoreError || error instanceof ThreadError)) return null;
  const isFull = error instanceof StoreError && error.code === 'disk-full';
  return { reason: isFull ? REASON.quotaExceeded : REASON.implementationSpecific, message: error.message };
}
