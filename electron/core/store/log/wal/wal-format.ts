import { crc32 } from 'node:zlib';
import { StoreError } from '../../../base/errors.ts';
import { allocate, ByteReader, malformed } from '../../blocks/codec/bytes.ts';
import { newerFormat } from '../../store-errors.ts';
import { WalEntries } from './wal-entries.ts';

/*
 * A file of the write-ahead log (docs/storage-format.md, "Write-ahead log"):
 *
 *   wal-<first sequence number>-<salt>.log     magic, version; units; zeros or what an earlier use left
 *   unit                                       mark, CRC, length, entries, salt, first sequence number; entries
 *
 * A unit is what one write and one fdatasync made durable; 32 zero bytes follow the last one. The salt tells units of
 * this use of the file from those of an earlier one, and from bytes that records carry.
 */

export const WAL_HEADER_BYTES = 64;
export const UNIT_HEADER_BYTES = 32;
export const TERMINATOR_BYTES = 32;
export const SPARE_NAME = 'wal-spare.log';
const WAL_MAGIC = 0x4c574246;
/**
 * Version 1 had no entries that say that records were deleted by their time, version 2 none with receipts, version 3 none
 * that take the place of others, version 4 none that refer to a snapshot, version 5 no blocks with columns of hexadecimal texts.
 */
export const WAL_VERSION = 6;
const UNIT_MARK = 0x55574246;

export function walName(sequence: number, salt: number): string {
  return `wal-${sequence}-${salt.toString(16).padStart(8, '0')}.log`;
}

export function parseWalName(name: string): { sequence: number; salt: number } | null {
  const match = /^wal-(\d+)-([0-9a-f]{8})\.log$/.exec(name);
  return match ? { sequence: Number(match[1]), salt: Number.parseInt(match[2] ?? '', 16) } : null;
}

const DAMAGED = 'damaged-';
/** Returns the name under which a repair keeps a damaged file. */
export const damagedWalName = (name: string) => `${DAMAGED}${name}`;

/** Whether the log writes files of this name. */
export function isWalFile(name: string): boolean {
  const own = name.startsWith(DAMAGED) ? name.slice(DAMAGED.length) : name;
  return name === SPARE_NAME || parseWalName(own) !== null;
}

/** The start of a file without units. */
export function walHeader(): Buffer {
  const header = allocate(WAL_HEADER_BYTES + TERMINATOR_BYTES);
  header.writeUInt32LE(WAL_MAGIC, 0);
  header.writeUInt32LE(WAL_VERSION, 4);
  return header;
}

/** The header of a unit, but for its CRC, which is of all bytes from the ninth on. */
export function writeUnitHeader(
  view: DataView,
  {
    length,
    salt,
    sequence,
    entries,
  }: {
    readonly length: number;
    readonly salt: number;
    readonly sequence: number;
    readonly entries: number;
  },
): void {
  view.setUint32(0, UNIT_MARK, true);
  view.setUint32(8, length, true);
  view.setUint32(12, entries, true);
  view.setUint32(16, salt, true);
  view.setUint32(20, 0, true);
  view.setFloat64(24, sequence, true);
}

/** Report on reading a file. */
export interface WalReport {
  /** Version in its header; 0 without a header. */
  readonly version: number;
  readonly entries: WalEntries;
  /** Where the last unit starts and ends. */
  readonly lastStart: number;
  readonly end: number;
  /** Bytes after the last unit that a crash left; 0 when it ended in order. */
  readonly torn: number;
  /** Bytes between whole units that are not one. */
  readonly damaged: number;
}

/** Reads every whole unit. Throws `newer-format`. */
export function readWal(bytes: Buffer, salt: number): WalReport {
  const entries = new WalEntries(bytes);
  let at = WAL_HEADER_BYTES;
  let lastStart = at;
  let end = at;
  let damaged = 0;
  const version = versionOf(bytes);
  if (version > WAL_VERSION) throw newerFormat('The write-ahead log', version, WAL_VERSION);
  for (;;) {
    const length = unitLength(bytes, at, salt);
    if (length > 0) {
      damaged += at - end;
      // Whole, but nothing that this version can make sense of, or here for the second time, as only a disk can have put
      // it: what stands before and behind it still counts.
      if (!readUnit(bytes, at, at + length, entries)) damaged += length;
      lastStart = at;
      end = at += length;
      continue;
    }
    const next = nextMark(bytes, at);
    if (next < 0) break;
    at = next;
  }
  // Without entries it is a new file whose header a crash kept from the disk, or some of it.
  if (entries.length > 0 && version === 0) damaged += WAL_HEADER_BYTES;
  return { version, entries, lastStart, end, torn: tornBytes(bytes, end), damaged };
}

function versionOf(bytes: Buffer): number {
  return bytes.length >= WAL_HEADER_BYTES && bytes.readUInt32LE(0) === WAL_MAGIC ? bytes.readUInt32LE(4) : 0;
}

/** Length of the whole unit at a place; 0 when there is none. */
function unitLength(bytes: Buffer, at: number, salt: number): number {
  if (at + UNIT_HEADER_BYTES > bytes.length || bytes.readUInt32LE(at) !== UNIT_MARK) return 0;
  const length = bytes.readUInt32LE(at + 8);
  if (length < UNIT_HEADER_BYTES || at + length > bytes.length || bytes.readUInt32LE(at + 16) !== salt)
    return 0;
  return bytes.readUInt32LE(at + 4) === crc32(bytes.subarray(at + 8, at + length)) ? length : 0;
}

const markBytes = Buffer.alloc(4);
markBytes.writeUInt32LE(UNIT_MARK, 0);

function nextMark(bytes: Buffer, after: number): number {
  return bytes.indexOf(markBytes, after + 1);
}

/** Adds the entries of the unit [from, to); false, and none, where they are not what its header says. */
function readUnit(bytes: Buffer, from: number, to: number, into: WalEntries): boolean {
  const before = into.length;
  try {
    readEntries(bytes, from, to, into);
    return true;
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'damaged') throw error;
    into.truncate(before);
    return false;
  }
}

function readEntries(bytes: Buffer, from: number, to: number, into: WalEntries): void {
  const count = bytes.readUInt32LE(from + 12);
  const first = bytes.readDoubleLE(from + 24);
  // Numbers only go up in a file.
  if (first <= into.lastSequence) throw malformed();
  const reader = new ByteReader(bytes, from + UNIT_HEADER_BYTES, to);
  for (let i = 0; i < count; i++) into.read(reader, first + i);
  if (reader.rest > 0) throw malformed();
}

function tornBytes(bytes: Buffer, end: number): number {
  const terminator = bytes.subarray(end, end + TERMINATOR_BYTES);
  if (terminator.length < TERMINATOR_BYTES) return Math.max(1, terminator.length);
  return terminator.every((byte) => byte === 0) ? 0 : bytes.length - end;
}
