import { UPLINK } from '#shared/domain/decoders.ts';
import type { TimeRange } from '#shared/values/time.ts';
import type { RecordStore, StoredRecord, Value } from '../store/store.ts';
import type { Decoder, Decoders } from './decoders.ts';
import type { Uplink } from './uplinks.ts';

/** Payloads that are decoded together: as many as a message to the sandbox takes without anybody waiting for it. */
const STRETCH = 2_000;

/** Records as they are and as a decoder would have them; `after` is `before` where nothing changes. */
export interface DecodedAgain {
  readonly before: StoredRecord;
  readonly after: StoredRecord;
}

export interface AgainOptions {
  readonly device: { readonly id: string; readonly project_id: string };
  readonly range: TimeRange;
  readonly decoder: Decoder;
  /** Rejects as its reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Decodes the records of a range again, in their order, oldest first: those with bytes by their bytes, others stay as they are
 * (docs/functions.md, "Decode the past again"). Nothing is stored.
 */
export async function* decodeAgain(
  {
    records,
    decoders,
  }: { readonly records: Pick<RecordStore, 'scan'>; readonly decoders: Pick<Decoders, 'decode'> },
  { device, range, decoder, signal }: AgainOptions,
): AsyncGenerator<readonly DecodedAgain[], void, undefined> {
  for await (const batch of records.scan(device.id, range))
    for (let from = 0; from < batch.length; from += STRETCH) {
      signal?.throwIfAborted();
      const stretch = batch.slice(from, from + STRETCH);
      const uplinks = stretch.map(uplinkOf);
      const asked = uplinks.filter((uplink) => uplink !== null);
      const decoded = asked.length === 0 ? [] : await decoders.decode(asked, device, decoder);
      let next = 0;
      yield stretch.map((before, i) => {
        const after = uplinks[i] === null ? before : (decoded[next++] ?? before);
        return { before, after: isSame(before, after) ? before : after };
      });
    }
}

/** Returns the payload of a record; null where it has none. */
function uplinkOf({ timestamp, received, keys, values }: StoredRecord): Uplink | null {
  const hex = values[keys.indexOf(UPLINK.bytes)];
  // A device that has no decoder may send what it likes under that key.
  if (typeof hex !== 'string' || !/^(?:[0-9a-f]{2})*$/.test(hex)) return null;
  const port = values[keys.indexOf(UPLINK.port)];
  return {
    timestamp,
    received,
    bytes: Buffer.from(hex, 'hex'),
    port: typeof port === 'number' ? port : null,
  };
}

/** Whether a record says why its payload could not be decoded. */
const hasError = ({ keys }: StoredRecord): boolean => keys.includes(UPLINK.error);

/** Whether two records hold the same values under the same keys, whatever their order. */
function isSame(one: StoredRecord, other: StoredRecord): boolean {
  if (one.keys.length !== other.keys.length) return false;
  const values = new Map<string, Value>(one.keys.map((key, i) => [key, one.values[i] ?? '']));
  return other.keys.every((key, i) => Object.is(values.get(key), other.values[i]));
}

/** What a decoder changes of stored records, as far as it was counted. */
export class Differences {
  /** Records with bytes. */
  payloads = 0;
  changed = 0;
  /** Of the changed ones, those that have an error and had none, and those that had one and have none. */
  failing = 0;
  mended = 0;
  readonly #most: number;
  readonly first: DecodedAgain[] = [];

  /** `most`: how many of the first that differ are kept. */
  constructor(most: number) {
    this.#most = most;
  }

  add(stretch: readonly DecodedAgain[]): void {
    for (const each of stretch) {
      if (each.before.keys.includes(UPLINK.bytes)) this.payloads++;
      if (each.before === each.after) continue;
      this.changed++;
      const [had, has] = [hasError(each.before), hasError(each.after)];
      if (has && !had) this.failing++;
      if (had && !has) this.mended++;
      if (this.first.length < this.#most) this.first.push(each);
    }
  }
}
