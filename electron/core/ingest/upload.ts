import type { Awaitable } from '../base/awaitable.ts';
import { formOf, openPayload, type PayloadForm } from './payload.ts';
import { readAtOnce } from './read-at-once.ts';
import { UPLOAD, UploadPacker } from './upload-work.ts';
import { isColumnar, type Batch } from './json/batches.ts';
import { recordsOf } from '../store/record-columns.ts';
import type { PackedRecords, PackedUpload, PackRecords, StoredRecord, ThreadWork } from '../store/store.ts';
import { Pace } from '../turns/pace.ts';
import type { Micros } from '#shared/values/time.ts';

/**
 * Bytes of a payload that is read in the service's thread: less than a thread takes to start, and than anyone else notices
 * to wait for.
 */
export const SMALL_PAYLOAD = 128 * 1024;
/** Bytes of a payload that is read at once. */
const SHORT_PAYLOAD = 8 * 1024;
/** From so many records on they stay columns and are packed; fewer would make blocks of a few rows. */
const PACKED_RECORDS = 512;
/** Bytes read between two turns of the event loop where there is no thread to read them. */
const SLICE_BYTES = 16 * 1024;

/** Payload of a device, read and checked: as records, or packed by a thread. */
export type Payload = { readonly count: number } & (
  | {
      readonly records: readonly StoredRecord[];
      /** Where a decoder made them: what they are without what it made, and why that could not be stored. */
      readonly undecoded?: (why: string) => readonly StoredRecord[];
    }
  | { readonly upload: PackedUpload }
);

export interface PayloadSource {
  readonly contentType: string | undefined;
  /** Whole where all of it is there already. */
  readonly bytes: Uint8Array | AsyncIterable<Uint8Array>;
  /** Asked once the payload is whole, or has turned out to be large: the time of records without `timestamp`. */
  readonly now: () => Micros;
}

/**
 * Reads a payload of any size; a large one in a thread, where there is one, so that nothing else waits for it, and a short
 * one that is there already at once. Rejects with a 400 Refusal that names the first bad record, as `bytes` does, or with
 * a ThreadError.
 */
export function readPayload(source: PayloadSource, threadWork: ThreadWork | null): Awaitable<Payload> {
  const { bytes, contentType, now } = source;
  const form = formOf(contentType);
  if (!(bytes instanceof Uint8Array)) return readArriving(form, bytes, now, threadWork);
  const received = now();
  const records = shortRecords(form, bytes, received);
  return records ?? readArriving(form, one(bytes), () => received, threadWork);
}

async function* one(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}

/** Null where the reader of pieces is to read them. */
function shortRecords(form: PayloadForm, bytes: Uint8Array, received: Micros): Payload | null {
  if (form !== 'json' || bytes.byteLength > SHORT_PAYLOAD) return null;
  const records = readAtOnce(bytes, received);
  return records && { count: records.length, records };
}

async function readArriving(
  form: PayloadForm,
  bytes: AsyncIterable<Uint8Array>,
  now: PayloadSource['now'],
  threadWork: ThreadWork | null,
): Promise<Payload> {
  const pieces = bytes[Symbol.asyncIterator]();
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
  const received = now();
  const short = isWhole && size <= SHORT_PAYLOAD ? shortRecords(form, Buffer.concat(begun), received) : null;
  if (short !== null) return short;
  async function* all(): AsyncGenerator<Uint8Array> {
    try {
      yield* begun.splice(0);
      if (isWhole) return;
      for (let next = await pieces.next(); !next.done; next = await pieces.next()) yield next.value;
    } finally {
      await pieces.return?.();
    }
  }
  if (isWhole || threadWork === null)
    return readHere({ form, received }, all(), { pack: threadWork?.pack ?? null, size });
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

/** `pack`: what packs many records; null keeps them all as they are. `size`: the bytes of the payload, where it is whole. */
async function readHere(
  { form, received }: { readonly form: PayloadForm; readonly received: Micros },
  bytes: AsyncIterable<Uint8Array>,
  { pack, size }: { readonly pack: PackRecords | null; readonly size: number },
): Promise<Payload> {
  const reader = openPayload(form, received);
  const pace = new Pace();
  const records: StoredRecord[] = [];
  const packed: PackedRecords[] = [];
  let packer: UploadPacker | null = null;
  let read = 0;
  const take = async () => {
    // Judged by what was read first: records of a payload are about as long as one another.
    const isMany = records.length === 0 && reader.count * size >= PACKED_RECORDS * read;
    if (pack !== null && isMany) packer ??= new UploadPacker(pack, async (block) => void packed.push(block));
    const batches = reader.take();
    if (packer !== null) await packer.add(batches);
    else for (const batch of batches) for (const record of recordsIn(batch)) records.push(record);
  };
  for await (const piece of bytes)
    for (let at = 0; at < piece.byteLength; at += SLICE_BYTES) {
      const slice = piece.subarray(at, at + SLICE_BYTES);
      reader.push(slice);
      read += slice.byteLength;
      await take();
      await pace.pause();
    }
  reader.end();
  await take();
  const { count } = reader;
  return packer === null
    ? { count, records }
    : { count, upload: { keys: await (packer as UploadPacker).end(), packed, received } };
}

const recordsIn = (batch: Batch) => (isColumnar(batch) ? recordsOf(batch) : batch);
