import type { Chance } from '../../base/chance.ts';
import type { Clock } from '../../base/clock.ts';
import { SessionExpiry, tooMany } from './session-expiry.ts';
import { deliveryOf, weightOf, type Delivery, type Message } from './message.ts';
import { REASON } from '../packets/reasons.ts';
import type { Asked, ConnectRequest, Link } from './link.ts';
import { linesOf, retainedLine, type Kept, type SessionLine } from './session-lines.ts';
import type { SessionLog } from './session-log.ts';
import type { Room } from './room.ts';
import { Session } from './session.ts';
import { Topics } from './topics-kept.ts';
import { deviceOfTopic, matches, type Subscription } from '../topics.ts';

export interface HubParts {
  readonly log: SessionLog;
  readonly room: Room;
  readonly clock: Clock;
  readonly chance: Chance;
  /** Called with each session that has ended. */
  readonly ended: (session: Session) => void;
  /** Called with a failure to keep the session of an absent client. */
  readonly failed: (error: unknown) => void;
  /** Called with the device and reason of a message that a subscriber does not get. */
  readonly dropped: (device: string, why: string) => void;
}

/** Topics of devices: connected clients, sessions of absent ones, retained messages. */
export class Hub {
  readonly #topics: Topics;
  readonly #links = new Map<Session, Link>();
  readonly #expiry: SessionExpiry;
  readonly #parts: HubParts;

  constructor(parts: HubParts) {
    this.#parts = parts;
    this.#topics = new Topics(parts.room);
    this.#expiry = new SessionExpiry(parts.clock, (session) => this.#give(session));
  }

  /** Takes what was kept over; sessions that were connected have been away from now on. */
  restore({ sessions, retained }: Kept): void {
    for (const [device, message] of retained) this.#topics.of(device).retained = message;
    for (const session of sessions.values()) {
      this.#topics.of(session.device).sessions.set(session.clientId, session);
      this.#waitFor(session);
    }
  }

  /** The devices that anything is kept for. */
  devices(): IterableIterator<string> {
    return this.#topics.devices();
  }

  /** Whether anything is kept for a device. */
  has(device: string): boolean {
    return this.#topics.has(device);
  }

  /** All that outlives the service, as it is. */
  *lines(): Generator<SessionLine> {
    for (const [device, { sessions, retained }] of this.#topics.all()) {
      if (retained !== null) yield retainedLine(device, retained);
      for (const session of sessions.values()) if (session.isLasting) yield* linesOf(session);
    }
  }

  /**
   * Connects a client with its session, which another connection of it loses (3.1.4): the one it had, or a new one where
   * there is none or it is to start anew (3.1.2.4). Ids of clients are of one device: no other can take a session.
   */
  async connect(
    { device, clientId, isClean, expiry }: ConnectRequest,
    link: Link,
  ): Promise<{ readonly session: Session; readonly isPresent: boolean }> {
    const { log, room, chance } = this.#parts;
    const known = this.#topics.get(device)?.sessions.get(clientId);
    const other = known && this.#links.get(known);
    // One that ends with its connection has ended with that (MQTT 5, 3.1.2.11.2).
    const isPresent = known?.isLasting === true && !isClean;
    const ended = known === undefined || isPresent ? null : this.#end(known);
    const session = isPresent ? known : new Session({ uid: chance.uuid(), device, clientId, expiry }, room);
    this.#expiry.end(session);
    this.#topics.of(device).sessions.set(clientId, session);
    // At once: whoever comes next has to find this connection, and the will of the other one is judged by it.
    this.#links.set(session, link);
    other?.end(REASON.sessionTakenOver, 'Its client has connected once more.');
    // Written while it is still lasting.
    const isOver = isPresent && expiry === 0 ? log.ended(session) : null;
    session.expiry = expiry;
    await ended;
    await isOver;
    await this.#kept(session, link);
    return { session, isPresent };
  }

  /** Whether a client is connected with it. */
  isConnected(session: Session): boolean {
    return this.#links.has(session);
  }

  /** Whether it is this connection's. */
  isOf(session: Session, link: Link): boolean {
    return this.#links.get(session) === link;
  }

