import { Refusal } from '../../base/errors.ts';
import type { Timer } from '../../base/clock.ts';
import { machineClock } from '../../base/machine-clock.ts';
import { senderOfToken } from '../../ingest/authenticate.ts';
import { PacketError, REASON } from '../packets/reasons.ts';
import type { Payload } from '../../ingest/upload.ts';
import { messageOf, timesOf, weightOf } from '../sessions/message.ts';
import type { Room } from '../sessions/room.ts';
import type { Session } from '../sessions/session.ts';
import type { ClientTrace } from '../client-trace.ts';
import type { Accepted, Will } from './connect.ts';
import type { InboxParts } from './inbox.ts';
import { readRecords } from './reading.ts';

/** A will, and where it is told what became of it. */
export interface Held {
  readonly will: Will;
  readonly tokenHash: string;
  readonly device: string;
  readonly clientId: string;
  readonly trace: Pick<ClientTrace, 'published'>;
  /** Bytes that it has of the room of all, from CONNECT on. */
  readonly bytes: number;
}

interface Waiting {
  readonly held: Held;
  readonly timer: Timer;
}

/** Wills of clients whose connections ended without a DISCONNECT (3.1.2.5), and their delays (MQTT 5, 3.1.3.2.2). */
export class Wills {
  readonly #parts: InboxParts;
  readonly #room: Room;
  readonly #waiting = new Map<Session, Waiting>();
  /** Wills that are being stored, by their client. */
  readonly #underWay = new Map<string, Promise<void>>();
  #isClosing = false;

  /** Wills take their bytes from the `room` of all messages that are kept. */
  constructor(parts: InboxParts, room: Room) {
    this.#parts = parts;
    this.#room = room;
  }

  /** Keeps the will of a client that signs in; null where it has none. Throws PacketError where there is no room for it. */
  hold({ will, sender, clientId, tokenHash }: Accepted, trace: Held['trace']): Held | null {
    const { id: device, project_id } = sender.device;
    // Whatever is kept of it from now on counts there.
    this.#room.belongs(device, project_id);
    if (will === null) return null;
    const bytes = weightOf(messageOf(will.packet, 0, null));
    if (this.#room.take(device, bytes)) return { will, tokenHash, device, clientId, trace, bytes };
    throw new PacketError(
      REASON.quotaExceeded,
      'Too much is kept of this device, of all devices of its project, or of all together: there is no room for a will.',
    );
  }

  /** Reports a refused will at once, in requests seen: after its client's end it would be too late. */
  tell({ willRefused, sender }: Accepted, trace: Held['trace']): void {
    if (willRefused === null) return;
    const { packet, message } = willRefused;
    const words = `The will of a client is no record: ${message}`;
    trace.published(packet, { reason: REASON.payloadInvalid, message: words }, 0, machineClock.monotonicMs());
    this.#parts.refused(sender.device.id, words);
  }

  /** Its client has said goodbye. */
  discard({ device, bytes }: Held): void {
    this.#room.give(device, bytes);
  }

  /** Its connection has ended without a word. */
  left(held: Held, session: Session): void {
    const { hub, clock } = this.#parts;
    const delayS = Math.min(held.will.delayS, session.expiry);
    // The end of the session ends the delay; a client that is back has no need of it.
    if (delayS === 0 || this.#isClosing || !hub.isOne(session)) return this.#publish(held);
    if (hub.isConnected(session)) return this.discard(held);
    const publish = () => {
      this.#waiting.delete(session);
      this.#publish(held);
    };
    this.#waiting.set(session, { held, timer: clock.after(delayS * 1000, publish) });
  }

  /** Its client is back. Resolves when wills of its former connections are stored and handed on, before what it says now. */
  async connected(session: Session): Promise<void> {
    const held = this.#take(session);
    if (held !== null) this.discard(held);
    await this.#underWay.get(clientOf(session));
  }

  /** The end of a session ends the delay, too. */
  ended(session: Session): void {
    const held = this.#take(session);
    if (held !== null) this.#publish(held);
  }

  /** The service stops: what waits is published now, and none waits from now on. */
  close(): void {
    this.#isClosing = true;
    for (const { held, timer } of this.#waiting.values()) {
      timer.cancel();
      this.#publish(held);
    }
    this.#waiting.clear();
  }

  /** Resolves when all that were published are stored. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay.values());
  }

  /** Takes the waiting will of a session. */
  #take(session: Session): Held | null {
    const waiting = this.#waiting.get(session);
    if (waiting === undefined) return null;
    waiting.timer.cancel();
    this.#waiting.delete(session);
    return waiting.held;
  }

  #publish(held: Held): void {
    const beganMs = machineClock.monotonicMs();
    const stored = this.#store(held)
      .then((count) => held.trace.published(held.will.packet, null, count, beganMs))
      .catch((error: unknown) => {
        if (!(error instanceof Refusal)) return this.#parts.failed(error);
        const refused = { reason: REASON.payloadInvalid, message: error.message };
        held.trace.published(held.will.packet, refused, 0, beganMs);
        this.#parts.refused(held.device, `The will of a client: ${error.message}`);
      })
      .finally(() => this.discard(held));
    const client = clientOf(held);
    const before = this.#underWay.get(client);
    const settle = async () => {
      await before;
      await stored;
      if (this.#underWay.get(client) === all) this.#underWay.delete(client);
    };
    const all = settle();
    this.#underWay.set(client, all);
  }

  /** Stores a will as any message of its device. Resolves with the number of records. Rejects with Refusal or StoreError. */
  async #store({ will: { packet, version }, tokenHash, device }: Held): Promise<number> {
    const { ingest, metadata, clock, hub, removals } = this.#parts;
    let heard = removals.heard(device);
    const { payload: bytes, retain, properties } = packet;
    let records: Payload | null = null;
    const received = clock.now();
    if (bytes.length > 0 || !retain) {
      const { device: by } = await senderOfToken(metadata, tokenHash);
      const content = { device: by, version, bytes, contentType: properties?.contentType };
      records = await readRecords({ ingest, now: () => received }, content);
      await ingest.store(await senderOfToken(metadata, tokenHash), records);
    }
    const count = records?.count ?? 0;
    const message = messageOf(packet, clock.now() / 1000, timesOf(records));
    // Records of the device went meanwhile.
    for (let now = removals.heard(device); now !== heard; now = removals.heard(device)) {
      heard = now;
      if (await removals.isGone(message)) return count;
    }
    await hub.publish(message, null);
    return count;
  }
}

/** Ids of devices have no slash. */
const clientOf = ({ device, clientId }: Pick<Session, 'device' | 'clientId'>) => `${device}/${clientId}`;
