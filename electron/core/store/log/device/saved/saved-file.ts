import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { parseJson } from '#shared/values/json.ts';
import { StoreError } from '../../../../base/errors.ts';
import { newerFormat } from '../../../store-errors.ts';
import type { WorldSnapshot } from '../../../world-snapshots.ts';
import type { KeptManifest, Manifest } from '../../segment/manifest.ts';
import type { SegmentMeta } from '../../segment/segment-writer.ts';

/*
 * The file of a snapshot that says all which its segments do not (docs/storage-format.md, "Snapshots"): a line with version and
 * CRC, a line about it, a line with its rows and devices, and the bytes of their receipts and of the blocks that were in no segment.
 */

const NAME = 'fieldbench-snapshot';
const VERSION = 1;
const FIRST_LINE = /^fieldbench-snapshot (\d+) ([0-9a-f]{8})$/;
const NEWLINE = 10;

/** A segment in the folder of a snapshot, by the number of its file there. */
export interface SavedMeta extends SegmentMeta {
  readonly file: number;
}

/** What the file says of a device; lengths are of bytes behind the lines. */
export interface SavedEntry extends Pick<Manifest, 'lastSeen' | 'purgedAt'> {
  readonly id: string;
  /** How many records there are. */
  readonly rows: number;
  readonly segments: readonly SavedMeta[];
  readonly kept: readonly (Omit<KeptManifest, 'segments'> & { readonly segments: readonly SavedMeta[] })[];
  readonly receipts: number;
  /** Of each block, in order of arrival. */
  readonly blocks: readonly number[];
}

/** The bytes of a device, in the order of its entry. */
export interface SavedBytes {
  readonly receipts: Buffer;
  readonly blocks: readonly Uint8Array[];
}

const about = z.object({
  id: z.string(),
  account_id: z.string(),
  name: z.string(),
  created: z.int(),
  number: z.int(),
  projects: z.int(),
  devices: z.int(),
  records: z.int(),
  /** Bytes behind this line, and their CRC-32. */
  length: z.int(),
  crc: z.int(),
});

const crcText = (line: string) => crc32(line).toString(16).padStart(8, '0');

/** Returns the bytes of the file. */
export function encodeSaved(
  snapshot: WorldSnapshot,
  rows: unknown,
  devices: readonly (SavedEntry & { readonly bytes: SavedBytes })[],
): Buffer {
  const table = devices.map(({ bytes: _bytes, ...entry }) => entry);
  const rest = [
    Buffer.from(`${JSON.stringify({ rows, devices: table })}\n`),
    ...devices.flatMap(({ bytes }) => [bytes.receipts, ...bytes.blocks]),
  ];
  const length = rest.reduce((sum, piece) => sum + piece.length, 0);
  const crc = rest.reduce((so, piece) => crc32(piece, so), 0);
  const line = JSON.stringify({ ...snapshot, length, crc });
  return Buffer.concat([Buffer.from(`${NAME} ${VERSION} ${crcText(line)}\n${line}\n`), ...rest]);
}

/** Returns what a file says of its snapshot; `bytes` may be its beginning. Throws `damaged`, and `newer-format`. */
export function readAbout(bytes: Buffer): WorldSnapshot {
  return readLines(bytes).snapshot;
}

/** Returns all of a file. Throws `damaged`, and `newer-format`. */
export function decodeSaved(bytes: Buffer): {
  readonly snapshot: WorldSnapshot;
  readonly rows: unknown;
  readonly devices: readonly (SavedEntry & { readonly bytes: SavedBytes & { readonly receipts: Buffer } })[];
} {
  const { snapshot, end, length, crc } = readLines(bytes);
  const rest = bytes.subarray(end);
  if (rest.length !== length || crc32(rest) !== crc) throw damagedSnapshot();
  const lineEnd = rest.indexOf(NEWLINE);
  const { rows, devices } = parseJson(rest.toString('utf8', 0, lineEnd)) as {
    readonly rows: unknown;
    readonly devices: readonly SavedEntry[];
  };
  let at = lineEnd + 1;
  const next = (size: number) => rest.subarray(at, (at += size));
  return {
    snapshot,
    rows,
    devices: devices.map((entry) => {
      const receipts = next(entry.receipts);
      return { ...entry, bytes: { receipts, blocks: entry.blocks.map(next) } };
    }),
  };
}

function readLines(bytes: Buffer) {
  const first = bytes.indexOf(NEWLINE);
  const [, version = '', crc = ''] = FIRST_LINE.exec(bytes.toString('latin1', 0, Math.max(0, first))) ?? [];
  if (version === '') throw damagedSnapshot();
  if (Number(version) > VERSION) throw newerFormat('A snapshot', Number(version), VERSION);
  const second = bytes.indexOf(NEWLINE, first + 1);
  const line = bytes.toString('utf8', first + 1, second);
  if (second < 0 || crcText(line) !== crc) throw damagedSnapshot();
  const read = about.safeParse(parseJson(line));
  if (!read.success) throw damagedSnapshot();
  const { length, crc: ofRest, ...snapshot } = read.data;
  return { snapshot, end: second + 1, length, crc: ofRest };
}

function damagedSnapshot(): StoreError {
  return new StoreError(
    'damaged',
    'The file of a snapshot is damaged: it cannot be restored. Nothing else is touched by that; delete the snapshot and take another.',
  );
}
