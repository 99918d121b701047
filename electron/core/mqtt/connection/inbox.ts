import type { IPublishPacket, Packet } from 'mqtt-packet';
import { Refusal, StoreError, ThreadError } from '../../errors.ts';
import type { HeldMemory } from '../../ingest/bodies.ts';
import type { Hub } from '../sessions/hub.ts';
import {
  MOST_ALIASES,
  MOST_BYTES_UNDER_WAY,
  MOST_RECEIVING,
  MOST_UNDER_WAY,
  RECEIVE_MAXIMUM,
} from '../limits.ts';
import { messageOf } from '../sessions/message.ts';
import { PacketError, REASON, type Reason } from '../packets/reasons.ts';
import { release } from '../sessions/receiving.ts';
import { storeMessage, type Publisher, type Refused, type Stored, type StoringParts } from './storing.ts';
import type { MqttSights } from '../sights.ts';
import { isTopicName } from '../topics.ts';

export interface InboxParts extends StoringParts {
  readonly hub: Hub;
  /** Hears of a message that was not stored, and why. */
  readonly refused: (device: string, why: string) => void;
  /** Hears of a failure that nobody foresaw. */
  readonly failed: (error: unknown) => void;
}

export interface InboxOptions extends Publisher {
  /** Whether reasons may be given in words. */
  readonly wantsReasons: boolean;
  /** Takes its bytes from what all bodies under way share. */
  readonly memory: HeldMemory;
  readonly send: (packet: Packet) => void;
  /** Where it is told what became of each message. */
  readonly sights: Pick<MqttSights, 'published'>;
  /** Reads no further packet for the moment, or goes on. */
  readonly pause: () => void;
  readonly resume: () => void;
  readonly end: (reason: Reason, message: string) => void;
}

/** A message under way. */
interface Entry {
  readonly packet: IPublishPacket;
  readonly bytes: number;
  /** When it came, of `performance.now()`. */
  readonly beganMs: number;
  /** Null: nobody knows yet. */
  stored: Stored | null;
  /** Why it is not retained, though it was to be. */
  unkept: string | null;
  /** Whether it may be acknowledged as soon as all before are. */
  isDone: boolean;
}

/** Stores what a client publishes; hands it on, and acknowledges it when it is on disk, in the order in which it came (4.6). */
export class Inbox {
  readonly #parts: InboxParts;
  readonly #of: InboxOptions;
  readonly #aliases = new Map<number, string>();
  /** In the order in which they came; so many of the first were handed on. */
  readonly #entries: Entry[] = [];
  #handedOn = 0;
  #bytes = 0;
  /** Taken for a large packet that is on its way. */
  #reserved = 0;
  #unacknowledged = 0;
  /** PUBRELs under way. */
  #releasing = 0;
  #hasFailed = false;
  readonly #whenIdle: (() => void)[] = [];

  constructor(parts: InboxParts, options: InboxOptions) {
    this.#parts = parts;
    this.#of = options;
  }

  /** A large packet has begun. Throws PacketError where there is no room for it. */
  large(bytes: number): void {
    this.#take(bytes);
    this.#reserved = bytes;
  }

