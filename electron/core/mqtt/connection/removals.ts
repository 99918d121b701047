import { isOfRecords } from '#shared/domain/kept-kinds.ts';
import type { Micros } from '#shared/values/time.ts';
import type { Metadata } from '../../store/metadata/metadata.ts';
import type { RecordStore } from '../../store/store.ts';
import type { Message } from '../sessions/message.ts';
import type { Hub } from '../sessions/hub.ts';

/** µs by which the clocks of two services of a lab differ at most: `fieldbench lab check` finds 90 s amiss. */
const CLOCKS_APART = 3_600_000_000;

export interface RemovalsParts {
  readonly metadata: Metadata;
  readonly records: Pick<RecordStore, 'summary' | 'scan'>;
  readonly hub: Hub;
  /** Whether other services have the same devices: then each has the clock of its machine, which nobody sets. */
  readonly isShared: boolean;
}

/**
 * Drops messages of devices whose records were removed, and no others: at once, or later where this service was killed then,
 * was off, or has not heard the events of others over the database yet. A device is checked when its first client comes.
 */
export class Removals {
  readonly #parts: RemovalsParts;
  /** Of which everything was heard since they were looked at. */
  readonly #sure = new Map<string, Promise<void>>();
  /** How often it was heard that records of a device went. */
  readonly #heard = new Map<string, number>();
  #missed = 0;

  constructor(parts: RemovalsParts) {
    this.#parts = parts;
  }

  /** Resolves when nothing waits any more that a removal took the record of. Rejects with StoreError. */
  check(device: string): Promise<void> {
    let looked = this.#sure.get(device);
    if (looked === undefined) {
      looked = this.#look(device);
      this.#sure.set(device, looked);
      // Looked at again by whoever comes next.
      looked.catch(() => this.#sure.delete(device));
    }
    return looked;
  }

  /** Records of it went, by this moment. Resolves and rejects as `check`. */
  removed(device: string): Promise<void> {
    this.#heard.set(device, (this.#heard.get(device) ?? 0) + 1);
    this.#sure.delete(device);
    return this.check(device);
  }

  /** Its last client went: the next one is the first. Other services may remove records meanwhile, of which nothing is heard yet. */
  left(device: string): void {
    if (this.#parts.isShared) this.#sure.delete(device);
  }

  /** Events were lost: nothing is sure. */
  missed(): void {
    this.#missed++;
    this.#sure.clear();
  }

  /** Returns a number that changes when records of the device are removed: those stored before may be among them. */
  heard(device: string): number {
    return this.#missed + (this.#heard.get(device) ?? 0);
  }

  /** Whether a message's records went that was stored while it was heard that some did. Rejects with StoreError. */
  async isGone(message: Message): Promise<boolean> {
    const lastAt = await this.#lastAt(message.topic);
    if (lastAt === null) return false;
    return message.times === null || this.#isGone(message, lastAt);
  }

  async #look(device: string): Promise<void> {
    const { hub } = this.#parts;
    const messages = await hub.messagesOf(device);
    if (messages.size === 0) return;
    const lastAt = await this.#lastAt(device);
    if (lastAt === null) return;
    const gone = new Set<Message>();
    for (const message of messages) if (await this.#isGone(message, lastAt)) gone.add(message);
    await hub.forgetMessages(device, gone);
  }

  /** When records were last removed from a device, as far as it is known; null: never. */
  async #lastAt(device: string): Promise<Micros | null> {
    const { metadata, records } = this.#parts;
    const { purgedAt } = await records.summary(device);
    return metadata.read(async (tables) => {
      const kept = await tables.list('kept_deletes', { device_id: device });
      const { records_removed = null } = (await tables.get('devices', device)) ?? {};
      const all = [
        purgedAt,
        records_removed,
        ...kept.flatMap(({ kind, created, records: found }) =>
          isOfRecords(kind) && kind !== 'decode' && found !== 0 ? [created] : [],
        ),
      ].filter((at) => at !== null);
      return all.length === 0 ? null : Math.max(...all);
    });
  }

  /** Its records are not all there any more: those that were received by then, for others may have the same times. */
  async #isGone({ topic, at, times }: Message, lastAt: Micros): Promise<boolean> {
    const received = at === null ? -Infinity : Math.round(at * 1000);
    if (times === null) return received <= lastAt;
    // A device that comes and goes does not have all that waits for it looked up each time.
    if (this.#parts.isShared && received - lastAt > CLOCKS_APART) return false;
    const left = [...times];
    for (const time of new Set(times))
      for await (const found of this.#parts.records.scan(topic, { start: time, end: time }))
        for (const record of found)
          if (record.received <= received && left.includes(time)) left.splice(left.indexOf(time), 1);
    return left.length > 0;
  }
}
