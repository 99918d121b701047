import type { Duplex } from 'node:stream';
import type { IConnectPacket, Packet } from 'mqtt-packet';
import type { Chances } from '../../base/chance.ts';
import { StoreError } from '../../base/errors.ts';
import { machineClock } from '../../base/machine-clock.ts';
import { askerOfDevice, type MemoryBudget } from '../../ingest/memory-budget.ts';
import type { Slices } from '../../turns/slices.ts';
import { accepting, refuse } from './connack.ts';
import type { ClientFaults } from './client-faults.ts';
import { connectUnder } from './connect-faults.ts';
import { KeepAlive } from './keep-alive.ts';
import { accept, type Accepted } from './connect.ts';
import { Inbox, type InboxParts } from './inbox.ts';
import { CONNECT_MS, MOST_EXPIRY_S, MOST_OF_STRANGER } from '../limits.ts';
import type { Link } from '../sessions/link.ts';
import type { Established } from './established.ts';
import { Outbox } from './outbox.ts';
import { PacketError, REASON, type Reason } from '../packets/reasons.ts';
import type { Session } from '../sessions/session.ts';
import type { ClientTrace } from '../client-trace.ts';
import { PublishMemory } from './publish-memory.ts';
import type { Removals } from './removals.ts';
import { subscribe, unsubscribe } from './subscribing.ts';
import type { Wills } from './wills.ts';
import { Wire, type WireEvents } from '../packets/wire.ts';

export interface ConnectionParts extends InboxParts {
  readonly chance: Pick<Chances, 'of'>;
  readonly budget: MemoryBudget;
  /** Cooperative scheduler of all connections. */
  readonly slices: Slices;
  readonly wills: Wills;
  readonly removals: Removals;
  /** Called with a message that does not reach it, and why. */
  readonly dropped: (device: string, why: string) => void;
  readonly faults: ClientFaults;
  /** Request trace of the client. */
  readonly trace: ClientTrace;
  /** Called when the client is authenticated. */
  readonly known: (connection: Connection) => void;
  readonly closed: (connection: Connection) => void;
}

/** One client's connection, from its first byte to its last. */
export class Connection implements Link {
  readonly #parts: ConnectionParts;
  readonly #wire: Wire;
  #established: Established | null = null;
  /** The CONNECT, until it was accepted. */
  #asked: IConnectPacket | null = null;
  /** Whether it has said goodbye, so that its will is not published (3.14). */
  #hasLeft = false;
  #isClosed = false;
  #whenClosed = () => {};
  /** Whether its session goes on without it. */
  #isOver = false;
  /** Ends a connection on which no CONNECT comes. */
  readonly #late: NodeJS.Timeout;
  /** Null where any silence is fine. */
  #keepAlive: KeepAlive | null = null;

  constructor(stream: Duplex, parts: ConnectionParts) {
    this.#parts = parts;
    const events: WireEvents = {
      taken: () => this.wake(),
      heard: () => this.#keepAlive?.heard(),
      connect: (packet) => this.#connect(packet),
      packet: (packet) => this.#take(packet),
      large: (bytes) => this.#established?.memory.reserve(bytes),
      tooLarge: (packet, bytes) => this.#established?.inbox.tooLarge(packet, bytes),
      failed: (error) => this.#refuse(error),
      over: () => this.#during(this.#finish()),
      closed: () => this.#closed(),
    };
    this.#wire = new Wire(stream, events, parts.slices);
    this.#late = machineClock.after(CONNECT_MS, () => stream.destroy()).unref();
  }

