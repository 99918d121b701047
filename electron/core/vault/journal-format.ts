import { createHmac, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { NONCE_BYTES, seal, TAG_BYTES, unseal } from './sealing.ts';

/*
 * The bytes of a vault's journal (docs/storage-format.md, "The file vault"): a head, two places that say in turn up to
 * where the file was confirmed by the disk, and frames, each sealed with its place and with the tag of the one before. So
 * frames cannot be moved, left out or taken from another journal, and a write that a crash tore can be told from damage.
 */

export const JOURNAL_VERSION = 1;
/** Id of a journal: 16 hexadecimal digits, drawn for each. */
export const JOURNAL_ID = /^[0-9a-f]{16}$/;
/** A key for frames and one for the ends, 32 bytes each. */
export const JOURNAL_SECRET_BYTES = 64;

const MAGIC = Buffer.from('FBVJ');
const HEAD_BYTES = 32;
const END_BYTES = 32;
const FIRST_FRAME = HEAD_BYTES + 2 * END_BYTES;
const FRAME_HEAD_BYTES = 4 + NONCE_BYTES;
/** Tag before the first frame. */
const NO_TAG = Buffer.alloc(TAG_BYTES);

/** End of the journal: the place of the next frame, and the tag it is chained to. */
export interface Tail {
  readonly end: number;
  readonly tag: Buffer;
}

export const EMPTY: Tail = { end: FIRST_FRAME, tag: NO_TAG };

/** Whether so long a journal holds nothing: what a crash in the middle of a vault's first start may leave. */
export const isEmptyJournal = (bytes: number) => bytes <= FIRST_FRAME;

/** Magic, version, id, and a CRC of these. */
export function headOf(id: string): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  MAGIC.copy(head);
  head.writeUInt32LE(JOURNAL_VERSION, 4);
  head.write(id, 8, 'latin1');
  head.writeUInt32LE(crc32(head.subarray(0, 24)), 24);
  return head;
}

/** Returns what is wrong with a head; null where it is right. A number is a version that is newer. */
export function wrongHead(bytes: Buffer, id: string): string | number | null {
  if (bytes.length < FIRST_FRAME) return 'it was cut short';
  const head = bytes.subarray(0, HEAD_BYTES);
  if (!head.subarray(0, 4).equals(MAGIC) || head.readUInt32LE(24) !== crc32(head.subarray(0, 24)))
    return 'its beginning was altered';
  const version = head.readUInt32LE(4);
  if (version > JOURNAL_VERSION) return version;
  return head.equals(headOf(id)) ? null : 'its beginning was altered';
}

/** The `turn`th word on where the confirmed part ends: its bytes, and where they go. */
export function endMark(
  id: string,
  end: number,
  turn: number,
  secret: Buffer,
): { bytes: Buffer; at: number } {
  const bytes = Buffer.alloc(END_BYTES);
  bytes.writeDoubleLE(end, 0);
  macOf(id, bytes.subarray(0, 8), secret).copy(bytes, 8, 0, END_BYTES - 8);
  return { bytes, at: HEAD_BYTES + (turn % 2) * END_BYTES };
}

/** Returns up to where the disk has confirmed the journal; null where neither place says it. */
export function confirmedEnd(bytes: Buffer, id: string, secret: Buffer): number | null {
  const ends = [0, 1].flatMap((turn) => {
    const at = HEAD_BYTES + turn * END_BYTES;
    const end = bytes.subarray(at, at + 8);
    const mac = bytes.subarray(at + 8, at + END_BYTES);
    return timingSafeEqual(mac, macOf(id, end, secret).subarray(0, mac.length)) ? [end.readDoubleLE(0)] : [];
  });
  return ends.length > 0 ? Math.max(...ends) : null;
}

/** Seals the content of a frame that goes behind `tail`; returns its bytes and the tail then. */
export function frameOf(
  content: string,
  id: string,
  tail: Tail,
  secret: Buffer,
): { bytes: Buffer; tail: Tail } {
  const plain = Buffer.from(content);
  const { nonce, data, tag } = seal(plain, secret.subarray(0, 32), contextOf(id, tail));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(data.length, 0);
  const bytes = Buffer.concat([length, nonce, data, tag]);
  return { bytes, tail: { end: tail.end + bytes.length, tag } };
}

/** Returns the content of the frame behind `tail` and the tail then; null where there is none that fits. */
export function openFrame(
  bytes: Buffer,
  id: string,
  tail: Tail,
  secret: Buffer,
): { content: string; tail: Tail } | null {
  const start = tail.end + FRAME_HEAD_BYTES;
  if (start + TAG_BYTES > bytes.length) return null;
  const dataEnd = start + bytes.readUInt32LE(tail.end);
  const end = dataEnd + TAG_BYTES;
  if (end > bytes.length) return null;
  const tag = bytes.subarray(dataEnd, end);
  const sealed = { nonce: bytes.subarray(tail.end + 4, start), data: bytes.subarray(start, dataEnd), tag };
  const plain = unseal(sealed, secret.subarray(0, 32), contextOf(id, tail));
  return plain && { content: plain.toString('utf8'), tail: { end, tag } };
}

function contextOf(id: string, { end, tag }: Tail): Buffer {
  const place = Buffer.alloc(8);
  place.writeDoubleLE(end, 0);
  return Buffer.concat([Buffer.from(`fieldbench vault journal ${JOURNAL_VERSION} ${id} `), place, tag]);
}

function macOf(id: string, end: Uint8Array, secret: Buffer): Buffer {
  return createHmac('sha256', secret.subarray(32)).update(`end ${id} `).update(end).digest();
}