  /** Throws PacketError where the packet ends the connection. */
  publish(packet: IPublishPacket): void {
    const topic = this.#topicOf(packet);
    if (!isTopicName(topic))
      throw new PacketError(
        REASON.topicInvalid,
        'A topic name has no wildcards, and one character at least (4.7).',
      );
    if (packet.qos > 0 && ++this.#unacknowledged > RECEIVE_MAXIMUM && this.#of.version === 5)
      throw new PacketError(
        REASON.receiveMaximumExceeded,
        `More than ${RECEIVE_MAXIMUM} messages wait for their acknowledgement (MQTT 5, 3.3.4).`,
      );
    this.#checkReceiving(packet);
    const bytes = this.#reserved > 0 ? this.#reserved : packet.payload.length;
    if (this.#reserved === 0) this.#take(bytes);
    this.#reserved = 0;
    const named = topic === packet.topic ? packet : { ...packet, topic };
    const entry: Entry = {
      packet: named,
      bytes,
      beganMs: performance.now(),
      stored: null,
      unkept: null,
      isDone: false,
    };
    this.#entries.push(entry);
    this.#bytes += bytes;
    if (this.#isBusy) this.#of.pause();
    this.#store(entry).catch((error: unknown) => this.#fail(error));
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
        this.#ended();
      });
  }

  /** Resolves when everything that came is stored or refused, and acknowledged. */
  async idle(): Promise<void> {
    if (this.#isIdle) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#whenIdle.push(resolve);
    await promise;
  }

  /** The connection has ended. What is under way is stored nevertheless. */
  async close(): Promise<void> {
    await this.idle();
    this.#of.memory.release();
  }

  #topicOf({ topic, properties }: IPublishPacket): string {
    const alias = properties?.topicAlias;
    if (alias === undefined) {
      if (topic === '' && this.#of.version === 5)
        throw new PacketError(REASON.protocolError, 'A message has a topic, or an alias (MQTT 5, 3.3.2.1).');
      return topic;
    }
    if (alias < 1 || alias > MOST_ALIASES)
      throw new PacketError(
        REASON.topicAliasInvalid,
        `Topic aliases are 1 to ${MOST_ALIASES} here (MQTT 5, 3.3.2.3.4).`,
      );
    if (topic !== '') this.#aliases.set(alias, topic);
    const known = this.#aliases.get(alias);
    if (known === undefined)
      throw new PacketError(REASON.protocolError, `Topic alias ${alias} was never set (MQTT 5, 3.3.2.3.4).`);
    return known;
  }

  /** In 3.1.1 nothing else keeps a client from leaving all identifiers open. */
  #checkReceiving({ qos, messageId = 0 }: IPublishPacket): void {
    const { receiving } = this.#of.session;
    if (qos === 2 && receiving.size >= MOST_RECEIVING && !receiving.has(messageId))
      throw new PacketError(
        REASON.quotaExceeded,
        `${MOST_RECEIVING} QoS 2 messages wait for their PUBREL; one more is not taken (4.3.3).`,
      );
  }

  #take(bytes: number): void {
    try {
      this.#of.memory.take(this.#of.tokenHash, bytes);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      throw new PacketError(error.status === 429 ? REASON.quotaExceeded : REASON.serverBusy, error.message);
    }
  }

  async #store(entry: Entry): Promise<void> {
    entry.stored = await storeMessage(entry.packet, this.#of, this.#parts);
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
      if (entry === undefined || entry.stored === null) break;
      this.#handedOn++;
      const kept = this.#publish(entry, entry.stored);
      if (kept === null) entry.isDone = true;
      else void kept.then(() => this.#finish(entry));
    }
    this.#acknowledge();
  }

  /** Resolves when those who are away have it for sure; null where nobody is. */
  #publish(entry: Entry, { refused, receiving }: Stored): Promise<unknown> | null {
    const { packet } = entry;
    const { hub, clock, log, failed } = this.#parts;
    const { session } = this.#of;
    if (refused !== null || receiving?.isHandedOn === true) return null;
    if (receiving !== null) receiving.isHandedOn = true;
    if (!packet.retain && !hub.isHeard(packet.topic)) return null;
    const message = messageOf(packet, clock.now() / 1000);
    const kept = hub.publish(message, session, (why) => (entry.unkept = why));
    if (kept === null || receiving === null) return kept;
    // With what is kept: a copy that comes once more after a restart is not handed on again (4.3.3).
    return Promise.all([kept, log.receiving(session, packet.messageId ?? 0, receiving).catch(failed)]);
  }

  #acknowledge(): void {
    // What is not acknowledged is sent again: nothing behind it may be.
    if (this.#hasFailed) return;
    for (let first = this.#entries[0]; first?.isDone === true; first = this.#entries[0]) {
      this.#entries.shift();
      this.#handedOn--;
      this.#bytes -= first.bytes;
      this.#of.memory.give(this.#of.tokenHash, first.bytes);
      const refused = first.stored?.refused ?? null;
      this.#of.sights.published(first.packet, refused, first.stored?.count ?? 0, first.beganMs);
      this.#answer(first, refused);
    }
    this.#ended();
  }

  #answer({ packet: { qos, messageId = 0 }, unkept }: Entry, refused: Refused | null): void {
    const { send, session, version, wantsReasons } = this.#of;
    if (refused !== null) this.#parts.refused(session.device, refused.message);
    if (qos === 0) return;
    this.#unacknowledged--;
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

  /** Not stored, though nothing is wrong with it: it is not acknowledged, and the client sends it again. */
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
    return this.#hasFailed || (this.#entries.length === 0 && this.#releasing === 0);
  }

  get #isBusy(): boolean {
    return this.#entries.length >= MOST_UNDER_WAY || this.#bytes >= MOST_BYTES_UNDER_WAY;
  }
}
