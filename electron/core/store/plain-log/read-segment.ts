import type { Files, OpenFile } from '../../disk/files.ts';
import type { StoredRecord } from '../store.ts';
import { newerFormat } from './device-state.ts';
import {
  claimedLength,
  decodeRecord,
  FORMAT_VERSION,
  FRAME_HEADER_BYTES,
  FRAME_MARK,
  isIntact,
  SEGMENT_HEADER_BYTES,
  segmentVersion,
} from './frame.ts';

/** Bytes read at once. */
const CHUNK_BYTES = 1 << 20;

/** What reading a whole segment found. */
export interface SegmentReport {
  readonly fileBytes: number;
  /** End of the last intact frame; 0 when not even the header is whole. */
  readonly end: number;
  /** Stretches between intact frames that are not frames, and a damaged header. */
  readonly damaged: readonly { readonly offset: number; readonly bytes: number }[];
}

/**
 * The records of every intact frame of a segment, in order of arrival, in batches; then the report. Throws
 * `newer-format`; damage is reported, not thrown.
 */
export async function* readSegment(
  files: Files,
  path: string,
): AsyncGenerator<readonly StoredRecord[], SegmentReport> {
  const file = files.openForReading(path);
  try {
    return yield* readFrames(file);
  } finally {
    file.close();
  }
}

async function* readFrames(file: OpenFile): AsyncGenerator<readonly StoredRecord[], SegmentReport> {
  const { size } = file;
  if (size < SEGMENT_HEADER_BYTES) return { fileBytes: size, end: 0, damaged: [] };
  const damaged: { offset: number; bytes: number }[] = [];
  const version = segmentVersion(await readAt(file, 0, SEGMENT_HEADER_BYTES));
  if (version === null) damaged.push({ offset: 0, bytes: SEGMENT_HEADER_BYTES });
  else if (version > FORMAT_VERSION) throw newerFormat();

  let records: StoredRecord[] = [];
  let chunk: Buffer = Buffer.alloc(0);
  let chunkStart = 0;
  let position = SEGMENT_HEADER_BYTES;
  let end = position;
  while (position + FRAME_HEADER_BYTES <= size) {
    const at = position - chunkStart;
    const claimed = claimedLength(chunk, at);
    const wanted = Math.max(FRAME_HEADER_BYTES, position + claimed <= size ? claimed : 0);
    if (at + wanted > chunk.length) {
      if (records.length > 0) yield records;
      records = [];
      chunkStart = position;
      chunk = await readAt(file, position, Math.min(size - position, Math.max(CHUNK_BYTES, wanted)));
    } else if (isIntact(chunk, at, claimed, position)) {
      if (position > end) damaged.push({ offset: end, bytes: position - end });
      records.push(decodeRecord(chunk, at));
      position += claimed;
      end = position;
    } else {
      const next = chunk.indexOf(FRAME_MARK, at + 1);
      position = next >= 0 ? chunkStart + next : Math.max(position + 1, chunkStart + chunk.length - 3);
    }
  }
  if (records.length > 0) yield records;
  return { fileBytes: size, end, damaged };
}

async function readAt(file: OpenFile, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  return bytes.subarray(0, await file.read(bytes, position));
}