  /** Whether it is still one. */
  isOne(session: Session): boolean {
    return this.#topics.get(session.device)?.sessions.get(session.clientId) === session;
  }

  /** A connection has ended; its session with it, or when its time is up. */
  async disconnect(session: Session, link: Link): Promise<void> {
    if (this.#links.get(session) !== link) return;
    this.#links.delete(session);
    if (!session.isLasting) return this.#end(session);
    this.#waitFor(session);
    await this.#parts.log.kept(session);
  }

  /** How long a session outlives its connection, from now on. Rejects with StoreError. */
  async changeExpiry(session: Session, expiry: number): Promise<void> {
    // While it is still lasting, or nobody would write so.
    const isOver = expiry === 0 ? this.#parts.log.ended(session) : null;
    // At once: its client may be back before it is written, and must not have the session that it has given up.
    session.expiry = expiry;
    await isOver;
    await this.#parts.log.kept(session);
  }

  /** Whether anybody, there or away, is subscribed to anything of a device. */
  isHeard(device: string): boolean {
    for (const { subscriptions } of this.#topics.get(device)?.sessions.values() ?? [])
      if (subscriptions.size > 0) return true;
    return false;
  }

  /**
   * Hands a message to its subscribers, and keeps it where it is retained; messages of a device one after the other.
   * Resolves when it is on disk for absent clients, as far as the disk takes it; null where none has to be. `unkept` is
   * called with the reason where it could not be retained.
   */
  publish(
    message: Message,
    origin: Session | null,
    unkept: (why: string) => void = () => {},
  ): Promise<void> | null {
    const topic = this.#topics[message.retain ? 'of' : 'get'](deviceOfTopic(message.topic));
    if (topic === undefined) return null;
    // What was received is part of a larger piece of memory.
    const own = { ...message, payload: Buffer.from(message.payload), from: origin?.clientId ?? null };
    const kept: Promise<unknown>[] = [];
    if (message.retain) this.#retain(own, kept, unkept);
    const hand = (session: Session) => {
      // It may have ended meanwhile.
      if (topic.sessions.get(session.clientId) === session) this.#hand(session, own, origin, kept);
    };
    const handed = topic.inTurn.each([...topic.sessions.values()], hand, weightOf(own));
    if (handed === null && kept.length === 0) return null;
    return Promise.resolve(handed)
      .then(() => Promise.all(kept))
      .then(() => undefined, this.#parts.failed);
  }

  #hand(session: Session, message: Message, origin: Session | null, kept: Promise<unknown>[]): void {
    const delivery = session.deliveryOf(message, session === origin);
    // QoS 0 is for who is there (4.3.1).
    if (delivery === null || (delivery.qos === 0 && !this.#links.has(session))) return;
    this.#queue(session, delivery, kept);
  }

  /**
   * Subscribes to all at once, so that what comes next finds them. Resolves with those that the retained message is due for
   * (MQTT 5, 3.8.3.1). Rejects with StoreError.
   */
  async subscribe(session: Session, asked: readonly Asked[]): Promise<readonly Subscription[]> {
    // Once for each filter: there may be thirty thousand times the same.
    const due = new Map<string, Subscription>();
    for (const { subscription, retainHandling } of asked) {
      const isNew = !session.subscriptions.has(subscription.filter);
      session.subscriptions.set(subscription.filter, subscription);
      if (retainHandling === 0 || (retainHandling === 1 && isNew)) due.set(subscription.filter, subscription);
    }
    if (asked.length > 0) await this.#parts.log.kept(session);
    return [...due.values()];
  }

  /** Sends the retained message for each of these subscriptions (3.3.1.3; MQTT 5, 3.8.4). Rejects with StoreError. */
  async sendRetained(session: Session, subscriptions: readonly Subscription[]): Promise<void> {
    const retained = this.#topics.get(session.device)?.retained ?? null;
    if (retained === null) return;
    const kept: Promise<void>[] = [];
    for (const subscription of subscriptions) {
      const isOwn = subscription.noLocal && retained.from === session.clientId;
      const delivery =
        !isOwn && matches(subscription.filter, retained.topic)
          ? deliveryOf(retained, [subscription], true)
          : null;
      if (delivery !== null) this.#queue(session, delivery, kept);
    }
    await Promise.all(kept);
  }

  /** Whether it was subscribed. Rejects with StoreError. */
  async unsubscribe(session: Session, filter: string): Promise<boolean> {
    const was = session.subscriptions.delete(filter);
    if (was) await this.#parts.log.kept(session);
    return was;
  }

  /** The messages of a device that are retained, or wait for somebody, when all have what came so far. */
  messagesOf(device: string): Promise<ReadonlySet<Message>> {
    return this.#topics.messagesOf(device);
  }

  /** Their records went, and nothing may bring them back. Rejects with StoreError. */
  async forgetMessages(device: string, gone: ReadonlySet<Message>): Promise<void> {
    const topic = this.#topics.get(device);
    if (topic === undefined || gone.size === 0) return;
    const { log } = this.#parts;
    const written: Promise<void>[] = [];
    if (topic.retained !== null && gone.has(topic.retained) && this.#topics.dropRetained(topic))
      written.push(log.retained(device, null));
    for (const session of topic.sessions.values())
      for (const queued of session.forgetMessages((message) => gone.has(message)))
        written.push(log.forgotten(session, queued));
    await Promise.all(written);
  }

  /** The device went. Rejects with StoreError. */
  async remove(device: string): Promise<void> {
    const topic = this.#topics.get(device);
    if (topic === undefined) return;
    if (this.#topics.dropRetained(topic)) await this.#parts.log.retained(device, null);
    for (const session of topic.sessions.values()) await this.#end(session);
    this.#topics.delete(device);
  }

  /** Where the session cannot be kept, its client is not connected after all. */
  async #kept(session: Session, link: Link): Promise<void> {
    try {
      await this.#parts.log.kept(session);
    } catch (error) {
      await this.disconnect(session, link).catch(this.#parts.failed);
      throw error;
    }
  }

  #queue(session: Session, delivery: Delivery, kept: Promise<unknown>[]): void {
    const isLasting = session.isLasting && delivery.qos > 0;
    const queued = session.enqueue(delivery, !isLasting);
    if (queued === null) {
      this.#parts.dropped(session.device, `too much waits for client "${session.clientId}", or for all.`);
      // QoS 0 may be lost (4.3.1); who asked for more has to hear that it is too slow for it.
      if (delivery.qos > 0)
        this.#links.get(session)?.end(REASON.quotaExceeded, 'Too many messages wait for it.');
      return;
    }
    if (!isLasting) {
      this.#links.get(session)?.wake();
      return;
    }
    // Sent when it is on disk: an identifier that a client has met must mean the same after a crash (4.3.3).
    const written = this.#parts.log.queued(session, queued).finally(() => {
      queued.isReady = true;
      this.#links.get(session)?.wake();
    });
    kept.push(written);
  }

  #retain(message: Message, kept: Promise<unknown>[], unkept: (why: string) => void): void {
    const { isOther, unkept: why } = this.#topics.retain(message);
    if (why !== null) {
      this.#parts.dropped(message.topic, why);
      unkept(why);
    }
    if (isOther) kept.push(this.#parts.log.retained(message.topic, this.#topics.of(message.topic).retained));
  }

  #waitFor(session: Session): void {
    this.#expiry.begin(session);
    const { sessions } = this.#topics.of(session.device);
    for (const oldest of tooMany([...sessions.values()])) this.#give(oldest);
  }

  /** Ends an expired session. */
  #give(session: Session): void {
    this.#end(session).catch(this.#parts.failed);
  }

  async #end(session: Session): Promise<void> {
    this.#expiry.end(session);
    this.#links.delete(session);
    const topic = this.#topics.of(session.device);
    if (topic.sessions.get(session.clientId) === session) topic.sessions.delete(session.clientId);
    session.end();
    this.#topics.deleteEmpty(session.device);
    this.#parts.ended(session);
    await this.#parts.log.ended(session);
  }
}
