import { ok } from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import * as fc from 'fast-check';
import { PacketError } from '#core/mqtt/packets/reasons.ts';
import { Wire, type WireEvents } from '#core/mqtt/packets/wire.ts';
import { countedAs, readerOf } from '../door.ts';
import { bytesOf, bytesOfPacket, costly, input, type Input } from './mqtt-packets.ts';

/*
 * Packets of MQTT where they are read, without a service: whatever comes is a packet, or a reason why it is none; and
 * another connection, whose packets the same readers read in between, is not disturbed.
 */

const LOGIN = { id: 'device', token: 'token' };

interface Stream {
  readonly version: 4 | 5;
  readonly inputs: readonly Input[];
  /** Bytes that arrive at once. */
  readonly piece: number;
  /** Whether a right CONNECT comes first. */
  readonly begins: boolean;
}

/** Packets of a stream, but for those that cost more. */
const INPUTS = 16;

const stream: fc.Arbitrary<Stream> = fc.record({
  version: fc.constantFrom<4 | 5>(4, 5),
  inputs: fc.oneof(
    { arbitrary: fc.array(input, { minLength: INPUTS, maxLength: INPUTS }), weight: 200 },
    fc.array(costly, { minLength: 1, maxLength: 2 }),
  ),
  piece: fc.oneof({ arbitrary: fc.constant(1e9), weight: 3 }, fc.constantFrom(1, 7, 1000)),
  begins: fc.oneof({ arbitrary: fc.constant(true), weight: 6 }, fc.constant(false)),
});

function connectBytes(version: 4 | 5): Buffer {
  const connect = { cmd: 'connect', clientId: 'c', protocolVersion: version, clean: true } as const;
  return bytesOfPacket({ ...connect, keepalive: 0, protocolId: 'MQTT' }, version, LOGIN);
}

/** A connection that reads, as the service's do; a packet that is none ends it. */
class Listener {
  packets = 0;
  error: PacketError | null = null;
  readonly #stream = new PassThrough();
  readonly #wire: Wire;

  constructor() {
    const count = () => void this.packets++;
    const events: WireEvents = {
      connect: count,
      packet: count,
      large: () => {},
      tooLarge: count,
      failed: (error) => {
        this.error = error;
        this.#wire.close();
      },
      taken: () => {},
      heard: () => {},
      over: () => {},
      closed: () => {},
    };
    // Nobody else is there whose turn it could be.
    this.#wire = new Wire(this.#stream, events, { add: (work) => work() });
  }

  /** Hands a piece over at once. */
  hear(bytes: Buffer): void {
    this.#stream.emit('data', bytes);
  }

  /** Resolves when it has read all: what takes long is cut into turns. */
  async settle(): Promise<void> {
    for (let before = -1; before < this.packets;) {
      before = this.packets;
      await setImmediate();
    }
  }

  end(): void {
    this.#stream.destroy();
  }
}

async function read({ version, inputs, piece, begins }: Stream): Promise<void> {
  const well = new Listener();
  well.hear(connectBytes(version));
  const ping = bytesOfPacket({ cmd: 'pingreq' }, version, LOGIN);
  await well.settle();
  let before = well.packets;
  for (const one of inputs) {
    const listener = new Listener();
    if (begins) listener.hear(connectBytes(version));
    const { bytes } = bytesOf(one, version, LOGIN);
    const step = bytes.length > 1000 ? Math.max(piece, 1000) : piece;
    for (let at = 0; at < bytes.length; at += step) listener.hear(bytes.subarray(at, at + step));
    if (one.kind === 'flood') await listener.settle();
    if (listener.error !== null) ok(listener.error instanceof PacketError && listener.error.message !== '');
    listener.end();
    well.hear(ping);
    if (well.packets === before) await well.settle();
    ok(well.packets === ++before && well.error === null, 'a right packet between is read');
  }
  well.end();
}

export const packets = countedAs(INPUTS, readerOf('packets', stream, read));
