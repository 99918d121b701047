import { join } from 'node:path';
import { StoreError } from '../../../base/errors.ts';
import type { Micros } from '#shared/values/time.ts';
import type { Extent } from '../../store.ts';
import { setFileAside } from '../segment/damaged.ts';
import { errorCode } from '../../../disk/errors.ts';
import {
  allSegments,
  decodeManifest,
  EMPTY,
  parseSegmentName,
  readManifestBytes,
  segmentPath,
  TEMPORARY,
  type Manifest,
} from '../segment/manifest.ts';
import { openSegment } from '../segment/segment-file.ts';
import type { FoundOrigin, SegmentMeta } from '../segment/segment-writer.ts';
import type { Common } from './common.ts';
import { RECEIPTS_TEMPORARY } from './receipts/receipts-file.ts';

export interface LoadedDevice {
  /** Whether the device has a folder, and whether that has a manifest. */
  readonly hasFolder: boolean;
  readonly exists: boolean;
  readonly manifest: Manifest;
  readonly manifestBytes: number;
  /** Segments that the manifest names and the folder lacks. */
  readonly missing: ReadonlySet<number>;
}

/** Reads what belongs to a device and removes what a crash left behind. Throws `newer-format`. */
export async function loadDevice(common: Common, id: string, folder: string): Promise<LoadedDevice> {
  const { files } = common;
  const names = await namesIn(common, folder);
  if (names === null)
    return { hasFolder: false, exists: false, manifest: EMPTY, manifestBytes: 0, missing: new Set() };
  const numbers = names.map(parseSegmentName).filter((number) => number !== null);
  let manifest: Manifest;
  let manifestBytes = 0;
  let isNew = false;
  try {
    const bytes = readManifestBytes(files, folder);
    const decoded = decodeManifest(bytes);
    manifest = decoded.manifest;
    manifestBytes = bytes.length;
    if (!decoded.whole) {
      const message = `One of two copies of the list of files of device ${id} was damaged; the other one is used.`;
      common.note({ device: id, kind: 'damaged', message });
    }
  } catch (error) {
    const unreadable =
      errorCode(error) === 'ENOENT' || (error instanceof StoreError && error.code === 'damaged');
    if (!unreadable) throw error;
    // Without a segment it is a folder whose first manifest was never written.
    isNew = errorCode(error) === 'ENOENT' && numbers.length === 0;
    const message = `The list of files of device ${id} was damaged and has been rebuilt from the files.`;
    if (!isNew) common.note({ device: id, kind: 'damaged', message });
    manifest = await rebuildManifest(common, folder, numbers);
  }
  const named = new Set(allSegments(manifest).map((segment) => segment.id));
  const stale = numbers.filter((number) => !named.has(number)).map((number) => segmentPath(folder, number));
  for (const name of [TEMPORARY, RECEIPTS_TEMPORARY])
    if (names.includes(name)) stale.push(join(folder, name));
  if (stale.length > 0) {
    // The process that made the manifest may have been killed before this: until then the old one may come back.
    await files.syncDirectory(folder);
    for (const path of stale) await files.remove(path);
    // What was deleted may be in them: they must not come back where nobody looks again.
    await files.syncDirectory(folder);
    const message = `Removed ${stale.length} unfinished files of device ${id}; nothing in them had been acknowledged.`;
    common.note({ device: id, kind: 'stale-file', message });
  }
  const present = new Set(numbers);
  return {
    hasFolder: true,
    exists: !isNew,
    manifest,
    manifestBytes,
    missing: new Set([...named].filter((number) => !present.has(number))),
  };
}

async function namesIn(common: Common, folder: string): Promise<string[] | null> {
  try {
    return (await common.files.list(folder)).map(({ name }) => name);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Every segment says what it replaces and which part of the write-ahead log it covers. Where a segment and all it
 * replaces are present, whether it had been committed is not known; the old ones are whole, so they count.
 */
async function rebuildManifest(
  common: Common,
  folder: string,
  numbers: readonly number[],
): Promise<Manifest> {
  const found: { meta: SegmentMeta; origin: FoundOrigin }[] = [];
  for (const number of numbers) {
    try {
      const open = openSegment(common.files, segmentPath(folder, number));
      const { table, origin } = open;
      const received = Array.from({ length: table.count }, (_, i) => table.receivedOf(i));
      const bytes = open.file.size;
      open.file.close();
      if (origin === null) continue;
      found.push({
        origin,
        meta: {
          id: number,
          age: origin.age,
          rows: table.rows,
          first: table.firstOf(0),
          last: table.lastOf(table.count - 1),
          received: received.reduce((latest, at) => Math.max(latest, at), -Infinity),
          bytes,
          keys: open.keys.size,
        },
      });
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== 'damaged') throw error;
      // Without index and manifest nobody knows whether another segment took its place: it is kept, but not used.
      await setFileAside(common.files, segmentPath(folder, number));
    }
  }
  const present = new Set(numbers);
  const uncommitted = found.filter(
    ({ origin }) => origin.replaces.length > 0 && origin.replaces.every((id) => present.has(id)),
  );
  const kept = found.filter((segment) => !uncommitted.includes(segment));
  const replaced = new Set(kept.flatMap(({ origin }) => origin.replaces));
  const segments = kept.filter(({ meta }) => !replaced.has(meta.id)).map(({ meta }) => meta);
  segments.sort((a, b) => a.age - b.age || a.id - b.id);
  return {
    flushed: kept.reduce((flushed, { origin }) => Math.max(flushed, origin.flushed), 0),
    lastSeen: lastSeenBy(kept),
    purgedAt: null,
    next: Math.max(0, ...numbers) + 1,
    segments,
    // No segment says that it was only kept: it counts again, which loses nothing.
    kept: [],
  };
}

/** The youngest file knows; where it does not say, the latest receipt is all there is to tell. */
function lastSeenBy(
  kept: readonly { readonly meta: SegmentMeta; readonly origin: FoundOrigin }[],
): Micros | null {
  const youngest = kept.toSorted((a, b) => a.meta.id - b.meta.id).at(-1);
  if (youngest?.origin.seen !== undefined) return youngest.origin.seen;
  return kept.reduce<Micros | null>((latest, { meta, origin }) => {
    const seen = origin.seen === undefined ? meta.received : origin.seen;
    return seen === null ? latest : Math.max(latest ?? seen, seen);
  }, null);
}

/** The last contact of a device as its manifest says, read without more; undefined when it is not as easy as that. */
export function peekLastSeen(common: Common, id: string): Micros | null | undefined {
  try {
    return decodeManifest(readManifestBytes(common.files, join(common.directory, id))).manifest.lastSeen;
  } catch {
    // Missing or damaged: loading the device finds out which, and says so.
    return undefined;
  }
}

/** Returns the extent of a device by its manifest alone; undefined where that does not suffice. */
export function peekExtent(common: Common, id: string): Extent | undefined {
  try {
    const bytes = readManifestBytes(common.files, join(common.directory, id));
    const { segments } = decodeManifest(bytes).manifest;
    const none = segments.length === 0;
    return {
      records: segments.reduce((sum, { rows }) => sum + rows, 0),
      first: none ? null : segments.reduce((least, { first }) => Math.min(least, first), Infinity),
      last: none ? null : segments.reduce((most, { last }) => Math.max(most, last), -Infinity),
      bytes: segments.reduce((sum, segment) => sum + segment.bytes, bytes.length),
    };
  } catch {
    // As for the last contact.
    return undefined;
  }
}
