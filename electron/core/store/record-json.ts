import { formatMicros } from '#shared/values/time.ts';
import { byCodeUnits } from './blocks/block/row-slice.ts';
import type { Page, StoredRecord } from './store.ts';

/*
 * Pages of records as /v2 shows them, for engines that keep no blocks: store/blocks has a faster writer of its own. Both
 * give the same bytes.
 */

/** A page is whole up to this size, and else comes in pieces of it. */
const WHOLE_BYTES = 1 << 20;

/** The JSON of a page of these records, in their order; `asked` keys alone, absent: all of them. */
export function pageJson(records: readonly StoredRecord[], asked?: readonly string[]): Page['json'] {
  const json = Buffer.from(`[${records.map((record) => recordJson(record, asked)).join(',')}]`);
  return json.length > WHOLE_BYTES ? inPieces(json) : json;
}

/** A record as /v2 shows it, from the pieces that JSON.stringify writes. */
export function recordJson({ timestamp, keys, values }: StoredRecord, asked?: readonly string[]): string {
  const members = keys
    .map((key, i) => ({ key, value: values[i] }))
    .filter(({ key }) => asked === undefined || asked.includes(key))
    .toSorted((a, b) => byCodeUnits(a.key, b.key))
    .map(({ key, value }) => `,${JSON.stringify(key)}:${JSON.stringify(value)}`);
  return `{"timestamp":${JSON.stringify(formatMicros(timestamp))}${members.join('')}}`;
}

async function* inPieces(json: Uint8Array): AsyncIterable<Uint8Array> {
  for (let at = 0; at < json.length; at += WHOLE_BYTES) yield json.subarray(at, at + WHOLE_BYTES);
}
