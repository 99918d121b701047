import type { Duplex } from 'node:stream';
import type { IConnectPacket, IPublishPacket, Packet } from 'mqtt-packet';
import { machineClock } from '../../base/machine-clock.ts';
import type { Slices } from '../../turns/slices.ts';
import { CONNECT, Frames, PUBLISH } from './frames.ts';
import { LARGE_PACKET, MOST_PACKET, PACKET_MS } from '../limits.ts';
import { readBeginning, readConnect, readPacket, readVersion } from './read-packet.ts';
import { PacketError, REASON, type Reason } from './reasons.ts';
import { Sending } from './sending.ts';
import type { Version } from './version.ts';
import { writePacket, writePublish } from './write-packet.ts';

/** ms that one connection's packets may take before others have their turn. */
const TURN_MS = 1;
/** ms that the last bytes may take to leave. */
const CLOSE_MS = 1000;

export interface WireEvents {
  /** Sent bytes have left. */
  taken(): void;
  /** Bytes have arrived. */
  heard(): void;
  /** The first packet. Throws PacketError. */
  connect(packet: IConnectPacket): void;
  /** Each further packet, in order. Throws PacketError. */
  packet(packet: Packet): void;
  /** A large packet of so many bytes has begun. Throws PacketError where there is no room for it. */
  large(bytes: number): void;
  /** A PUBLISH of 3.1.1 was too large, so many bytes: it has no payload. */
  tooLarge(packet: IPublishPacket, bytes: number): void;
  /** A packet cannot be read, or is refused. */
  failed(error: PacketError): void;
  /** The other side has sent all that it will, and all of it was read. */
  over(): void;
  /** The connection has ended; called once. */
  closed(): void;
}

/** Packets over a stream of bytes, whichever it is: TCP, TLS or a WebSocket. */
export class Wire {
  /** Version of the CONNECT, once it has come. */
  version: Version | null = null;
  /** Bytes of a packet that the client takes. */
  maximumPacketSize = Infinity;
  readonly #stream: Duplex;
  readonly #frames = new Frames();
  readonly #events: WireEvents;
  readonly #slices: Pick<Slices, 'add'>;
  #isPaused = false;
  /** Whether no further packet is read for good. */
  #isStopped = false;
  /** Whether the other side has sent all that it will. */
  #isOver = false;
  /** Whether nothing more is read or sent. */
  #hasEnded = false;
  /** Whether the packet that has begun was announced as a large one. */
  #isLarge = false;
  /** Bytes of the packet that is passed over; null: none is. */
  #skipped: number | null = null;
  #late: NodeJS.Timeout | null = null;
  /** Whether what came is to be read in a slice. */
  #isInLine = false;
  readonly #sending: Sending;

