import type { IPublishPacket, Packet } from 'mqtt-packet';
import { StoreError, ThreadError } from '../../base/errors.ts';
import { machineClock } from '../../base/machine-clock.ts';
import type { Hub } from '../sessions/hub.ts';
import {
  MOST_BYTES_UNDER_WAY,
  MOST_HELD_UP,
  MOST_PACKET,
  MOST_RECEIVING,
  MOST_UNDER_WAY,
} from '../limits.ts';
import { Aliases } from './aliases.ts';
import type { Entry } from './entry.ts';
import { messageOf } from '../sessions/message.ts';
import { PacketError, REASON, type Reason } from '../packets/reasons.ts';
import { release, settle } from '../sessions/receiving.ts';
import type { PublishMemory } from './publish-memory.ts';
import type { Removals } from './removals.ts';
import {
  refuseMessage,
  storeMessage,
  type Publisher,
  type Refused,
  type Stored,
  type StoringParts,
} from './storing.ts';
import type { ClientTrace } from '../client-trace.ts';
import { isTopicName } from '../topics.ts';

export interface InboxParts extends StoringParts {
  readonly hub: Hub;
  readonly removals: Pick<Removals, 'heard' | 'isGone'>;
  /** Called with a message that was not stored, and why. */
  readonly refused: (device: string, why: string) => void;
  /** Called with an unexpected failure. */
  readonly failed: (error: unknown) => void;
}

export interface InboxOptions extends Publisher {
  /** Whether reasons may be given in words. */
  readonly wantsReasons: boolean;
  /** Takes its bytes from what all bodies under way share. */
  readonly memory: PublishMemory;
  readonly send: (packet: Packet) => void;
  /** Request trace of messages. */
  readonly trace: Pick<ClientTrace, 'published'>;
  /** Reads no further packet for the moment, or goes on. */
  readonly pause: () => void;
  readonly resume: () => void;
  readonly end: (reason: Reason, message: string) => void;
}

/** Inbox of a client, with backpressure: stores messages, hands them on, acknowledges them once on disk, in order (4.6). */
export class Inbox {
  readonly #parts: InboxParts;
  readonly #of: InboxOptions;
  readonly #aliases = new Aliases();
  /** In the order in which they came; so many of the first were handed on. */
  readonly #entries: Entry[] = [];
  #handedOn = 0;
  #bytes = 0;
  /** Backpressure: entries held back while too many of QoS 2 wait for their PUBREL. */
  readonly #heldUp: Entry[] = [];
  /** Of QoS 2, being stored. */
  #storing = 0;
  /** PUBRELs under way. */
  #releasing = 0;
  #hasFailed = false;
  readonly #whenIdle: (() => void)[] = [];

  constructor(parts: InboxParts, options: InboxOptions) {
    this.#parts = parts;
    this.#of = options;
  }

  /** Throws PacketError where the packet ends the connection. */
  publish(packet: IPublishPacket): void {
    const topic = this.#aliases.topicOf(packet, this.#of.version);
    if (!isTopicName(topic))
      throw new PacketError(
        REASON.topicInvalid,
        'A topic name has no wildcards, and one character at least (4.7).',
      );
    this.#enter(topic === packet.topic ? packet : { ...packet, topic }, null);
  }

  /** A message of 3.1.1 that was too large to be read: it is acknowledged and dropped, or it would be sent for ever. */
  tooLarge(packet: IPublishPacket, bytes: number): void {
    const message = `The packet has ${bytes} bytes; ${MOST_PACKET} are the most.`;
    this.#enter(packet, { reason: REASON.packetTooLarge, message });
  }

