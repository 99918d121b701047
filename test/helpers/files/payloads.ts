import { isColumnar } from '#core/ingest/json/batches.ts';
import { formOf, openPayload } from '#core/ingest/payload.ts';
import { recordsOf } from '#core/store/record-columns.ts';
import type { StoredRecord } from '#core/store/store.ts';
import type { Micros } from '#shared/values/time.ts';

/** Reads a payload at once. Throws a 400 Refusal. */
export function parsePayload(
  bytes: Uint8Array,
  contentType: string | undefined,
  received: Micros,
): StoredRecord[] {
  const reader = openPayload(formOf(contentType), received);
  reader.push(bytes);
  reader.end();
  return reader.take().flatMap((batch) => (isColumnar(batch) ? recordsOf(batch) : batch));
}
