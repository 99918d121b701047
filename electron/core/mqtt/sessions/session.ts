import { MOST_UNCOUNTED, MOST_WAITING, MOST_WAITING_BYTES } from '../limits.ts';
import { deliveryOf, weightOf, type Delivery, type Message } from './message.ts';
import type { Room } from './room.ts';
import { matches, type Subscription } from '../topics.ts';

/** Packet identifiers go from 1 to this (2.2.1). */
const MOST_ID = 65_535;

/** A delivery in its session. */
export interface Queued extends Delivery {
  /** Counted from 1 in its session; 0 with QoS 0, which has no acknowledgement. */
  readonly n: number;
  /** Bytes that it has of the room of all. */
  readonly held: number;
  /** Whether it may be sent: it is on disk where it has to outlive the service. */
  isReady: boolean;
  /** Whether it was sent, at least before the service was started anew. */
  isSent: boolean;
  /** The receiver has it, and PUBREL is due or on its way (4.3.3). */
  isReceived: boolean;
}

/** Record on disk of a QoS 2 message whose identifier was not released. */
export interface Noted {
  /** Number within the session: the record store keeps it with the records. */
  readonly n: number;
  /** Whether it is stored, and subscribers have it, or are not to get it. */
  readonly isHandedOn: boolean;
  /** Digest of its payload; null where unknown. */
  readonly digest: string | null;
}

/** A QoS 2 message whose identifier was not released. */
export interface Receiving extends Noted {
  /** Resolves when the identifier is on disk. */
  readonly noted: Promise<void>;
  /** Whether this run of the service knows that it is stored, or refused. */
  isDone: boolean;
  isHandedOn: boolean;
}

/** The identifier of a delivery follows from its number, so that a client meets it by the same one after any restart. */
export const packetIdOf = (n: number) => ((n - 1) % MOST_ID) + 1;

/**
 * Session: the state that service and client keep of one another (4.1): subscriptions, deliveries that wait or are not
 * confirmed, identifiers of QoS 2 messages that were received and not released.
 */
export class Session {
  /** Told apart from any other, also one of the same client before it. */
  readonly uid: string;
  readonly device: string;
  readonly clientId: string;
  /** Seconds that it outlives its connection (MQTT 5, 3.1.2.11.2). */
  expiry: number;
  /** Since when it has no connection, in ms since 1970; null while it has one. */
  awaySince: number | null = null;
  readonly subscriptions = new Map<string, Subscription>();
  /** By packet identifier: sent, or to be sent once more. */
  readonly unconfirmed = new Map<number, Queued>();
  readonly receiving = new Map<number, Receiving>();
  /** The last numbers given to a delivery and to a QoS 2 message received. */
  lastDelivery = 0;
  lastReceived = 0;
  readonly #room: Room;
  #waiting: Queued[] = [];
  #bytes = 0;
  /** Of messages with QoS 0 that its client has not taken yet. */
  #leaving = 0;

  constructor(about: Pick<Session, 'uid' | 'device' | 'clientId' | 'expiry'>, room: Room) {
    ({ uid: this.uid, device: this.device, clientId: this.clientId, expiry: this.expiry } = about);
    this.#room = room;
  }

  /** Whether it outlives its connection, and with that the service. */
  get isLasting(): boolean {
    return this.expiry > 0;
  }

  get waiting(): readonly Queued[] {
    return this.#waiting;
  }

  /** Returns its delivery of a message; null: none. `isOwn`: it published the message itself (MQTT 5, 3.8.3.1, No Local). */
  deliveryOf(message: Message, isOwn: boolean): Delivery | null {
    const matching: Subscription[] = [];
    for (const each of this.subscriptions.values())
      if (!(isOwn && each.noLocal) && matches(each.filter, message.topic)) matching.push(each);
    return deliveryOf(message, matching, false);
  }

