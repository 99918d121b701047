import type { Version } from '../packets/version.ts';
import type { Noted, Receiving, Session } from './session.ts';
import type { SessionLog } from './session-log.ts';

/** One that another run of the service has noted. */
export const notedBefore = ({ n, isHandedOn }: Noted): Receiving => ({
  n,
  isHandedOn,
  noted: Promise.resolve(),
  isDone: false,
});

/** By which the record store knows a message that it has already. */
export const receiptOf = (session: Session, { n }: Receiving) => `mqtt:${session.uid}:${n}`;

/**
 * What tells a QoS 2 message from every other (4.3.3), so that one that is sent again, after a crash, too, is stored once.
 * Resolves when its identifier is on disk, before which nothing may be stored. Rejects with StoreError.
 */
export async function receive(session: Session, messageId: number, log: SessionLog): Promise<Receiving> {
  const known = session.receiving.get(messageId);
  if (known !== undefined) {
    await known.noted;
    return known;
  }
  const n = ++session.lastReceived;
  const noted = log.receiving(session, messageId, { n, isHandedOn: false });
  const receiving: Receiving = { n, noted, isDone: false, isHandedOn: false };
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
  messageId: number,
  { version, log }: { readonly version: Version; readonly log: SessionLog },
): Promise<void> {
  if (version === 5) return void (await release(session, messageId, log));
  const n = session.receiving.get(messageId)?.n ?? ++session.lastReceived;
  session.receiving.set(messageId, { ...notedBefore({ n, isHandedOn: true }), isDone: true });
}

/** PUBREL: the identifier may be another message's from now on, also after a crash. Resolves with whether it was one's. */
export async function release(session: Session, messageId: number, log: SessionLog): Promise<boolean> {
  const isKnown = session.receiving.delete(messageId);
  if (isKnown) await log.released(session, messageId);
  return isKnown;
}
