import { crc32 } from 'node:zlib';
import { allocate } from '../../../blocks/codec/bytes.ts';
import { newerFormat } from '../../../store-errors.ts';
import { DIGEST_BYTES, DIGEST_WORDS, type Digest } from '../../wal/receipt-digest.ts';

/*
 * The receipts of a device that the manifest covers (docs/storage-format.md, "Receipts"): a header, then entries of one
 * size, each with a CRC of its own, so that a later one can be added behind them.
 */

export const RECEIPTS = 'receipts';
export const RECEIPTS_TEMPORARY = 'receipts.tmp';
export const HEADER_BYTES = 16;
export const ENTRY_BYTES = DIGEST_BYTES + 4;
const MAGIC = 0x43524246;
const VERSION = 1;

export function receiptsHeader(): Buffer {
  const header = allocate(HEADER_BYTES);
  header.writeUInt32LE(MAGIC, 0);
  header.writeUInt32LE(VERSION, 4);
  header.writeUInt32LE(crc32(header.subarray(0, HEADER_BYTES - 4)), HEADER_BYTES - 4);
  return header;
}

export function receiptEntries(digests: Iterable<Digest>): Buffer {
  return Buffer.concat(Array.from(digests, entryOf));
}

function entryOf(digest: Digest): Buffer {
  const entry = allocate(ENTRY_BYTES);
  digest.forEach((word, i) => entry.writeUInt32LE(word, i * 4));
  entry.writeUInt32LE(crc32(entry.subarray(0, DIGEST_BYTES)), DIGEST_BYTES);
  return entry;
}

export interface ReceiptsReport {
  readonly digests: readonly Digest[];
  /** Receipts that are lost, or the header is. */
  readonly isDamaged: boolean;
  /** Whether it ends with a torn write of a crash. */
  readonly isTorn: boolean;
}

/** Reads the whole receipts of a file, without a torn end. Throws `newer-format`. */
export function readReceipts(bytes: Buffer): ReceiptsReport {
  const header = bytes.subarray(0, HEADER_BYTES);
  const isWhole =
    header.length === HEADER_BYTES &&
    header.readUInt32LE(0) === MAGIC &&
    header.readUInt32LE(HEADER_BYTES - 4) === crc32(header.subarray(0, HEADER_BYTES - 4));
  if (isWhole && header.readUInt32LE(4) > VERSION)
    throw newerFormat('The receipts of a device', header.readUInt32LE(4), VERSION);
  const digests: Digest[] = [];
  let lost = 0;
  let lostBefore = 0;
  for (let at = HEADER_BYTES; at + ENTRY_BYTES <= bytes.length; at += ENTRY_BYTES) {
    if (bytes.readUInt32LE(at + DIGEST_BYTES) === crc32(bytes.subarray(at, at + DIGEST_BYTES))) {
      digests.push(Uint32Array.from({ length: DIGEST_WORDS }, (_, i) => bytes.readUInt32LE(at + i * 4)));
      lostBefore = lost;
    } else {
      lost++;
    }
  }
  const rest = Math.max(0, bytes.length - HEADER_BYTES) % ENTRY_BYTES;
  return { digests, isDamaged: !isWhole || lostBefore > 0, isTorn: lost > lostBefore || rest > 0 };
}
