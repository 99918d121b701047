import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { generate, type Packet } from 'mqtt-packet';

/*
 * A client that is cheap: on two cores whatever it takes is missing to whom it measures. Its PUBLISHes are made once, the
 * packets of a window behind one another, and it reads no more of an answer than it has to.
 */

export interface MqttClientOptions {
  readonly port: number;
  readonly version: 4 | 5;
  readonly clientId: string;
  readonly username: string;
  readonly password: string;
  readonly topic: string;
  readonly qos: 0 | 1;
  /** QoS 1 messages that may wait for their acknowledgement. */
  readonly window: number;
  /** Whether each message replaces the one that the topic retains. */
  readonly retain?: boolean;
}

export interface MqttClientEvents {
  /** Messages of these places in the window are acknowledged. */
  acknowledged?: (slots: readonly number[]) => void;
  /** So many messages of its topic came. */
  heard?: (count: number) => void;
}

const [CONNACK, PUBLISH, PUBACK, SUBACK, PINGRESP] = [2, 3, 4, 9, 13];
const PINGREQ = Buffer.from([0xc0, 0]);
const DISCONNECT = Buffer.from([0xe0, 0]);

export class MqttClient {
  readonly #socket: Socket;
  readonly #of: MqttClientOptions;
  readonly #events: MqttClientEvents;
  readonly #frames: Buffer;
  readonly #frameBytes: number;
  #rest: Buffer | null = null;
  #hasLeft = false;
  /** What CONNACK, SUBACK and PINGRESP are waited for by. */
  #answered: (() => void) | null = null;

  private constructor(socket: Socket, options: MqttClientOptions, events: MqttClientEvents) {
    this.#socket = socket;
    this.#of = options;
    this.#events = events;
    const frames = Array.from({ length: options.window }, (_, slot) => this.#publishFrame(slot));
    this.#frames = Buffer.concat(frames);
    this.#frameBytes = this.#frames.length / frames.length;
    if (frames.some(({ length }) => length !== this.#frameBytes))
      throw new Error('Packets differ in length.');
    socket.on('data', (piece: Buffer) => this.#read(piece));
    // Whoever waits for an answer would wait for ever: it ends the process.
    socket.once('close', () => {
      if (!this.#hasLeft) throw new Error('The other side has closed the connection.');
    });
  }

  /** Resolves when it is signed in. */
  static async open(options: MqttClientOptions, events: MqttClientEvents): Promise<MqttClient> {
    const socket = connect({ port: options.port, host: '127.0.0.1', noDelay: true });
    await once(socket, 'connect');
    const client = new MqttClient(socket, options, events);
    const { version: protocolVersion, clientId, username, password } = options;
    await client.#ask({
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion,
      clientId,
      clean: true,
      keepalive: 0,
      username,
      password: Buffer.from(password),
    });
    return client;
  }

  /** Publishes messages one behind the other in the window, from a place of it on. */
  publish(slot: number, count: number): void {
    this.#socket.write(this.#frames.subarray(slot * this.#frameBytes, (slot + count) * this.#frameBytes));
  }

  /** Subscribes to its own topic. */
  async subscribe(): Promise<void> {
    const { topic, qos } = this.#of;
    await this.#ask({ cmd: 'subscribe', messageId: 60_000, subscriptions: [{ topic, qos }] });
  }

  /** Resolves when everything before was read. */
  async ping(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#answered = resolve;
    this.#socket.write(PINGREQ);
    await promise;
  }

  end(): void {
    this.#hasLeft = true;
    this.#socket.end(DISCONNECT);
  }

  async #ask(packet: Packet): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#answered = resolve;
    this.#socket.write(generate(packet, { protocolVersion: this.#of.version }));
    await promise;
  }

  #publishFrame(slot: number): Buffer {
    const { topic, qos, version, retain = false } = this.#of;
    const payload = `{"temperature":2${slot % 10}.5,"humidity":45.2,"voltage":3.71}`;
    const packet = { cmd: 'publish', topic, payload, qos, retain, dup: false, messageId: slot + 1 } as const;
    return generate(packet, { protocolVersion: version });
  }

  #read(piece: Buffer): void {
    const bytes = this.#rest === null ? piece : Buffer.concat([this.#rest, piece]);
    const slots: number[] = [];
    const heard: number[] = [];
    let count = 0;
    let at = 0;
    for (;;) {
      let body = at + 1;
      let length = 0;
      let shift = 0;
      while (body < bytes.length && bytes[body]! >= 0x80) {
        length += (bytes[body++]! & 0x7f) << shift;
        shift += 7;
      }
      if (body >= bytes.length) break;
      length += bytes[body++]! << shift;
      if (body + length > bytes.length) break;
      const type = bytes[at]! >> 4;
      if (type === PUBACK) {
        if (length > 2 && bytes[body + 2]! >= 0x80) throw new Error(`Refused: ${bytes[body + 2]}.`);
        slots.push(bytes.readUInt16BE(body) - 1);
      } else if (type === PUBLISH) {
        count++;
        if ((bytes[at]! & 0x06) !== 0) heard.push(bytes.readUInt16BE(body + 2 + bytes.readUInt16BE(body)));
      } else if (type === CONNACK && bytes[body + 1] !== 0)
        throw new Error(`Not let in: ${bytes[body + 1]}.`);
      else if (type === CONNACK || type === SUBACK || type === PINGRESP) this.#answered?.();
      else throw new Error(`A packet of type ${type} came.`);
      at = body + length;
    }
    this.#rest = at < bytes.length ? bytes.subarray(at) : null;
    if (heard.length > 0) this.#confirm(heard);
    if (count > 0) this.#events.heard?.(count);
    if (slots.length > 0) this.#events.acknowledged?.(slots);
  }

  #confirm(ids: readonly number[]): void {
    if (!this.#socket.writable) return;
    const bytes = Buffer.allocUnsafe(ids.length * 4);
    for (const [i, id] of ids.entries()) bytes.writeUInt32BE(0x4002_0000 + id, i * 4);
    this.#socket.write(bytes);
  }
}
