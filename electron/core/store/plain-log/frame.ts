import { crc32 } from 'node:zlib';
import type { StoredRecord, Value } from '../store.ts';

/*
 * A segment is a file of frames behind a header of 16 bytes: "FIELDLOG", u32 format version, u32 CRC-32 of those 12
 * bytes. A frame is one record: u32 mark, u32 payload length, u32 CRC-32, payload. All integers are little-endian.
 *
 * The CRC covers the frame's place in the file as well as its bytes, so that a stored text that happens to hold a copy
 * of a frame is never taken for one while looking for the next good frame behind damage.
 *
 * Payload: f64 timestamp, f64 time of receipt (both µs since 1970), u32 number of keys, then for each its name, a tag
 * byte and the value. Text is u32 `bytes * 2 + wide`, then UTF-8, or UTF-16 where it has lone surrogates (wide).
 */

export const FORMAT_VERSION = 1;
export const SEGMENT_HEADER_BYTES = 16;
export const FRAME_HEADER_BYTES = 12;

const SIGNATURE = Buffer.from('FIELDLOG', 'latin1');
/** Starts with bytes that UTF-8 never holds. */
export const FRAME_MARK = Buffer.from([0xff, 0xfe, 0x46, 0x42]);
const MARK = FRAME_MARK.readUInt32LE();

const TAG = { false: 0, true: 1, number: 2, text: 3 } as const;

/** The format version of a segment, or null when its header is damaged. */
export function segmentVersion(header: Buffer): number | null {
  if (header.length < SEGMENT_HEADER_BYTES || !header.subarray(0, 8).equals(SIGNATURE)) return null;
  return header.readUInt32LE(12) === crc32(header.subarray(0, 12)) ? header.readUInt32LE(8) : null;
}

/** Length of the frame, header included, that claims to begin at `at`; 0 when none does. Not yet checked. */
export function claimedLength(bytes: Buffer, at: number): number {
  if (at + FRAME_HEADER_BYTES > bytes.length || bytes.readUInt32LE(at) !== MARK) return 0;
  return FRAME_HEADER_BYTES + bytes.readUInt32LE(at + 4);
}

/** Whether `bytes[at, at + length)` is the frame that was written at `offset` of its segment. */
export function isIntact(bytes: Buffer, at: number, length: number, offset: number): boolean {
  if (length < FRAME_HEADER_BYTES || length !== claimedLength(bytes, at) || at + length > bytes.length)
    return false;
  return bytes.readUInt32LE(at + 8) === checksum(bytes, at, length, offset);
}

function checksum(bytes: Buffer, at: number, length: number, offset: number): number {
  const place = (offset ^ Math.floor(offset / 2 ** 32)) >>> 0;
  return crc32(
    bytes.subarray(at + FRAME_HEADER_BYTES, at + length),
    crc32(bytes.subarray(at, at + 8), place),
  );
}

/** The record of an intact frame at `at`. */
export function decodeRecord(bytes: Buffer, at: number): StoredRecord {
  let position = at + FRAME_HEADER_BYTES + 20;
  const text = (): string => {
    const head = bytes.readUInt32LE(position);
    const start = position + 4;
    position = start + (head >>> 1);
    return bytes.toString(head & 1 ? 'utf16le' : 'utf8', start, position);
  };
  const value = (): Value => {
    const tag = bytes.readUInt8(position++);
    if (tag === TAG.text) return text();
    if (tag !== TAG.number) return tag === TAG.true;
    position += 8;
    return bytes.readDoubleLE(position - 8);
  };
  const count = bytes.readUInt32LE(at + FRAME_HEADER_BYTES + 16);
  const keys: string[] = [];
  const values: Value[] = [];
  for (let i = 0; i < count; i++) {
    keys.push(text());
    values.push(value());
  }
  return {
    timestamp: bytes.readDoubleLE(at + FRAME_HEADER_BYTES),
    received: bytes.readDoubleLE(at + FRAME_HEADER_BYTES + 8),
    keys,
    values,
  };
}
