import type { IPublishPacket, Packet } from 'mqtt-packet';
import { MOST_UNCONFIRMED, UNREAD_BEFORE_QUEUE } from '../limits.ts';
import { publishPacket } from '../sessions/message.ts';
import { PacketError, REASON } from '../packets/reasons.ts';
import { packetIdOf, type Queued, type Session } from '../sessions/session.ts';
import type { SessionLog } from '../sessions/session-log.ts';

export interface OutboxOptions {
  readonly session: Session;
  readonly log: SessionLog;
  /** QoS 1 and 2 messages that the client takes at once. */
  readonly receiveMaximum: number;
  readonly send: (packet: Packet) => void;
  /** Sends a message, as `Wire.message` does. */
  readonly message: (packet: IPublishPacket, left: () => void) => number | null;
  /** Called with the bytes of a message that is larger than the client takes. */
  readonly tooLarge: (bytes: number) => void;
  /** Bytes that the client has not taken yet. */
  readonly unread: () => number;
  readonly nowMs: () => number;
}

/** Outbox: sends a session's messages, within the client's inflight window (4.3, 4.4; MQTT 5, 4.9). */
export class Outbox {
  readonly #of: OutboxOptions;
  readonly #window: number;

  constructor(options: OutboxOptions) {
    this.#of = options;
    this.#window = Math.min(options.receiveMaximum, MOST_UNCONFIRMED);
  }

  /** Sends again what was not confirmed over the connection before, then what waits. */
  begin(): void {
    const { session, send } = this.#of;
    session.rewind();
    for (const messageId of session.unconfirmed.keys()) send({ cmd: 'pubrel', messageId });
    this.wake();
  }

  /** Sends what there is room for. */
  wake(): void {
    const { session, unread } = this.#of;
    while (unread() < UNREAD_BEFORE_QUEUE) {
      const [next] = session.waiting;
      if (next === undefined || !next.isReady) return;
      if (next.qos > 0 && session.unconfirmed.size >= this.#window) return;
      session.dequeue();
      const wasSent = next.isSent;
      next.isSent = true;
      this.#sendAs(next, next.qos > 0 ? packetIdOf(next.n) : null, wasSent);
    }
  }

  /** PUBACK, or the PUBCOMP that ends QoS 2. One that nobody waits for is left alone. */
  confirmed(messageId: number): void {
    this.#over(messageId);
    this.wake();
  }

  /** PUBREC: PUBREL follows when it is on disk that the client has the message (4.3.3). `isRefused`: it does not take it. */
  async received(messageId: number, isRefused: boolean): Promise<void> {
    const { session, log, send } = this.#of;
    if (isRefused) return this.confirmed(messageId);
    const queued = session.unconfirmed.get(messageId);
    if (queued === undefined) {
      send({ cmd: 'pubrel', messageId, reasonCode: REASON.idNotFound });
      return;
    }
    if (queued.qos !== 2)
      throw new PacketError(REASON.protocolError, 'A message with QoS 1 is confirmed by PUBACK (4.3.2).');
    queued.isReceived = true;
    await log.received(session, queued);
    send({ cmd: 'pubrel', messageId });
  }

  #sendAs(queued: Queued, messageId: number | null, dup: boolean): void {
    const { nowMs, message, session, tooLarge } = this.#of;
    const packet = publishPacket(queued, { messageId, dup: dup && messageId !== null, nowMs: nowMs() });
    const left = () => {
      if (messageId === null) session.left(queued);
    };
    const bytes = packet === null ? null : message(packet, left);
    if (packet !== null && bytes === null) return;
    // Expired, or more than the client takes, which is as good as delivered (MQTT 5, 3.1.2.11.4).
    if (bytes !== null) tooLarge(bytes);
    left();
    if (messageId !== null) this.#over(messageId);
  }

  #over(messageId: number): void {
    const { session, log } = this.#of;
    const queued = session.confirm(messageId);
    if (queued !== null) log.delivered(session, queued);
  }
}
