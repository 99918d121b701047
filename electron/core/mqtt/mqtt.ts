import type { Duplex } from 'node:stream';
import type { Chances } from '../base/chance.ts';
import type { Clock } from '../base/clock.ts';
import type { LineJournal } from '../disk/line-journal.ts';
import type { EventBus } from '../base/event-bus.ts';
import type { MemoryBudget } from '../ingest/memory-budget.ts';
import type { Ingest } from '../ingest/ingest.ts';
import type { Logger } from '../base/logger.ts';
import type { RequestsSeen } from '../requests/requests-seen.ts';
import type { Metadata } from '../store/metadata/metadata.ts';
import type { RecordStore } from '../store/store.ts';
import { Slices } from '../turns/slices.ts';
import type { MqttFaults } from './connection/client-faults.ts';
import { DeletedDevices } from './connection/deleted-devices.ts';
import { Removals } from './connection/removals.ts';
import { MqttConnections } from './connection/connections.ts';
import { Hub } from './sessions/hub.ts';
import { MOST_KEPT_BYTES, MOST_KEPT_OF_DEVICE, MOST_KEPT_OF_PROJECT } from './limits.ts';
import { Refusals } from './refusals.ts';
import type { MqttDoor } from './client-trace.ts';
import type { PeerLimits } from '../net/peers.ts';
import { alarmMessage } from './sessions/message.ts';
import { readLines } from './sessions/session-lines.ts';
import { SessionJournal } from './sessions/session-journal.ts';
import { Room } from './sessions/room.ts';
import { Wills } from './connection/wills.ts';

export interface MqttOptions extends PeerLimits {
  readonly ingest: Ingest;
  readonly records: Pick<RecordStore, 'summary' | 'scan'>;
  readonly metadata: Metadata;
  readonly events: EventBus;
  /** Whether other services have the same devices, whose events come a moment later. */
  readonly isShared: boolean;
  /** What goes wrong on purpose. */
  readonly faults: MqttFaults;
  readonly budget: MemoryBudget;
  /** Requests seen, for all packets of clients. */
  readonly requests: Pick<RequestsSeen, 'add'>;
  /** Journal of sessions. */
  readonly journal: LineJournal;
  readonly clock: Clock;
  readonly chance: Chances;
  readonly log: Logger;
}

/** MQTT service for devices, behind all listeners (docs/mqtt.md). */
export interface Mqtt {
  /**
   * Takes over a connection of an address, which came in by this door. The door tells what is returned how many bytes it
   * holds that the stream does not have yet.
   */
  accept(stream: Duplex, address: string, door: MqttDoor): (bytes: number) => void;
  /** Hands what is to be said of an alarm to who hears the alarms of its device. Resolves when it is on disk for absent clients. */
  tellAlarm(device: string, payload: string): Promise<void>;
  /** Clients that are signed in. */
  readonly connections: number;
  /** Messages that were not stored since the service was started. */
  readonly refused: number;
  /** Findings in stored sessions, for people to read. */
  readonly notes: readonly string[];
  /** Twice is once. Tells everyone that the service stops, waits at most so many ms until what they sent is stored, and closes. */
  close(graceMs: number): Promise<void>;
}

/** Takes sessions up that were kept. Rejects with StoreError. */
export async function openMqtt(options: MqttOptions): Promise<Mqtt> {
  const { metadata, clock, chance, log, journal } = options;
  const notes: string[] = [];
  const room = new Room(MOST_KEPT_BYTES, MOST_KEPT_OF_DEVICE, MOST_KEPT_OF_PROJECT);
  const failed = (error: unknown) => log.error('The MQTT door failed', error);
  const refusals = new Refusals(log, 'was not stored');
  const refused = (device: string, why: string) => refusals.add(device, why);
  const drops = new Refusals(log, 'did not reach a client');
  const dropped = (device: string, why: string) => drops.add(device, why);

  const sessions = new SessionJournal(journal, () => hub.lines());
  let wills: Wills | null = null;
  const hub = new Hub({
    log: sessions,
    room,
    clock,
    chance,
    failed,
    dropped,
    ended: (session) => wills?.ended(session),
  });
  const found = await journal.read();
  const kept = readLines(found.lines, room);
  const isDamaged = found.rest === 'damaged' || kept.unread > 0;
  if (isDamaged) {
    const aside = await journal.setAside();
    notes.push(
      `What was kept of MQTT sessions is damaged: what could be read is in use, a copy of the file lies in ${aside}.`,
    );
  }
  hub.restore(kept);
  // Deleted while nobody heard of it: the journal that is written anew has nothing of that any more.
  const deleted = new DeletedDevices({ metadata, hub, room });
  await deleted.look(hub.devices());
  if (found.lines.length > 0 || isDamaged) await sessions.renew();

  const removals = new Removals({ ...options, hub });
  const parts = { ...options, hub, deleted, removals, log: sessions, refused, dropped, failed };
  wills = new Wills(parts, room);
  const connections = new MqttConnections({ ...parts, wills, slices: new Slices() });
  let closing: Promise<void> | null = null;
  return {
    accept: (stream, address, door) => connections.accept(stream, address, door),
    async tellAlarm(device, payload) {
      await hub.publish(alarmMessage(device, payload, clock.now() / 1000), null);
    },
    get connections() {
      return connections.count;
    },
    get refused() {
      return refusals.count;
    },
    notes,
    close(graceMs) {
      return (closing ??= connections.close(graceMs).then(() => sessions.close()));
    },
  };
}
