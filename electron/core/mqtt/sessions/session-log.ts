import type { Message } from './message.ts';
import type { Noted, Queued, Session } from './session.ts';

/**
 * Log of what outlives the service: lasting sessions, their queued messages, retained messages. Promises resolve when it is
 * on disk, and reject with StoreError.
 */
export interface SessionLog {
  /** The session, with its subscriptions, is as it is now. */
  kept(session: Session): Promise<void>;
  ended(session: Session): Promise<void>;
  queued(session: Session, queued: Queued): Promise<void>;
  /** The receiver of a QoS 2 delivery has it (4.3.3). */
  received(session: Session, queued: Queued): Promise<void>;
  /** A delivery is over; where this is lost, it is sent once more. */
  delivered(session: Session, queued: Queued): void;
  /** An identifier of the client's is a QoS 2 message's now, and is free again. */
  receiving(session: Session, messageId: number, receiving: Noted): Promise<void>;
  released(session: Session, messageId: number): Promise<void>;
  /** A QoS 2 message is over but for its PUBREL; where this is lost, the record store knows it still. */
  settled(session: Session, messageId: number, receiving: Noted): void;
  /** Notes the retained message of a device's topic; null: none. */
  retained(device: string, message: Message | null): Promise<void>;
  /** A delivery is not to be, as nothing that was deleted is. */
  forgotten(session: Session, queued: Queued): Promise<void>;
}
