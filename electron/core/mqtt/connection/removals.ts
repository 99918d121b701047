import type { Metadata } from '../../store/metadata/metadata.ts';
import type { RecordStore } from '../../store/store.ts';
import type { Hub } from '../sessions/hub.ts';

export interface RemovalsParts {
  readonly metadata: Metadata;
  readonly records: Pick<RecordStore, 'summary'>;
  readonly hub: Hub;
}

/**
 * Forgets messages of devices whose records went while nobody here heard of it: a service that was killed in that moment, or
 * one of several over a database that was off, or whose events were lost. A device is looked at when its first client comes.
 */
export class Removals {
  readonly #parts: RemovalsParts;
  /** Of which everything was heard since they were looked at. */
  readonly #sure = new Map<string, Promise<void>>();

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

  /** Events were lost: nothing is sure. */
  missed(): void {
    this.#sure.clear();
  }

  async #look(device: string): Promise<void> {
    const { metadata, records, hub } = this.#parts;
    if (!hub.hasMessages(device)) return;
    const { purgedAt } = await records.summary(device);
    const removed = await metadata.read(async (tables) => {
      const kept = await tables.list('kept_deletes', { device_id: device });
      const ofRecords = kept.filter(({ kind }) => kind === 'purge' || kind === 'range');
      const { records_removed = 0 } = (await tables.get('devices', device)) ?? {};
      return [records_removed, ...ofRecords.map(({ created }) => created)];
    });
    const last = Math.max(purgedAt ?? 0, ...removed);
    if (last > 0) await hub.forgetMessages(device, last / 1000);
  }
}
