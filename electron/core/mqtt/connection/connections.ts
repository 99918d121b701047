import type { Duplex } from 'node:stream';
import type { EventBus } from '../../base/event-bus.ts';
import { Refusal } from '../../base/errors.ts';
import { machineClock } from '../../base/machine-clock.ts';
import { within } from '../../turns/within.ts';
import { requireSource, senderOfToken } from '../../ingest/authenticate.ts';
import { addTo } from '../../ingest/sums.ts';
import type { PeerLimits } from '../../net/peers.ts';
import { ClientFaults, type MqttFaults } from './client-faults.ts';
import { Connection, type ConnectionParts } from './connection.ts';
import { MOST_CONNECTIONS, MOST_UNKNOWN } from '../limits.ts';
import type { DeletedDevices } from './deleted-devices.ts';
import { REASON } from '../packets/reasons.ts';
import { ClientTrace, type MqttDoor, type TraceParts } from '../client-trace.ts';

/** How often a door that shuts looks whether all have gone. */
const LOOK_MS = 10;

export interface MqttParts
  extends Omit<ConnectionParts, 'known' | 'closed' | 'trace' | 'faults'>, TraceParts, PeerLimits {
  readonly events: EventBus;
  readonly faults: MqttFaults;
  readonly deleted: DeletedDevices;
}

/** MQTT connections of all listeners. */
export class MqttConnections {
  readonly #parts: MqttParts;
  /** With the peer of each. */
  readonly #all = new Map<Connection, string | null>();
  readonly #ofPeers = new Map<string, number>();
  /** Connections before CONNECT, the oldest first. */
  readonly #unknown = new Map<Connection, Duplex>();
  readonly #known = new Set<Connection>();
  readonly #ofDevices = new Map<string, Set<Connection>>();
  #isClosing = false;

  constructor(parts: MqttParts) {
    this.#parts = parts;
    const heard = parts.events.subscriber(
      ({ topic, payload }) => {
        if (topic === 'devices.changed') this.#during(this.#checkDevice(payload.device_id));
        if (topic === 'projects.changed') this.#during(this.#checkProject(payload.project_id));
        if (topic === 'undo.changed') this.#during(parts.deleted.lookAtKept());
        if (topic === 'records.removed' && payload.restored !== true)
          this.#during(parts.removals.removed(payload.device_id));
      },
      () => this.#during(this.#checkAll()),
    );
    for (const topic of ['devices.changed', 'projects.changed', 'undo.changed', 'records.removed'] as const)
      heard.subscribe(topic);
  }

  /** Connections that are signed in. */
  get count(): number {
    return this.#known.size;
  }