  /** Puts a delivery behind those that wait; null where there is no room for it. */
  enqueue(delivery: Delivery, isReady: boolean): Queued | null {
    const bytes = weightOf(delivery.message);
    const hasRoom = this.#waiting.length < MOST_WAITING && this.#bytes + bytes <= MOST_WAITING_BYTES;
    // Nobody else's messages keep a client that is there from hearing.
    const isUncounted = this.awaySince === null && this.#bytes + this.#leaving + bytes <= MOST_UNCOUNTED;
    const held = isUncounted ? 0 : bytes;
    if (!hasRoom || !this.#room.take(this.device, held)) return null;
    const n = delivery.qos === 0 ? 0 : this.#nextNumber();
    const queued: Queued = { ...delivery, n, held, isReady, isSent: false, isReceived: false };
    this.#waiting.push(queued);
    this.#bytes += bytes;
    return queued;
  }

  /** Puts one back as it was before the service was started anew: somebody was told that it is kept. */
  restore(queued: Omit<Queued, 'held'>): void {
    const bytes = weightOf(queued.message);
    this.#room.count(this.device, bytes);
    this.#waiting.push({ ...queued, held: bytes });
    this.#bytes += bytes;
  }

  /** The receiver of one that waits has it already, from before the service was started anew. */
  arrived(messageId: number): void {
    const at = this.#waiting.findIndex(({ n }) => packetIdOf(n) === messageId);
    const [queued] = at < 0 ? [] : this.#waiting.splice(at, 1);
    if (queued !== undefined) this.unconfirmed.set(messageId, queued);
  }

  /** Rewinds to unacknowledged deliveries, which are sent again before all others, in order (4.4, 4.6). */
  rewind(): void {
    const again = [...this.unconfirmed.values()].filter(({ isReceived }) => !isReceived);
    for (const { n } of again) this.unconfirmed.delete(packetIdOf(n));
    this.#waiting.unshift(...again);
  }

  /** Takes the next one that waits; with QoS 1 and 2 it stays among the unconfirmed, with QoS 0 it is counted until it has `left`. */
  dequeue(): Queued | undefined {
    const queued = this.#waiting.shift();
    if (queued === undefined) return undefined;
    if (queued.n > 0) this.unconfirmed.set(packetIdOf(queued.n), queued);
    else {
      this.#forget(queued);
      this.#leaving += weightOf(queued.message);
      if (queued.held > 0) this.#room.share(queued.message);
    }
    return queued;
  }

  /** Its client has all of a message with QoS 0, or never will. */
  left({ message, held }: Queued): void {
    this.#leaving -= weightOf(message);
    if (held > 0) this.#room.unshare(message);
  }

  /** The receiver has confirmed it, or never will. */
  confirm(messageId: number): Queued | null {
    const queued = this.unconfirmed.get(messageId);
    if (queued === undefined) return null;
    this.unconfirmed.delete(messageId);
    this.#forget(queued);
    return queued;
  }

  /** Its messages that may be sent still: one that has arrived is only to be released. */
  *messages(): Generator<Message> {
    for (const { message } of this.#waiting) yield message;
    for (const { message, isReceived } of this.unconfirmed.values()) if (!isReceived) yield message;
  }

  /** Drops deleted messages, so that none is sent later. Returns their deliveries. */
  forgetMessages(gone: (message: Message) => boolean): readonly Queued[] {
    const forgotten = this.#waiting.filter(({ message }) => gone(message));
    for (const queued of forgotten) this.#forget(queued);
    this.#waiting = this.#waiting.filter(({ message }) => !gone(message));
    for (const [id, queued] of this.unconfirmed) {
      if (queued.isReceived || !gone(queued.message)) continue;
      this.confirm(id);
      forgotten.push(queued);
    }
    return forgotten;
  }

  /** Gives up all that it holds. */
  end(): void {
    for (const queued of [...this.#waiting, ...this.unconfirmed.values()]) this.#forget(queued);
    this.#waiting = [];
    this.unconfirmed.clear();
  }

  #forget({ message, held }: Queued): void {
    this.#bytes -= weightOf(message);
    this.#room.give(this.device, held);
  }

  /** One whose identifier no other delivery has (2.2.1): those that wait are the latest, far fewer than identifiers. */
  #nextNumber(): number {
    do this.lastDelivery++;
    while (this.unconfirmed.has(packetIdOf(this.lastDelivery)));
    return this.lastDelivery;
  }
}
