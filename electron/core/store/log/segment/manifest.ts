import { join, sep } from 'node:path';
import { crc32 } from 'node:zlib';
import { parseJson } from '#shared/values/json.ts';
import type { Micros } from '#shared/values/time.ts';
import { malformed } from '../../blocks/codec/bytes.ts';
import { newerFormat } from '../../store-errors.ts';
import type { Files } from '../../../disk/files.ts';
import { readWholeNow, writeWhole } from '../../../disk/whole-file.ts';
import type { SegmentMeta } from './segment-writer.ts';

/*
 * What belongs to a device: one small text file, replaced as a whole (docs/storage-format.md, "Manifest"). A segment
 * that no manifest names was never committed, or is no longer needed.
 */

export const MANIFEST = 'manifest';
export const TEMPORARY = 'manifest.tmp';
const NAME = 'fieldbench-device';
/** In version 1 an import counted as a sign of life: `lastSeen` stays as it was found. Version 2 kept nothing. */
const VERSION = 3;
const HEADER = /^fieldbench-device (\d+) ([0-9a-f]{8})\n/;

export interface Manifest {
  /** Entries of the write-ahead log up to this one are in the segments, or were purged. */
  readonly flushed: number;
  /** When something last came from the device itself. */
  readonly lastSeen: Micros | null;
  readonly purgedAt: Micros | null;
  /** Number of the next segment. */
  readonly next: number;
  /** In order of arrival. */
  readonly segments: readonly SegmentMeta[];
  /** Trash: soft-deleted segments, oldest first. */
  readonly kept: readonly KeptManifest[];
}

/** Segments that were removed together and are kept under a name. */
export interface KeptManifest {
  readonly name: string;
  /** When a purge removed them, and what `purgedAt` was before; null for a range delete, which changes it not. */
  readonly purge: { readonly at: Micros; readonly before: Micros | null } | null;
  readonly segments: readonly SegmentMeta[];
}

export const EMPTY: Manifest = {
  flushed: 0,
  lastSeen: null,
  purgedAt: null,
  next: 1,
  segments: [],
  kept: [],
};

/** Every segment that the manifest names. */
export function allSegments({ segments, kept }: Manifest): readonly SegmentMeta[] {
  return [...segments, ...kept.flatMap((each) => each.segments)];
}

export function segmentPath(folder: string, id: number): string {
  // Not by join, which reads the whole folder again for each of thousands.
  return `${folder}${sep}${id}.seg`;
}

export function parseSegmentName(name: string): number | null {
  const match = /^(\d+)\.seg$/.exec(name);
  return match ? Number(match[1]) : null;
}

/** First line: name, version and CRC of the rest; then JSON. All of it twice: one copy may be damaged. */
function encodeManifest(manifest: Manifest): Buffer {
  const body = `${JSON.stringify(manifest)}\n`;
  const copy = `${NAME} ${VERSION} ${crc32(body).toString(16).padStart(8, '0')}\n${body}`;
  return Buffer.from(copy + copy);
}

/** `whole`: both copies are. Throws `damaged` when none is, and `newer-format`. */
export function decodeManifest(bytes: Buffer): { readonly manifest: Manifest; readonly whole: boolean } {
  const middle = bytes.lastIndexOf(`${NAME} `);
  const copies = [bytes.subarray(0, middle), bytes.subarray(Math.max(0, middle))].map(decodeCopy);
  const manifest = copies.find((copy) => copy !== null);
  // Where the middle cannot be found, the first copy ends at its second line.
  const first = manifest ?? decodeCopy(bytes.subarray(0, bytes.indexOf(10, bytes.indexOf(10) + 1) + 1));
  if (!first) throw malformed();
  return { manifest: first, whole: copies.every((copy) => copy !== null) };
}

function decodeCopy(bytes: Buffer): Manifest | null {
  const text = bytes.toString('utf8');
  const match = HEADER.exec(text);
  if (!match) return null;
  const body = text.slice(match[0].length);
  if (crc32(body) !== Number.parseInt(match[2] ?? '', 16)) return null;
  const version = Number(match[1]);
  if (version > VERSION) throw newerFormat('The data of a device', version, VERSION);
  // Before version 3 nothing was kept.
  return { kept: [], ...(parseJson(body) as Omit<Manifest, 'kept'>) };
}

/** Replaces the manifest: durable when it resolves, unchanged when it throws. Resolves with its bytes. */
export async function writeManifest(files: Files, folder: string, manifest: Manifest): Promise<number> {
  const bytes = encodeManifest(manifest);
  const temporary = join(folder, TEMPORARY);
  await writeWhole(files, temporary, bytes);
  // Segments that it names have their names before it has its own.
  await files.syncDirectory(folder);
  await files.rename(temporary, join(folder, MANIFEST));
  await files.syncDirectory(folder);
  return bytes.length;
}

/** The manifest's bytes. Throws Node's ENOENT when there is none. */
export function readManifestBytes(files: Files, folder: string): Buffer {
  return readWholeNow(files, join(folder, MANIFEST));
}
