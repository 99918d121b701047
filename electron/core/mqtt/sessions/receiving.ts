import { createHash } from 'node:crypto';
import type { IPublishPacket } from 'mqtt-packet';
import type { Version } from '../packets/version.ts';
import type { Noted, Receiving, Session } from './session.ts';
import type { SessionLog } from './session-log.ts';

/** One that another run of the service has noted. What was handed on was stored before that, or refused. */
export const notedBefore = ({ n, isHandedOn, digest }: Noted): Receiving => ({
  n,
  isHandedOn,
  digest,
  noted: Promise.resolve(),
  isDone: isHandedOn,
});

const digestOf = ({ payload }: IPublishPacket) => createHash('sha256').update(payload).digest('base64url');

/**
 * Returns the QoS 2 message that a PUBLISH sends again. With the identifier of one that was not released, another payload
 * and no DUP it is another message: its client has lost its memory, as a device does that starts anew, and counts from 1
 * again.
 */
export function repeatedBy(packet: IPublishPacket, session: Session): Receiving | undefined {
  const known = session.receiving.get(packet.messageId ?? 0);
  if (known === undefined || packet.dup || known.digest === null) return known;
  return known.digest === digestOf(packet) ? known : undefined;
}

/** Returns the receipt of a message: the store's idempotency key. */
export const receiptOf = (session: Session, { n }: Receiving) => `mqtt:${session.uid}:${n}`;

/**
 * Receives a QoS 2 message (4.3.3) with an idempotency record, so that a resend, after a crash too, is stored once. Resolves
 * when its identifier is on disk, before which nothing may be stored. Rejects with StoreError.
 */
export async function receive(session: Session, packet: IPublishPacket, log: SessionLog): Promise<Receiving> {
  const { messageId = 0 } = packet;
  const known = repeatedBy(packet, session);
  if (known !== undefined) {
    await known.noted;
    return known;
  }
  const n = ++session.lastReceived;
  const digest = digestOf(packet);
  const noted = log.receiving(session, messageId, { n, isHandedOn: false, digest });
  const receiving: Receiving = { n, noted, isDone: false, isHandedOn: false, digest };
  session.receiving.set(messageId, receiving);
  try {
    await noted;
  } catch (error) {
    // Sent again, it is another: nobody knows this one after a crash.
    if (session.receiving.get(messageId) === receiving) session.receiving.delete(messageId);
    throw error;
  }
  return receiving;
}

/** A message was refused: a PUBREC with a reason from 0x80 on frees its identifier (MQTT 5, 4.3.3); in 3.1.1 PUBREL does. */
export async function refuse(
  session: Session,
  packet: IPublishPacket,
  { version, log }: { readonly version: Version; readonly log: SessionLog },
): Promise<void> {
  const { messageId = 0 } = packet;
  if (version === 5) return void (await release(session, messageId, log));
  const n = repeatedBy(packet, session)?.n ?? ++session.lastReceived;
  session.receiving.set(messageId, notedBefore({ n, isHandedOn: true, digest: digestOf(packet) }));
}

/**
 * Settles a message that is stored and handed on. Resolves when that is on disk together with what was `kept` for absent
 * sessions; null where nothing was, and it may be noted later: the record store still has the idempotency record.
 */
export function settle(
  session: Session,
  { messageId = 0 }: IPublishPacket,
  receiving: Receiving,
  {
    kept,
    log,
    failed,
  }: {
    readonly kept: Promise<void> | null;
    readonly log: SessionLog;
    readonly failed: (error: unknown) => void;
  },
): Promise<unknown> | null {
  // Released meanwhile, its identifier may be another message's.
  if (session.receiving.get(messageId) !== receiving) return kept;
  if (kept !== null) return Promise.all([kept, log.receiving(session, messageId, receiving).catch(failed)]);
  log.settled(session, messageId, receiving);
  return null;
}

/** PUBREL: the identifier may be another message's from now on, also after a crash. Resolves with whether it was one's. */
export async function release(session: Session, messageId: number, log: SessionLog): Promise<boolean> {
  const isKnown = session.receiving.delete(messageId);
  if (isKnown) await log.released(session, messageId);
  return isKnown;
}
