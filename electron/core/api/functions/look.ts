import { MOST_DIFFERENCES } from '#shared/operations/metadata/functions.ts';
import { UPLINK } from '#shared/domain/decoders.ts';
import type { DataRecord } from '#shared/schema/schemas.ts';
import { parseJson } from '#shared/values/json.ts';
import type { TimeRange } from '#shared/values/time.ts';
import { decodeAgain, Differences } from '../../functions/decode-again.ts';
import { recordOf } from '../../functions/decoded-record.ts';
import type { Decoder } from '../../functions/decoders.ts';
import type { Uplink } from '../../functions/uplinks.ts';
import type { StoredDevice } from '../../store/metadata/metadata-schema.ts';
import { recordJson } from '../../store/record-json.ts';
import { KeyLimitReached, keyLimitRefusal, MOST_KEYS_OF_DEVICE } from '../../store/store-errors.ts';
import type { StoredRecord } from '../../store/store.ts';
import type { Context } from '../context.ts';

/** Resolves with what a decoder would change of the records of a range. Rejects as the signal's reason. */
export async function previewDecoding(
  device: StoredDevice,
  range: TimeRange,
  decoder: Decoder,
  { records, decoders }: Pick<Context, 'records' | 'decoders'>,
  signal: AbortSignal | undefined,
) {
  const found = new Differences(MOST_DIFFERENCES);
  for await (const stretch of decodeAgain({ records, decoders }, { device, range, decoder, signal }))
    found.add(stretch);
  const { payloads, changed, failing, mended, first } = found;
  const differences = first.map(({ before, after }) => ({ before: shown(before), after: shown(after) }));
  return { payloads, changed, failing, mended, differences };
}

/** Resolves with the record that would be stored of a payload, beside what the device has. Rejects as the signal's reason. */
export async function tryPayload(
  device: StoredDevice,
  uplink: Uplink,
  decoder: Decoder,
  { records, decoders }: Pick<Context, 'records' | 'decoders'>,
  signal: AbortSignal | undefined,
): Promise<DataRecord> {
  const [decoded] = await decoders.decode([uplink], device, decoder);
  if (decoded === undefined) throw new TypeError('each payload has a record');
  const known = new Set(await records.keys(device.id, signal));
  const added = decoded.keys.filter((key) => !known.has(key));
  const tooMuch = added[Math.max(0, MOST_KEYS_OF_DEVICE - known.size)];
  if (tooMuch === undefined) return shown(decoded);
  const { message } = keyLimitRefusal(new KeyLimitReached(0, tooMuch));
  return shown(recordOf(uplink, { ok: false, kind: 'thrown', message }));
}

/** Resolves with how many records of a device have bytes, how many an error, and the newest of these. */
export async function failuresOf(
  device: string,
  { records }: Pick<Context, 'records'>,
  signal: AbortSignal | undefined,
) {
  const payloads = await records.countWith(device, {}, [UPLINK.bytes], signal);
  const failed = await records.countWith(device, {}, [UPLINK.error], signal);
  const [[latest] = []] = await records.latest([{ device, keys: [UPLINK.error] }]);
  let last: StoredRecord | null = null;
  if (latest !== undefined)
    for await (const batch of records.scan(device, { start: latest.timestamp, end: latest.timestamp }))
      last = batch.findLast(({ keys }) => keys.includes(UPLINK.error)) ?? last;
  return { payloads, failed, last: last && shown(last) };
}

/** A record as /v2 shows it. */
const shown = (record: StoredRecord) => parseJson(recordJson(record)) as DataRecord;
