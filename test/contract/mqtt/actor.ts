import type { IPublishPacket } from 'mqtt-packet';
import { connectOf, publishOf, rawClient, subscribeOf, type Device, type RawClient } from './world.ts';

/** What a subscriber got, retained messages apart, which may come any number of times. */
export interface Got {
  readonly n: number;
  readonly qos: number;
}

export interface Outgoing {
  readonly n: number;
  readonly qos: 0 | 1 | 2;
  readonly retain: boolean;
}

/** A client that does all that the standard asks of one, and remembers what its side of a session has to. */
export class Actor {
  readonly clientId: string;
  readonly got: Got[] = [];
  isConnected = false;
  /** Neither hears nor confirms any message, until it connects once more. */
  isDeaf = false;
  #client: RawClient | null = null;
  /** QoS 2 that has come and was not released. */
  readonly #arrived = new Set<number>();
  #unconfirmed: IPublishPacket | null = null;
  #lastId = 0;
  #answers = new Map<string, () => void>();

  constructor(clientId: string) {
    this.clientId = clientId;
  }

  /** Whether the service had a session for it. What is not confirmed is sent again where there is one, and waited for. */
  async connect(port: number, device: Device, version: 4 | 5, isLasting: boolean): Promise<boolean> {
    const client = await rawClient(port, version);
    client.send(
      connectOf(device, version, {
        clientId: this.clientId,
        clean: !isLasting,
        properties: { sessionExpiryInterval: isLasting ? 600 : 0 },
      }),
    );
    const { sessionPresent } = await client.nextOf('connack');
    this.#client = client;
    this.isConnected = true;
    this.isDeaf = false;
    if (!sessionPresent) {
      this.#arrived.clear();
      this.#unconfirmed = null;
    }
    void this.#listen(client);
    if (this.#unconfirmed !== null) await this.#send({ ...this.#unconfirmed, dup: true });
    return sessionPresent;
  }

  async subscribe(qos: 0 | 1 | 2): Promise<void> {
    const messageId = this.#nextId();
    const answer = this.#answer(`suback ${messageId}`);
    this.#client?.send(subscribeOf('#', qos, { messageId }));
    await answer;
  }

  /** Resolves when it is acknowledged to its end; QoS 0 at once. */
  async publish(device: Device, message: Outgoing): Promise<void> {
    await this.#send(this.#packetOf(device, message));
  }

  /** Publishes and is cut off before it can hear of it. */
  publishAndCut(device: Device, message: Outgoing): void {
    const packet = this.#packetOf(device, message);
    this.#client?.send(packet);
    this.#unconfirmed = packet;
    this.#client?.stream.end();
    this.#ended();
  }

  /** Whether what it was cut off at is still to be sent again. */
  get owes(): boolean {
    return this.#unconfirmed !== null;
  }

  async goodbye(): Promise<void> {
    this.#client?.send({ cmd: 'disconnect' });
    await this.#client?.ended().catch(() => null);
    this.#ended();
  }

  cut(): void {
    this.#client?.end();
    this.#ended();
  }

  #ended(): void {
    this.isConnected = false;
    this.#client = null;
    this.#answers = new Map();
  }

  #packetOf(device: Device, { n, qos, retain }: Outgoing): IPublishPacket {
    const payload = JSON.stringify({ n });
    return publishOf(device, payload, { qos, retain, ...(qos > 0 && { messageId: this.#nextId() }) });
  }

  async #send(packet: IPublishPacket): Promise<void> {
    const { qos, messageId = 0 } = packet;
    const answer = qos === 0 ? null : this.#answer(`${qos === 1 ? 'puback' : 'pubcomp'} ${messageId}`);
    this.#client?.send(packet);
    await answer;
    this.#unconfirmed = null;
  }

  async #listen(client: RawClient): Promise<void> {
    while (!client.closed && this.#client === client) {
      // Nothing for a while is no matter.
      const packet = await client.next().catch(() => null);
      const { messageId = 0 } = packet ?? {};
      if (packet?.cmd === 'publish') this.#take(client, packet);
      else if (packet?.cmd === 'pubrec') client.send({ cmd: 'pubrel', messageId });
      else if (packet?.cmd === 'pubrel') {
        this.#arrived.delete(messageId);
        client.send({ cmd: 'pubcomp', messageId });
      } else if (packet !== null) this.#answers.get(`${packet.cmd} ${messageId}`)?.();
    }
  }

  #take(client: RawClient, { payload, qos, retain, messageId = 0 }: IPublishPacket): void {
    if (this.isDeaf) return;
    const isNew = qos < 2 || !this.#arrived.has(messageId);
    if (qos === 2) this.#arrived.add(messageId);
    const { n } = JSON.parse(String(payload)) as { n: number };
    if (isNew && !retain) this.got.push({ n, qos });
    if (qos > 0) client.send({ cmd: qos === 1 ? 'puback' : 'pubrec', messageId });
  }

  #answer(key: string): Promise<void> {
    return new Promise((resolve) => this.#answers.set(key, resolve));
  }

  #nextId(): number {
    this.#lastId = (this.#lastId % 65_535) + 1;
    return this.#lastId;
  }
}
