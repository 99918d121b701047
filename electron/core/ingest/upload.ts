import { formOf, openPayload } from './payload.ts';
import { readAtOnce } from './read-at-once.ts';
import { UPLOAD } from './upload-work.ts';
import { isColumnar } from './json/batches.ts';
import { recordsOf } from '../store/record-columns.ts';
import type { PackedRecords, PackedUpload, StoredRecord, ThreadWork } from '../store/store.ts';
import { Pace } from '../turns/pace.ts';
import type { Micros } from '#shared/time.ts';

/**
 * Bytes of a payload that is read in the service's thread: less than a thread takes to start, and than anyone else notices
 * to wait for.
 */
export const SMALL_PAYLOAD = 128 * 1024;
/** Bytes of a payload that is read at once. */
const SHORT_PAYLOAD = 8 * 1024;
/** Bytes read between two turns of the event loop where there is no thread to read them. */
const SLICE_BYTES = 16 * 1024;

/** What a device sent, read and checked: as records, or packed by a thread. */
export type Payload = { readonly count: number } & (
  { readonly records: readonly StoredRecord[] } | { readonly upload: PackedUpload }
);

export interface PayloadSource {
  readonly contentType: string | undefined;
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Asked once the payload is whole, or has turned out to be large: the time of records without `timestamp`. */
  readonly now: () => Micros;
}

/**
 * Reads a payload of any size; a large one in a thread, where there is one, so that nothing else waits for it. Rejects
 * with a 400 Refusal that names the first bad record, as `bytes` does, or with a ThreadError.
 */
export async function readPayload(source: PayloadSource, threadWork: ThreadWork | null): Promise<Payload> {
  const form = formOf(source.contentType);
  const pieces = source.bytes[Symbol.asyncIterator]();
  const begun: Uint8Array[] = [];
  let size = 0;
  let isWhole = false;
  while (!isWhole && size <= SMALL_PAYLOAD) {
    const next = await pieces.next();
    if (next.done) isWhole = true;
    else {
      begun.push(next.value);
      size += next.value.byteLength;
    }
  }
  const received = source.now();
  if (isWhole && form === 'json' && size <= SHORT_PAYLOAD) {
    const records = readAtOnce(Buffer.concat(begun), received);
    if (records !== null) return { count: records.length, records };
  }
  async function* all(): AsyncGenerator<Uint8Array> {
    try {
      yield* begun.splice(0);
      if (isWhole) return;
      for (let next = await pieces.next(); !next.done; next = await pieces.next()) yield next.value;
    } finally {
      await pieces.return?.();
    }
  }
  if (isWhole || threadWork === null) return readHere({ form, received }, all());
  const packed: PackedRecords[] = [];
  const { count, keys } = await threadWork.threads.run(
    UPLOAD,
    { form, received },
    {
      input: all(),
      output: (block) => void packed.push(block),
    },
  );
  return { count, upload: { packed, keys, received } };
}

async function readHere(
  { form, received }: { readonly form: ReturnType<typeof formOf>; readonly received: Micros },
  bytes: AsyncIterable<Uint8Array>,
): Promise<Payload> {
  const reader = openPayload(form, received);
  const records: StoredRecord[] = [];
  const pace = new Pace();
  const take = () => {
    for (const batch of reader.take())
      for (const record of isColumnar(batch) ? recordsOf(batch) : batch) records.push(record);
  };
  for await (const piece of bytes)
    for (let at = 0; at < piece.byteLength; at += SLICE_BYTES) {
      reader.push(piece.subarray(at, at + SLICE_BYTES));
      take();
      await pace.pause();
    }
  reader.end();
  take();
  return { count: reader.count, records };
}