  /**
   * Takes a stream of bytes over, and returns a function for the bytes that its door holds of it; one too many of its peer
   * is cut off. Clients are known once they have signed in.
   */
  accept(stream: Duplex, address: string, door: MqttDoor): (bytes: number) => void {
    const peer = this.#parts.peerOf(address);
    const ofPeer = peer === null ? 0 : (this.#ofPeers.get(peer) ?? 0);
    if (this.#isClosing || ofPeer >= this.#parts.mostOfPeer) {
      stream.destroy();
      return () => {};
    }
    const [longest] = this.#unknown;
    if (longest !== undefined && this.#unknown.size >= MOST_UNKNOWN) {
      // At once, not when it has closed: many may come in the same turn.
      this.#unknown.delete(longest[0]);
      longest[1].destroy();
    }
    if (peer !== null) addTo(this.#ofPeers, peer, 1);
    const connection = new Connection(stream, {
      ...this.#parts,
      trace: new ClientTrace(this.#parts, { door, from: address }),
      faults: new ClientFaults(this.#parts.faults, door),
      known: (known) => this.#know(known),
      closed: (closed) => this.#forget(closed),
    });
    this.#all.set(connection, peer);
    this.#unknown.set(connection, stream);
    return (bytes) => connection.gathers(bytes);
  }

  /** Disconnects all clients once their messages are stored, within at most so many ms. */
  async close(graceMs: number): Promise<void> {
    this.#isClosing = true;
    this.#parts.wills.close();
    for (const stream of this.#unknown.values()) stream.destroy();
    for (const connection of this.#all.keys())
      this.#during(connection.endWhenIdle(REASON.serverShuttingDown, 'The service stops.'));
    const until = machineClock.monotonicMs() + graceMs;
    while (this.#all.size > 0 && machineClock.monotonicMs() < until) await machineClock.delay(LOOK_MS);
    for (const connection of this.#all.keys()) connection.cut();
    // A disk that does not answer is not waited for.
    await within(
      this.#parts.wills.settled(),
      Math.max(0, until - machineClock.monotonicMs()),
      () => undefined,
    );
  }

  #know(connection: Connection): void {
    this.#unknown.delete(connection);
    this.#known.add(connection);
    const device = connection.of?.device ?? '';
    const ofDevice = this.#ofDevices.get(device) ?? new Set();
    this.#ofDevices.set(device, ofDevice.add(connection));
    if (this.#known.size > MOST_CONNECTIONS) this.#endOneOfMost(connection);
    // It may have been deleted between its CONNECT and now.
    this.#during(this.#checkNew(connection, device));
  }

  /** Of the project that has the most, and there of the device that has the most, the one that signed in last makes room. */
  #endOneOfMost(latest: Connection): void {
    const ofProjects = new Map<string, number>();
    for (const { of } of this.#known)
      if (of) ofProjects.set(of.project, (ofProjects.get(of.project) ?? 0) + 1);
    const most = Math.max(...ofProjects.values());
    const inMost = [...this.#known].filter(({ of }) => ofProjects.get(of?.project ?? '') === most);
    const ofDevice = ({ of }: Connection) => this.#ofDevices.get(of?.device ?? '')?.size ?? 0;
    const mostOfDevice = Math.max(...inMost.map(ofDevice));
    const last = inMost.findLast((one) => ofDevice(one) === mostOfDevice) ?? latest;
    // Before its CONNACK nothing can be said.
    if (last === latest) last.cut();
    else
      last.end(
        REASON.quotaExceeded,
        `More than ${MOST_CONNECTIONS} clients are connected, and this device and its project have the most of them.`,
      );
    // At once, not when it has closed: many may come in the same turn.
    this.#forget(last);
  }

  #forget(connection: Connection): void {
    const peer = this.#all.get(connection) ?? null;
    this.#all.delete(connection);
    this.#unknown.delete(connection);
    this.#known.delete(connection);
    const device = connection.of?.device ?? '';
    const ofDevice = this.#ofDevices.get(device);
    if (ofDevice?.delete(connection) && ofDevice.size === 0) {
      this.#ofDevices.delete(device);
      this.#parts.removals.left(device);
    }
    if (peer !== null) addTo(this.#ofPeers, peer, -1);
  }

  /** A device was deleted, or its token renewed: who signed in before is sent away at once. */
  async #checkDevice(device: string): Promise<void> {
    for (const connection of this.#ofDevices.get(device) ?? []) await this.#check(connection);
    await this.#parts.deleted.look([device]);
  }

  /** Checks the devices of a deleted project, which no event names one by one. */
  async #checkProject(project: string): Promise<void> {
    const { metadata, hub, deleted } = this.#parts;
    // By what is there now: one may have been moved since it signed in.
    const gone = await metadata.read(async (tables) => {
      const found: string[] = [];
      if (await tables.get('projects', project)) return found;
      for (const device of this.#ofDevices.keys())
        if (!(await tables.get('devices', device))) found.push(device);
      return found;
    });
    for (const device of gone)
      for (const connection of this.#ofDevices.get(device) ?? []) await this.#check(connection);
    await deleted.look(hub.devices());
  }

  /** Checks every connection after lost events: each may have lost its rights. */
  async #checkAll(): Promise<void> {
    this.#parts.removals.missed();
    for (const device of this.#ofDevices.keys()) await this.#parts.removals.check(device);
    for (const connection of this.#known) await this.#check(connection);
    await this.#parts.deleted.look(this.#parts.hub.devices());
    await this.#parts.deleted.lookAtKept();
  }

  async #checkNew(connection: Connection, device: string): Promise<void> {
    await this.#check(connection);
    await this.#parts.deleted.look([device]);
  }

  async #check(connection: Connection): Promise<void> {
    if (connection.of === null) return;
    try {
      const { device } = await senderOfToken(this.#parts.metadata, connection.of.tokenHash);
      requireSource(device, 'mqtt');
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      connection.end(REASON.administrative, error.message);
    }
  }

  #during(work: Promise<void>): void {
    work.catch(this.#parts.failed);
  }
}