  /** The device, with its project at sign-in; null before that. */
  get of(): { readonly device: string; readonly project: string; readonly tokenHash: string } | null {
    if (this.#established === null) return null;
    const { sender, tokenHash } = this.#established.accepted;
    return { device: sender.device.id, project: sender.device.project_id, tokenHash };
  }

  /** The door holds so many bytes that the stream does not have yet: of a frame that is not whole. */
  gathers(bytes: number): void {
    if (this.#isClosed) return;
    if (this.#established === null) {
      if (bytes + this.#wire.held > MOST_OF_STRANGER) this.#wire.cut();
      return;
    }
    try {
      this.#established.memory.gathers(bytes);
    } catch (error) {
      if (!(error instanceof PacketError)) throw error;
      this.#refuse(error);
    }
  }

  wake(): void {
    this.#established?.outbox.wake();
  }

  end(reason: Reason, message: string): void {
    if (this.#established === null) return this.#wire.close();
    this.#parts.trace.ended(reason, message);
    this.#wire.end(reason, this.#established.accepted.wantsReasons ? message : null);
    // At once: a line that is dead closes later, and its client may be back and say more by then.
    this.#leave(this.#established);
  }

  /** Ends it when everything that came was stored and acknowledged. */
  async endWhenIdle(reason: Reason, message: string): Promise<void> {
    this.#wire.stop();
    await this.#established?.inbox.idle();
    this.end(reason, message);
  }

  /** Ends it without a word. */
  cut(): void {
    this.#wire.cut();
  }

  /** Answers the packets that came, after the last one. */
  async #finish(): Promise<void> {
    await this.#established?.inbox.idle();
    this.#wire.close();
  }

  #connect(packet: IConnectPacket): void {
    // Nothing more is read until it is known who that is: what follows may come in the same piece.
    this.#wire.pause();
    this.#parts.trace.connecting();
    this.#asked = packet;
    // 0 is refused, in words.
    this.#wire.maximumPacketSize = packet.properties?.maximumPacketSize || Infinity;
    this.#during(this.#meet(accept(packet, this.#wire.version ?? 4, this.#parts)));
  }

  /** Rejects as `accept`, and as faults have it. */
  async #meet(accepted: Promise<Accepted>): Promise<void> {
    const { faults, trace } = this.#parts;
    this.#whenClosed = await connectUnder(accepted, {
      faults,
      wire: this.#wire,
      trace,
      meets: () => clearTimeout(this.#late),
      establish: (who) => this.#establish(who),
      refused: (why) => trace.refused(why, this.#asked),
    });
    if (this.#isClosed) this.#whenClosed();
  }

  async #establish(accepted: Accepted): Promise<void> {
    if (this.#isClosed) return;
    clearTimeout(this.#late);
    const { hub, wills, removals, log, budget, clock, faults } = this.#parts;
    const { sender, clientId, isClean, expiry, version, tokenHash, wantsReasons } = accepted;
    const asked = { device: sender.device.id, clientId, isClean, expiry };
    await removals.check(sender.device.id);
    const will = wills.hold(accepted, this.#parts.trace);
    const { session, isPresent } = await hub.connect(asked, this).catch((error: unknown) => {
      if (will !== null) wills.discard(will);
      throw error;
    });
    await wills.connected(session);
    const wire = this.#wire;
    const send = (packet: Packet) => wire.send(packet);
    const end = (reason: Reason, message: string) => this.end(reason, message);
    const memory = new PublishMemory(budget.hold(), askerOfDevice(sender.device));
    const inbox = new Inbox(this.#parts, {
      session,
      sender,
      send,
      faults,
      trace: this.#parts.trace,
      version,
      tokenHash,
      isCurrent: () => hub.isOf(session, this),
      wantsReasons,
      memory,
      pause: () => wire.pause(),
      resume: () => wire.resume(),
      end,
      cut: () => wire.cut(),
    });
    const { receiveMaximum, maximumPacketSize } = accepted;
    const outbox = new Outbox({
      session,
      log,
      send,
      receiveMaximum,
      message: (packet, left) => wire.message(packet, left),
      tooLarge: (bytes) =>
        this.#parts.dropped(
          sender.device.id,
          `its packet has ${bytes} bytes, and client "${clientId}" takes ${maximumPacketSize} at most (Maximum Packet Size).`,
        ),
      unread: () => wire.unread,
      nowMs: () => clock.now() / 1000,
    });
    const subscriber = { hub, removals, session, version, send };
    this.#established = { accepted, session, inbox, memory, outbox, subscriber, will };
    if (this.#isClosed) return this.#leave(this.#established);
    this.#asked = null;
    this.#parts.known(this);
    this.#parts.trace.connected(sender);
    wills.tell(accepted, this.#parts.trace);
    send(accepting(accepted, isPresent));
    if (accepted.keepAlive > 0) this.#keepAlive = new KeepAlive(accepted.keepAlive, wire, end);
    outbox.begin();
    wire.resume();
  }

  #take(packet: Packet): void {
    if (this.#established === null) return;
    const { inbox, outbox, session, subscriber } = this.#established;
    const messageId = packet.messageId ?? 0;
    switch (packet.cmd) {
      case 'publish':
        return inbox.publish(packet);
      case 'pubrel':
        return inbox.release(messageId);
      case 'puback':
      case 'pubcomp':
        return outbox.confirmed(messageId);
      case 'pubrec':
        return this.#during(outbox.received(messageId, (packet.reasonCode ?? 0) >= REASON.unspecified));
      case 'subscribe':
        return this.#during(subscribe(packet, subscriber));
      case 'unsubscribe':
        return this.#during(unsubscribe(packet, subscriber));
      case 'pingreq':
        return this.#wire.send({ cmd: 'pingresp' });
      case 'disconnect':
        return this.#goodbye(session, packet.reasonCode ?? 0, packet.properties?.sessionExpiryInterval);
      default:
        throw new PacketError(REASON.protocolError, `A client sends no ${packet.cmd.toUpperCase()} here.`);
    }
  }

  #goodbye(session: Session, reasonCode: number, asked: number | undefined): void {
    // A session that was to end with its connection cannot be made to last (MQTT 5, 3.14.2.2.2).
    if (asked !== undefined && asked > 0 && session.expiry === 0)
      throw new PacketError(REASON.protocolError, 'A session that ends with its connection cannot be kept.');
    // With any other reason it says what went wrong (MQTT 5, 3.1.2.5).
    this.#hasLeft = reasonCode === REASON.success;
    const leave = async () => {
      if (asked !== undefined) await this.#parts.hub.changeExpiry(session, Math.min(asked, MOST_EXPIRY_S));
      this.#wire.close();
    };
    this.#wire.stop();
    this.#during(leave());
  }

  #during(work: Promise<void>): void {
    work.catch((error: unknown) => {
      if (error instanceof PacketError) this.#refuse(error);
      else this.#broken(error);
    });
  }

  /** Handles a failure of the disk or the database, or an unexpected one. */
  #broken(error: unknown): void {
    this.#parts.failed(error);
    const message = error instanceof StoreError ? error.message : 'The service failed; its log says more.';
    const broken = new PacketError(REASON.unspecified, message, { cause: error });
    if (this.#established !== null) return this.end(broken.reason, broken.message);
    // Without a CONNACK: one that refuses keeps mqtt.js from ever coming back, and the client did nothing wrong.
    this.#during(this.#parts.trace.refused(broken, this.#asked));
    this.#wire.close();
  }

  #refuse(why: PacketError): void {
    if (this.#established !== null) return this.end(why.reason, why.message);
    this.#wire.stop();
    const noted = this.#parts.trace.refused(why, this.#asked);
    this.#during(noted.then(() => refuse(why, this.#wire)));
  }

  #closed(): void {
    this.#isClosed = true;
    this.#whenClosed();
    clearTimeout(this.#late);
    this.#keepAlive?.stop();
    this.#parts.closed(this);
    if (this.#established !== null) this.#leave(this.#established);
  }

  #leave({ session, inbox, will }: Established): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { hub, wills, failed } = this.#parts;
    const ended = hub.disconnect(session, this);
    if (will !== null && this.#hasLeft) wills.discard(will);
    else if (will !== null) wills.left(will, session);
    Promise.all([ended, inbox.close()]).catch(failed);
  }
}