  #enter(packet: IPublishPacket, unread: Refused | null): void {
    if (this.#heldUp.length > 0) this.#checkHeldUp();
    const bytes = this.#of.memory.enter(packet.payload.length);
    const beganMs = machineClock.monotonicMs();
    const heard = this.#parts.removals.heard(this.#of.session.device);
    const about = { stored: null, heard, isGone: false, unkept: null, isDone: false };
    const entry: Entry = { packet, unread, bytes, beganMs, ...about };
    this.#entries.push(entry);
    this.#bytes += bytes;
    this.#heldUp.push(entry);
    this.#goOn();
    if (this.#isBusy) this.#of.pause();
  }

  /** PUBREL (4.3.3). */
  release(messageId: number): void {
    const { session, send } = this.#of;
    const released = async () => {
      const isKnown = await release(session, messageId, this.#parts.log);
      send({ cmd: 'pubcomp', messageId, reasonCode: isKnown ? REASON.success : REASON.idNotFound });
    };
    this.#releasing++;
    released()
      .catch((error: unknown) => this.#fail(error))
      .finally(() => {
        this.#releasing--;
        this.#goOn();
        this.#ended();
      });
  }

  /** Resolves when everything that came, and is not held up, is stored or refused, and acknowledged. */
  async idle(): Promise<void> {
    if (this.#isIdle) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#whenIdle.push(resolve);
    await promise;
  }

  /** The connection has ended. What is under way is stored nevertheless. */
  async close(): Promise<void> {
    // What is held up was neither stored nor acknowledged: it is sent again.
    this.#entries.length -= this.#heldUp.length;
    this.#heldUp.length = 0;
    await this.idle();
    this.#of.memory.release();
  }

  /** Limits the packets read past held-up ones, behind which a PUBREL may stand (MQTT 5, 4.9). */
  #checkHeldUp(): void {
    if (this.#heldUp.length < MOST_HELD_UP && this.#bytes < MOST_BYTES_UNDER_WAY) return;
    throw new PacketError(
      REASON.receiveMaximumExceeded,
      `${MOST_RECEIVING} QoS 2 messages wait for their PUBREL, and too much came behind them (MQTT 5, 4.9).`,
    );
  }

  /** Stores those whose turn has come. */
  #goOn(): void {
    if (this.#hasFailed) return;
    for (
      let [next] = this.#heldUp;
      next !== undefined && this.#mayStore(next.packet);
      [next] = this.#heldUp
    ) {
      this.#heldUp.shift();
      this.#begin(next);
    }
  }

  /** As many of QoS 2 as the record store knows receipts of wait for their PUBREL; one that came before has its place. */
  #mayStore({ qos, messageId = 0 }: IPublishPacket): boolean {
    const { receiving } = this.#of.session;
    return qos < 2 || receiving.has(messageId) || receiving.size + this.#storing < MOST_RECEIVING;
  }

  #begin(entry: Entry): void {
    const isOnce = entry.packet.qos === 2;
    if (isOnce) this.#storing++;
    this.#store(entry)
      .catch((error: unknown) => this.#fail(error))
      .finally(() => {
        if (!isOnce) return;
        this.#storing--;
        this.#goOn();
      });
  }

  async #store(entry: Entry): Promise<void> {
    const { packet, unread } = entry;
    entry.stored = await (unread === null
      ? storeMessage(packet, this.#of, this.#parts)
      : refuseMessage(packet, unread, this.#of, this.#parts));
    this.#handOn();
  }

  #finish(entry: Entry): void {
    entry.isDone = true;
    this.#acknowledge();
  }

  /** Subscribers get messages in the order in which they came, whichever was stored first. */
  #handOn(): void {
    for (;;) {
      const entry = this.#entries[this.#handedOn];
      if (entry === undefined || entry.stored === null || this.#looksAt(entry, entry.stored)) break;
      this.#handedOn++;
      const kept = this.#publish(entry, entry.stored);
      if (kept === null) entry.isDone = true;
      else void kept.then(() => this.#finish(entry));
    }
    this.#acknowledge();
  }

  /** Whether records of the device went meanwhile: then it is looked at whether they were its own, and it is handed on later. */
  #looksAt(entry: Entry, stored: Stored): boolean {
    const { removals, clock } = this.#parts;
    const heard = removals.heard(this.#of.session.device);
    if (heard === entry.heard || stored.refused !== null) return false;
    entry.heard = heard;
    entry.stored = null;
    const look = async () => {
      entry.isGone ||= await removals.isGone(messageOf(entry.packet, clock.now() / 1000, stored.times));
      entry.stored = stored;
      this.#handOn();
    };
    look().catch((error: unknown) => this.#fail(error));
    return true;
  }

  /** Resolves when the sessions of absent clients have it on disk; null for none. */
  #publish(entry: Entry, { refused, receiving, times }: Stored): Promise<unknown> | null {
    const { packet } = entry;
    const { hub, clock, log, failed } = this.#parts;
    const { session } = this.#of;
    if (refused !== null || receiving?.isHandedOn === true) return null;
    if (receiving !== null) receiving.isHandedOn = true;
    const isHeard = !entry.isGone && (packet.retain || hub.isHeard(packet.topic));
    const messageNow = () => messageOf(packet, clock.now() / 1000, times);
    const kept = isHeard ? hub.publish(messageNow(), session, (why) => (entry.unkept = why)) : null;
    if (receiving === null) return kept;
    // A copy that comes once more after a restart is neither stored nor handed on again (4.3.3).
    return settle(session, packet, receiving, { kept, log, failed });
  }

  #acknowledge(): void {
    // What is not acknowledged is sent again: nothing behind it may be.
    if (this.#hasFailed) return;
    for (let first = this.#entries[0]; first?.isDone === true; first = this.#entries[0]) {
      this.#entries.shift();
      this.#handedOn--;
      this.#bytes -= first.bytes;
      this.#of.memory.give(first.bytes);
      const refused = first.stored?.refused ?? null;
      this.#of.trace.published(first.packet, refused, first.stored?.count ?? 0, first.beganMs);
      this.#answer(first, refused);
    }
    this.#ended();
  }

  #answer({ packet: { qos, messageId = 0 }, unkept }: Entry, refused: Refused | null): void {
    const { send, session, version, wantsReasons } = this.#of;
    if (refused !== null) this.#parts.refused(session.device, refused.message);
    if (qos === 0) return;
    const cmd = qos === 1 ? 'puback' : 'pubrec';
    // 3.1.1 has no word for it: what is not stored is acknowledged, or it would be sent for ever (docs/mqtt.md).
    const says = wantsReasons && version === 5;
    const reasonString = refused?.message ?? unkept;
    send({
      cmd,
      messageId,
      reasonCode: refused?.reason ?? REASON.success,
      ...(says && reasonString !== null && { properties: { reasonString } }),
    });
  }

  /** Fails a valid message: it is not acknowledged, and the client sends it again. */
  #fail(error: unknown): void {
    const { end, session } = this.#of;
    if (error instanceof PacketError) end(error.reason, error.message);
    else if (error instanceof StoreError || error instanceof ThreadError) {
      this.#parts.refused(session.device, error.message);
      const isFull = error instanceof StoreError && error.code === 'disk-full';
      end(isFull ? REASON.quotaExceeded : REASON.implementationSpecific, error.message);
    } else {
      this.#parts.failed(error);
      end(REASON.unspecified, 'The service failed; its log says more.');
    }
    this.#hasFailed = true;
    this.#ended();
  }

  #ended(): void {
    if (!this.#isBusy) this.#of.resume();
    if (this.#isIdle) for (const tell of this.#whenIdle.splice(0)) tell();
  }

  get #isIdle(): boolean {
    const isStored = this.#entries.length === this.#heldUp.length;
    return this.#hasFailed || (isStored && this.#releasing === 0);
  }

  /** Whether reading must pause; never while a PUBREL is waited for. */
  get #isBusy(): boolean {
    if (this.#heldUp.length > 0) return false;
    return this.#entries.length >= MOST_UNDER_WAY || this.#bytes >= MOST_BYTES_UNDER_WAY;
  }
}
