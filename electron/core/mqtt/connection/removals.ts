import type { Micros } from '#shared/time.ts';
import type { Metadata } from '../../store/metadata/metadata.ts';
import type { RecordStore } from '../../store/store.ts';
import { isRemoved, type Removal } from '../../sync/removals.ts';
import type { Message } from '../sessions/message.ts';
import type { Hub } from '../sessions/hub.ts';

export interface RemovalsParts {
  readonly metadata: Metadata;
  readonly records: Pick<RecordStore, 'summary' | 'within'>;
  readonly hub: Hub;
}

/** What was removed from a device, as far as it is known, and when something was last; null: never. */
interface Went {
  readonly removals: readonly Removal[];
  readonly lastAt: Micros | null;
}

/**
 * Forgets messages of devices whose records went, and no others: as they go, or while nobody here heard of it: a service that
 * was killed in that moment, or one of several over a database that was off, or whose events were lost. A device is looked at
 * when its first client comes.
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

  /** Records of it went, by this moment. Resolves and rejects as `check`. */
  removed(device: string): Promise<void> {
    this.#sure.delete(device);
    return this.check(device);
  }

  /** Events were lost: nothing is sure. */
  missed(): void {
    this.#sure.clear();
  }

  async #look(device: string): Promise<void> {
    const { hub } = this.#parts;
    const messages = hub.messagesOf(device);
    if (messages.size === 0) return;
    const went = await this.#went(device);
    if (went.lastAt === null) return;
    const gone = new Set<Message>();
    for (const message of messages) if (await this.#isGone(device, message, went)) gone.add(message);
    await hub.forgetMessages(device, gone);
  }

  async #went(device: string): Promise<Went> {
    const { metadata, records } = this.#parts;
    const { purgedAt } = await records.summary(device);
    return metadata.read(async (tables) => {
      const kept = await tables.list('kept_deletes', { device_id: device });
      const ranges = kept.flatMap(({ kind, start, end, created, records: found }) =>
        (kind === 'purge' || kind === 'range') && found !== 0 ? [{ start, end, at: created }] : [],
      );
      const { records_removed } = (await tables.get('devices', device)) ?? {};
      const removals = purgedAt === null ? ranges : [{ start: null, end: null, at: purgedAt }, ...ranges];
      const all = [
        ...removals.map(({ at }) => at),
        ...(records_removed === undefined ? [] : [records_removed]),
      ];
      return { removals, lastAt: all.length === 0 ? null : Math.max(...all) };
    });
  }

  /** Where nothing says so surely, its records are not all there any more. */
  async #isGone(device: string, { at, times }: Message, { removals, lastAt }: Went): Promise<boolean> {
    const received = at === null ? -Infinity : at * 1000;
    if (times === null) return received <= (lastAt ?? -Infinity);
    if (times.length === 0) return false;
    if (times.some((time) => isRemoved(removals, time, received))) return true;
    // Stored while a delete waited for its turn, or removed by one that is not kept any more.
    const range = { start: Math.min(...times), end: Math.max(...times) };
    const { records } = await this.#parts.records.within(device, range);
    return records < times.length;
  }
}
