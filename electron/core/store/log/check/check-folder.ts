import { join } from 'node:path';
import { errorCode } from '../../../disk/errors.ts';
import type { Files } from '../../../disk/files.ts';
import { readWholeNow } from '../../../disk/whole-file.ts';
import { StoreError } from '../../../base/errors.ts';
import { readReceipts, RECEIPTS } from '../device/receipts/receipts-file.ts';
import {
  allSegments,
  decodeManifest,
  MANIFEST,
  readManifestBytes,
  type Manifest,
} from '../segment/manifest.ts';
import type { SegmentMeta } from '../segment/segment-writer.ts';
import type { Fault, Found } from './finding.ts';

export interface FolderReport {
  /** Null when nothing says what belongs to the device. */
  readonly manifest: Manifest | null;
  /** Segments that the manifest names and the folder has. */
  readonly segments: readonly SegmentMeta[];
  /** Of manifest and receipts. */
  readonly files: number;
  readonly bytes: number;
  readonly found: readonly Found[];
}

/** Checks what a device's folder holds beside the records: the manifest, what it names, and the receipts. */
export function checkFolder(files: Files, folder: string, names: readonly string[]): FolderReport {
  const found: Found[] = [];
  let fileCount = 0;
  let bytes = 0;
  const say = (file: string, message: string, loses: boolean, fault: Fault) =>
    void found.push({ file, message, loses, fault });
  const count = (content: Buffer) => {
    fileCount++;
    bytes += content.length;
    return content;
  };

  const readManifest = (): Manifest | null => {
    try {
      const { manifest, whole } = decodeManifest(count(readManifestBytes(files, folder)));
      if (!whole) say(MANIFEST, 'One of its two copies is damaged.', false, { kind: 'manifest' });
      return manifest;
    } catch (error) {
      const isDamaged = error instanceof StoreError && error.code === 'damaged';
      if (!isDamaged && errorCode(error) !== 'ENOENT') throw error;
      const message = isDamaged ? 'It is damaged; the segments tell what it held.' : 'It is missing.';
      say(MANIFEST, message, false, { kind: 'manifest' });
      return null;
    }
  };

  const manifest = readManifest();
  const there = new Set(names);
  const segments = (manifest === null ? [] : allSegments(manifest)).filter(({ id, rows }) => {
    const isThere = there.has(`${id}.seg`);
    if (!isThere) say(`${id}.seg`, `It is missing, and ${rows} records with it.`, true, { kind: 'missing' });
    return isThere;
  });
  if (there.has(RECEIPTS)) {
    const { isDamaged, isTorn } = readReceipts(count(readWholeNow(files, join(folder, RECEIPTS))));
    const message =
      'It is damaged: what was stored with lost receipts is stored again when it is sent again.';
    const torn = 'It ends in the middle of a write: a crash left it so.';
    if (isDamaged) say(RECEIPTS, message, false, { kind: 'receipts' });
    else if (isTorn) say(RECEIPTS, torn, false, { kind: 'stale' });
  }
  return { manifest, segments, files: fileCount, bytes, found };
}
