import { UPLINK } from '#shared/domain/decoders.ts';
import type { StoredRecord } from '../store/store.ts';

type Batches = AsyncIterable<readonly StoredRecord[]>;

/**
 * Hands on the records that are there now and were not there when others took the place of `before`: whatever a decoder makes of it, a
 * payload stays the same by its times, its bytes and its port, and a record without one stays as it is. Both are in order of time.
 */
export async function* comeSince(now: Batches, before: Batches): AsyncGenerator<readonly StoredRecord[]> {
  const groups = byTime(before);
  let group = await groups.next();
  let [at, left] = [-Infinity, new Map<string, number>()];
  for await (const batch of now) {
    const since: StoredRecord[] = [];
    for (const record of batch) {
      while (group.done !== true && group.value.at <= record.timestamp) {
        ({ at, left } = group.value);
        group = await groups.next();
      }
      const name = identityOf(record);
      const count = at === record.timestamp ? (left.get(name) ?? 0) : 0;
      if (count === 0) since.push(record);
      else left.set(name, count - 1);
    }
    if (since.length > 0) yield since;
  }
}

interface Group {
  readonly at: number;
  /** How many of each there are. */
  readonly left: Map<string, number>;
}

async function* byTime(batches: Batches): AsyncGenerator<Group, undefined> {
  let [at, left] = [NaN, new Map<string, number>()];
  for await (const batch of batches)
    for (const record of batch) {
      if (record.timestamp !== at) {
        if (left.size > 0) yield { at, left };
        [at, left] = [record.timestamp, new Map()];
      }
      const name = identityOf(record);
      left.set(name, (left.get(name) ?? 0) + 1);
    }
  if (left.size > 0) yield { at, left };
}

function identityOf({ received, keys, values }: StoredRecord): string {
  const bytes = values[keys.indexOf(UPLINK.bytes)];
  if (bytes !== undefined)
    return JSON.stringify([received, bytes, values[keys.indexOf(UPLINK.port)] ?? null]);
  const fields = keys.map((key, i) => [key, values[i]]);
  return JSON.stringify([received, null, fields.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1))]);
}