  /** `slices`: whose turn it is among all connections. */
  constructor(stream: Duplex, events: WireEvents, slices: Pick<Slices, 'add'>) {
    this.#stream = stream;
    this.#slices = slices;
    this.#events = events;
    this.#sending = new Sending(stream, () => {
      // Over one that has ended nothing more goes: what waits in the session may be another connection's by now.
      if (!this.#hasEnded) events.taken();
    });
    stream.on('data', (piece: Buffer) => {
      if (this.#hasEnded) return;
      events.heard();
      this.#frames.push(piece);
      // No more than is read: what comes faster stays with the system.
      if (this.#isInLine) stream.pause();
      else if (this.#mayRead) this.#getInLine();
    });
    // Reset by the other side, or cut off here: `close` follows.
    stream.on('error', () => stream.destroy());
    stream.on('end', () => {
      this.#isOver = true;
      if (this.#hasEnded) stream.destroy();
      else if (this.#mayRead) events.over();
    });
    stream.once('close', () => {
      this.#hasEnded = true;
      this.#expect(false);
      this.#sending.close();
      events.closed();
    });
  }

  /** Whether it reads nothing for the moment. */
  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** Bytes that came and were not read. */
  get held(): number {
    return this.#frames.held + this.#stream.readableLength;
  }

  /** Bytes that the other side has not taken yet. */
  get unread(): number {
    return this.#sending.unread;
  }

  /** Reads no further packet until `resume`. */
  pause(): void {
    this.#isPaused = true;
    this.#stream.pause();
  }

  /** Stops reading permanently, also after a resume. */
  stop(): void {
    this.#isStopped = true;
    this.pause();
  }

  resume(): void {
    if (!this.#isPaused || this.#isStopped || this.#hasEnded) return;
    this.#isPaused = false;
    this.#readLater();
  }

  /** Sends an answer; what is sent in one turn leaves together. Who leaves too many answers unread is cut off. */
  send(packet: Packet): void {
    if (this.#hasEnded) return;
    const bytes = this.#generate(packet);
    // Without its answers nobody can go on.
    if (bytes === null) return this.cut();
    this.#flushLater();
    this.#sending.answer(bytes);
  }

  /**
   * Sends a message; `left` is called when all of it was taken, or never will be. Returns its bytes where they are more than
   * the client takes (MQTT 5, 3.1.2.11.4): nothing is sent then. Null: it is on its way.
   */
  message(packet: IPublishPacket, left: () => void): number | null {
    if (this.#hasEnded) {
      left();
      return null;
    }
    const pieces = writePublish(packet, this.version ?? 4);
    const bytes = pieces.reduce((sum, { length }) => sum + length, 0);
    if (bytes > this.maximumPacketSize) return bytes;
    this.#flushLater();
    this.#sending.message(pieces, left);
    return null;
  }

  /** Ends the connection: with a DISCONNECT that says why, where the version has one for servers (MQTT 5, 3.14). */
  end(reason: Reason, message: string | null): void {
    if (this.#hasEnded) return;
    if (this.version === 5) {
      const properties = message === null ? {} : { properties: { reasonString: message } };
      this.send({ cmd: 'disconnect', reasonCode: reason, ...properties });
    }
    this.close();
  }

  /** Closes the connection once what was sent has left. */
  close(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#sending.end();
    // What still comes is thrown away, so that the end of it is seen.
    this.#stream.resume();
    machineClock.after(CLOSE_MS, () => this.#stream.destroy()).unref();
  }

  /** Answers nothing more, and throws away what comes, until the other side ends. */
  hold(): void {
    this.#hasEnded = true;
    this.#stream.resume();
  }

  cut(): void {
    this.#stream.destroy();
  }

  /** Words are left out where the client takes no packet of that size (MQTT 5, 3.4.2.2.2); null where it does not take the rest either. */
  #generate(packet: Packet): Buffer | null {
    const version = this.version ?? 4;
    const bytes = writePacket(packet, version);
    if (bytes.length <= this.maximumPacketSize) return bytes;
    const short = writePacket({ ...packet, properties: undefined } as Packet, version);
    return short.length <= this.maximumPacketSize ? short : null;
  }

  #flushLater(): void {
    if (this.#sending.isEmpty) this.#slices.add(() => this.#sending.flush());
  }

  #read(): void {
    const until = machineClock.monotonicMs() + TURN_MS;
    try {
      while (this.#mayRead) {
        const frame = this.#nextFrame();
        if (frame === null) break;
        if (this.version === null) this.#connect(frame);
        else if (this.#skipped !== null) this.#events.tooLarge(readBeginning(frame), this.#skipped);
        else this.#events.packet(readPacket(frame, this.version));
        if (machineClock.monotonicMs() > until) this.#readLater();
      }
    } catch (error) {
      if (!(error instanceof PacketError)) throw error;
      this.#events.failed(error);
    }
    this.#expect(this.#mayRead && this.#frames.isWaiting && this.#skipped === null);
    // Who sends all it has and leaves at once, as small devices do, is heard to the end.
    if (this.#mayRead && this.#isOver) this.#events.over();
  }

  get #mayRead(): boolean {
    return !this.#isPaused && !this.#hasEnded && !this.#isInLine;
  }

  /** Reads on in a later turn: others come first, and the caller may be in the middle of reading. */
  #readLater(): void {
    this.#stream.pause();
    this.#getInLine();
  }

  #getInLine(): void {
    if (this.#isInLine) return;
    this.#isInLine = true;
    this.#slices.add(() => {
      this.#isInLine = false;
      if (!this.#mayRead) return;
      this.#stream.resume();
      this.#read();
    });
  }

  #nextFrame(): Buffer | null {
    // Told by its first byte: a stranger's megabytes are not gathered for a refusal.
    if (this.version === null && (this.#frames.type ?? CONNECT) !== CONNECT)
      throw new PacketError(REASON.protocolError, 'The first packet is a CONNECT (3.1).');
    const length = this.#frames.nextLength();
    // Others are read and done with at once.
    this.#skipped = length !== null && length > MOST_PACKET ? length : null;
    if (
      length !== null &&
      this.#skipped === null &&
      length > LARGE_PACKET &&
      !this.#isLarge &&
      this.#frames.type === PUBLISH
    ) {
      this.#events.large(length);
      this.#isLarge = true;
    }
    const frame = this.#frames.next();
    if (frame === null) return null;
    this.#isLarge = false;
    this.#expect(false);
    return frame;
  }

  #connect(frame: Buffer): void {
    // What is wrong with the rest is said in its words.
    this.version = readVersion(frame);
    // It has no word for it, so that a client sent it for ever.
    this.#frames.skipsLarge = this.version === 4;
    this.#events.connect(readConnect(frame, this.version));
  }

  /** A packet that has begun has to be whole in time. */
  #expect(isWaiting: boolean): void {
    if (!isWaiting) {
      if (this.#late !== null) clearTimeout(this.#late);
      this.#late = null;
      return;
    }
    this.#late ??= machineClock.after(PACKET_MS, () => this.#stream.destroy()).unref();
  }
}
