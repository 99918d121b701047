import { Refusal } from '../../errors.ts';
import { senderOfToken } from '../../ingest/authenticate.ts';
import type { Accepted } from './connect.ts';
import type { InboxParts } from './inbox.ts';
import type { Session } from '../sessions/session.ts';

interface Waiting {
  readonly accepted: Accepted;
  readonly timer: NodeJS.Timeout;
}

/** Wills of clients whose connections ended without a DISCONNECT (3.1.2.5), and their delays (MQTT 5, 3.1.3.2.2). */
export class Wills {
  readonly #parts: InboxParts;
  readonly #waiting = new Map<Session, Waiting>();
  readonly #underWay = new Set<Promise<void>>();
  #isClosing = false;

  constructor(parts: InboxParts) {
    this.#parts = parts;
  }

  /** A connection has ended without a word. */
  left(accepted: Accepted, session: Session): void {
    const { hub } = this.#parts;
    const delayS = Math.min(accepted.will?.delayS ?? 0, session.expiry);
    // The end of the session ends the delay; a client that is back has no need of it.
    if (delayS === 0 || this.#isClosing || !hub.isOne(session)) return this.#publish(accepted);
    if (hub.isConnected(session)) return;
    const publish = () => {
      this.#waiting.delete(session);
      this.#publish(accepted);
    };
    this.#waiting.set(session, { accepted, timer: setTimeout(publish, delayS * 1000).unref() });
  }

  /** Its client is back. */
  connected(session: Session): void {
    this.#take(session);
  }

  /** The end of a session ends the delay, too. */
  ended(session: Session): void {
    const accepted = this.#take(session);
    if (accepted !== null) this.#publish(accepted);
  }

  /** The service stops: what waits is published now, and none waits from now on. */
  close(): void {
    this.#isClosing = true;
    for (const { accepted, timer } of this.#waiting.values()) {
      clearTimeout(timer);
      this.#publish(accepted);
    }
    this.#waiting.clear();
  }

  /** Resolves when all that were published are stored. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  /** What waits of a session, which waits no longer. */
  #take(session: Session): Accepted | null {
    const waiting = this.#waiting.get(session);
    if (waiting === undefined) return null;
    clearTimeout(waiting.timer);
    this.#waiting.delete(session);
    return waiting.accepted;
  }

  #publish(accepted: Accepted): void {
    const stored = this.#store(accepted).catch((error: unknown) => {
      const { refused, failed } = this.#parts;
      if (error instanceof Refusal)
        refused(accepted.sender.device.id, `The will of a client: ${error.message}`);
      else failed(error);
    });
    this.#underWay.add(stored);
    void stored.then(() => this.#underWay.delete(stored));
  }

  /** It is stored as whatever its device publishes. Rejects with Refusal or StoreError. */
  async #store({ will, tokenHash }: Accepted): Promise<void> {
    if (will === null) return;
    const { ingest, metadata, clock, hub } = this.#parts;
    const { payload, retain, properties } = will.message;
    if (payload.length > 0 || !retain) {
      const { contentType } = properties;
      const read = await ingest.read({ contentType, bytes: payload, now: () => clock.now() });
      await ingest.store(await senderOfToken(metadata, tokenHash), read);
    }
    await hub.publish(will.message, null);
  }
}
