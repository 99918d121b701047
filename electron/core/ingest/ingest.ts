import type { Events } from '#shared/domain/events.ts';
import { andThen, type Awaitable } from '../base/awaitable.ts';
import type { EventBus } from '../base/event-bus.ts';
import { machineClock } from '../base/machine-clock.ts';
import type { Sender } from '../store/metadata/sender.ts';
import { KeyLimitReached, keyLimitRefusal } from '../store/store-errors.ts';
import type { AppendOptions, RecordStore, ThreadWork } from '../store/store.ts';
import type { Arrivals } from './arrivals.ts';
import { readPayload, type Payload, type PayloadSource } from './upload.ts';

/** Ingest: the one path by which devices store records, behind all doors. */
export interface Ingest {
  /**
   * Reads what a device sends (docs/api.md, "How devices store data"). Rejects with a 400 Refusal that names the first bad
   * record, counted from 1; then nothing of the payload is to be stored. What is short and there already is read at once. What a device
   * with a decoder sends is decoded (docs/functions.md).
   */
  read(source: PayloadSource, device: Sender['device']): Awaitable<Payload>;
  /**
   * Resolves once the records are on disk: accepted means durable (docs/api.md, "How devices store data"). Where something
   * was stored with the same `receipt`, nothing more is, and it resolves as well. Rejects with StoreError, or a 400 Refusal
   * where a record brings one key more than a device may have.
   */
  store(sender: Sender, payload: Payload, options?: AppendOptions): Promise<'stored' | 'duplicate'>;
  /** Announces what is still waiting to be announced. */
  close(): void;
}

/** What decodes for devices, as ingest asks for it. */
export interface PayloadDecoders {
  /** Returns what reads the payloads of a device; null where no decoder of it can be used. */
  readerOf(device: Sender['device']): Awaitable<((source: PayloadSource) => Promise<Payload>) | null>;
}

/** Windows hear of a device's new records at most this often. */
const ANNOUNCE_MS = 100;

export function createIngest(parts: {
  readonly decoders: PayloadDecoders;
  readonly records: RecordStore;
  readonly events: EventBus;
  readonly arrivals: Arrivals;
}): Ingest {
  const { decoders, records, events, arrivals } = parts;
  const unannounced = new Map<string, Events['records.stored']>();
  let timer: NodeJS.Timeout | null = null;

  async function append(
    device_id: string,
    payload: Payload,
    options: AppendOptions,
  ): Promise<'stored' | 'duplicate'> {
    try {
      if ('records' in payload) return await records.append(device_id, payload.records, options);
      return await requireThreads(records).append(device_id, payload.upload, { receipt: options.receipt });
    } catch (error) {
      if (!(error instanceof KeyLimitReached)) throw error;
      const refusal = keyLimitRefusal(error);
      if (!('records' in payload) || payload.undecoded === undefined) throw refusal;
      // Nothing that a device sends is refused for what its decoder makes of it.
      const { count } = payload;
      return append(device_id, { count, records: payload.undecoded(refusal.message) }, options);
    }
  }

  function announce(): void {
    timer = null;
    const waiting = [...unannounced.values()];
    unannounced.clear();
    for (const event of waiting) events.publish('records.stored', event);
  }

  return {
    read(source, device) {
      const read = () => readPayload(source, records.threadWork);
      if (device.decodes !== true) return read();
      return andThen(decoders.readerOf(device), (decode) => (decode === null ? read() : decode(source)));
    },
    async store({ account_id, device: { id: device_id, project_id } }, payload, options = {}) {
      const unpacked = arrivals.unpacked(device_id, payload);
      if ((await append(device_id, payload, options)) === 'duplicate') return 'duplicate';
      arrivals.add(device_id, payload, unpacked);
      const count = (unannounced.get(device_id)?.count ?? 0) + payload.count;
      unannounced.set(device_id, { account_id, project_id, device_id, count });
      timer ??= machineClock.after(ANNOUNCE_MS, announce);
      return 'stored';
    },
    close() {
      if (timer === null) return;
      clearTimeout(timer);
      announce();
    },
  };
}

function requireThreads({ threadWork }: RecordStore): ThreadWork {
  if (threadWork === null) throw new Error('Records were packed for a store that reads none.');
  return threadWork;
}
