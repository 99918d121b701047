import type { IPublishPacket, Packet } from 'mqtt-packet';
import { machineClock } from '../../base/machine-clock.ts';
import type { Hub } from '../sessions/hub.ts';
import {
  MOST_BYTES_UNDER_WAY,
  MOST_HELD_UP,
  MOST_PACKET,
  MOST_RECEIVING,
  MOST_UNDER_WAY,
} from '../limits.ts';
import { acknowledgementsOf, endOf } from './acknowledging.ts';
import { Aliases } from './aliases.ts';
import { publishActOf, storeUnder, type ClientFaults } from './client-faults.ts';
import type { Entry, PublishAct } from './entry.ts';
import { messageOf } from '../sessions/message.ts';
import type { Sender } from '../../store/metadata/sender.ts';
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
  /** Who signed in. */
  readonly sender: Sender;
  readonly faults: Pick<ClientFaults, 'isOn' | 'publish'>;
  /** Request trace of messages. */
  readonly trace: Pick<ClientTrace, 'published'>;
  /** Reads no further packet for the moment, or goes on. */
  readonly pause: () => void;
  readonly resume: () => void;
  readonly end: (reason: Reason, message: string) => void;
  /** Ends the connection without a word. */
  readonly cut: () => void;
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
    const named = this.#aliases.named(packet, this.#of.version);
    const { faults, sender } = this.#of;
    const act = faults.isOn ? faults.publish(sender, named.topic) : null;
    if (act === null) return this.#enter(named, null, null);
    const fault = publishActOf(act);
    this.#enter(named, null, fault);
    // Of QoS 2 a copy is none: it is acknowledged twice.
    if (fault.isTwice && packet.qos < 2) this.#enter(named, null, fault);
  }

  /** A message of 3.1.1 that was too large to be read: it is acknowledged and dropped, or it would be sent for ever. */
  tooLarge(packet: IPublishPacket, bytes: number): void {
    const message = `The packet has ${bytes} bytes; ${MOST_PACKET} are the most.`;
    this.#enter(packet, { reason: REASON.packetTooLarge, message }, null);
  }

  #enter(packet: IPublishPacket, unread: Refused | null, fault: PublishAct | null): void {
    if (this.#heldUp.length > 0) this.#checkHeldUp();
    const bytes = this.#of.memory.enter(packet.payload.length);
    const beganMs = machineClock.monotonicMs();
    const heard = this.#parts.removals.heard(this.#of.session.device);
    const about = { stored: null, heard, isGone: false, unkept: null, isDone: false };
    const entry: Entry = { packet, unread, fault, bytes, beganMs, ...about };
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
    const { packet, unread, fault } = entry;
    entry.stored = await (fault === null
      ? this.#outcome(packet, unread)
      : storeUnder(fault, entry, this.#of, (refused) => this.#outcome(packet, refused)));
    this.#handOn();
  }

  #outcome(packet: IPublishPacket, unread: Refused | null): Promise<Stored> {
    return unread === null
      ? storeMessage(packet, this.#of, this.#parts)
      : refuseMessage(packet, unread, this.#of, this.#parts);
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
      const count = first.stored?.count ?? 0;
      this.#of.trace.published(first.packet, refused, count, first.beganMs, first.fault?.act.name);
      this.#answer(first, refused);
    }
    this.#ended();
  }

  #answer(entry: Entry, refused: Refused | null): void {
    if (refused !== null) this.#parts.refused(this.#of.session.device, refused.message);
    for (const packet of acknowledgementsOf(entry, refused, this.#of)) this.#of.send(packet);
  }

  /** Fails a valid message: it is not acknowledged, and the client sends it again. */
  #fail(error: unknown): void {
    const { end, session } = this.#of;
    const found = endOf(error);
    if (found === null) this.#parts.failed(error);
    else if (!(error instanceof PacketError)) this.#parts.refused(session.device, found.message);
    end(found?.reason ?? REASON.unspecified, found?.message ?? 'The service failed; its log says more.');
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
