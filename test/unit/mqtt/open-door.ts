import { duplexPair, type Duplex } from 'node:stream';
import { expect } from 'vitest';
import { createEventBus, type EventBus } from '#core/base/event-bus.ts';
import { createMemoryBudget, type MemoryBudget } from '#core/ingest/memory-budget.ts';
import { Arrivals } from '#core/ingest/arrivals.ts';
import { createIngest } from '#core/ingest/ingest.ts';
import { createLogger } from '#core/base/logger.ts';
import type { MqttFaults } from '#core/mqtt/connection/client-faults.ts';
import { openMqtt, type Mqtt } from '#core/mqtt/mqtt.ts';
import { createPeerLimits, type PeerLimits } from '#core/net/peers.ts';
import type { Seen } from '#core/requests/requests-seen.ts';
import type { KeptDelete } from '#core/store/metadata/metadata-schema.ts';
import type { Metadata } from '#core/store/metadata/metadata.ts';
import type { RecordStore } from '#core/store/store.ts';
import { systemRandom } from '#core/base/system-random.ts';
import { clockOf } from '../../helpers/clock.ts';
import { connectOf, RawClient, type Device } from '../../contract/mqtt/world.ts';
import { diskFiles } from '../../faults/disk-files.ts';
import { Disk } from '../../faults/disk.ts';
import { createMemoryRecordStore } from '../../helpers/store/memory-record-store.ts';
import { journalOn } from './kept-sessions.ts';

export const DEVICE: Device = { id: 'device', token: 'token', project: 'project' };

/** The door of MQTT with one device, over streams that take no descriptors. */
export interface OpenDoor {
  readonly mqtt: Mqtt;
  readonly records: RecordStore;
  readonly events: EventBus;
  readonly seen: Seen[];
  /** The client's end of a new connection, by default of this machine. */
  connected(address?: string): Duplex;
  signedIn(clientId: string, version?: 4 | 5, more?: Record<string, unknown>): Promise<RawClient>;
}

/**
 * `nowMs`: its clock; `missing`: why the metadata cannot be asked at the moment, or null, once they answer; `disk`: where sessions are kept; `kept`:
 * deletes of the device that can be undone; `budget`: the memory of what is under way; `faults`: none by default; `isShared`: whether other
 * services have its device.
 */
export async function openDoor({
  nowMs = Date.now,
  missing = () => null,
  disk = new Disk(),
  records = createMemoryRecordStore(),
  kept = () => [],
  budget = createMemoryBudget(),
  peers = createPeerLimits(),
  faults = { isOn: false, meet: () => null },
  isShared = false,
}: {
  readonly nowMs?: () => number;
  readonly missing?: () => Error | null | Promise<null>;
  readonly disk?: Disk;
  readonly records?: RecordStore;
  readonly kept?: () => readonly Partial<KeptDelete>[];
  readonly budget?: MemoryBudget;
  readonly peers?: PeerLimits;
  readonly faults?: MqttFaults;
  readonly isShared?: boolean;
} = {}): Promise<OpenDoor> {
  const tables = {
    senderByTokenHash: () => ({
      account_id: 'account',
      device: { id: DEVICE.id, project_id: DEVICE.project, source: 'mqtt' },
    }),
    get: () => ({ id: DEVICE.project, account_id: 'account' }),
    list: kept,
  };
  const read = async (look: (all: typeof tables) => unknown) => {
    const why = await missing();
    if (why !== null) throw why;
    return look(tables);
  };
  const events = createEventBus();
  const seen: Seen[] = [];
  const mqtt = await openMqtt({
    ingest: createIngest({
      decoders: { readerOf: () => null },
      records,
      events,
      arrivals: new Arrivals(events),
    }),
    records,
    isShared,
    metadata: { read } as unknown as Metadata,
    events,
    faults,
    budget,
    requests: { add: (one) => void seen.push(one) },
    journal: journalOn(diskFiles(disk)),
    clock: clockOf(() => nowMs() * 1000),
    chance: systemRandom,
    log: createLogger(() => {}),
    ...peers,
  });
  const connected = (address = '127.0.0.1') => {
    const [service, client] = duplexPair();
    // As sockets: neither side outlives the other.
    service.once('close', () => client.destroy());
    client.once('close', () => service.destroy());
    mqtt.accept(service, address, 'mqtt');
    return client;
  };
  return {
    mqtt,
    records,
    events,
    seen,
    connected,
    async signedIn(clientId, version = 5, more = {}) {
      const client = new RawClient(connected(), version);
      client.send(connectOf(DEVICE, version, { clientId, ...more }));
      const answer = await client.next();
      expect(answer).toMatchObject(version === 5 ? { reasonCode: 0 } : { returnCode: 0 });
      client.connack = answer as RawClient['connack'];
      return client;
    },
  };
}
