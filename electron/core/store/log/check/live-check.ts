import { changeError, doing } from '../../../disk/errors.ts';
import type { CheckOptions, StoredCheck } from '../../store.ts';
import { READING } from '../../store-errors.ts';
import type { Checkpoint } from '../checkpoint.ts';
import type { Common } from '../device/common.ts';
import type { DeviceLog } from '../device/device-log.ts';
import type { Segment } from '../segment/segment.ts';
import type { Wal } from '../wal/wal.ts';
import { checkFolder, type FolderReport } from './check-folder.ts';
import { CHECK, type CheckedFiles, type CheckStart } from './check-kind.ts';
import { checkFiles } from './check-work.ts';
import type { Finding } from './finding.ts';

/*
 * A check of a store that is in use. Segments never change and are held while they are read; manifest and receipts
 * are read in the device's turn, when nothing writes them; of the write-ahead log what was durable before counts.
 */

/** Checks of a device whose files vanished while they were read, since it was dropped; then it is left out. */
const MOST_LOOKS = 3;

/** Reads every byte of a device. */
export async function checkDevice(
  common: Common,
  log: DeviceLog,
  options: CheckOptions,
): Promise<StoredCheck> {
  for (let look = 1; ; look++) {
    options.signal?.throwIfAborted();
    const { generation } = log;
    const held = await hold(common, log);
    const { folder, segments, unsaved } = held;
    try {
      const metas = segments.map(({ meta }) => meta);
      const read = await checkIn(
        common,
        { kind: 'segments', folder: log.folder.path, segments: metas },
        options,
      );
      const isSame = log.generation === generation;
      // What was found of files that were removed meanwhile says nothing.
      if ((read.isGone || (read.found.length > 0 && !isSame)) && look < MOST_LOOKS) continue;
      const found = [...folder.found, ...(isSame ? read.found : [])].filter(
        ({ fault }) => fault.kind !== 'stale',
      );
      return {
        files: folder.files + segments.length,
        records: read.records + unsaved,
        bytes: folder.bytes + read.bytes,
        findings: found.map((each) => ofDevice(log.id, each)),
      };
    } finally {
      await log.free(segments);
    }
  }
}

/** Totals of a missing device. */
export const NOTHING: StoredCheck = { files: 0, records: 0, bytes: 0, findings: [] };

interface Held {
  readonly folder: FolderReport;
  readonly segments: readonly Segment[];
  /** Records that the write-ahead log alone has. */
  readonly unsaved: number;
}

const NO_FOLDER: FolderReport = { manifest: null, segments: [], files: 0, bytes: 0, found: [] };

/** Returns a snapshot of a device. */
function hold({ files }: Common, log: DeviceLog): Promise<Held> {
  return log.work.run(() =>
    doing(READING, async () => {
      const isBehind = await isManifestBehind(log);
      if (!log.folder.exists) return { folder: NO_FOLDER, segments: [], unsaved: log.unsavedRows };
      const names = (await files.list(log.folder.path)).map(({ name }) => name);
      const segments = [...log.segments, ...log.bin.flatMap((each) => each.segments)];
      const { unsavedRows: unsaved } = log;
      for (const segment of segments) segment.use();
      try {
        const folder = checkFolder(files, log.folder.path, names);
        const found = folder.found.filter(({ fault }) => !isBehind || fault.kind !== 'missing');
        return { folder: { ...folder, found }, segments, unsaved };
      } catch (error) {
        await log.free(segments);
        throw error;
      }
    }),
  );
}

/**
 * Whether the manifest names other segments than the device has: after a purge, or a restore of a snapshot, that a full disk keeps from
 * being written there. Elsewhere it is written first. Rejects with Node's errors and StoreError.
 */
async function isManifestBehind(log: DeviceLog): Promise<boolean> {
  try {
    await log.lifecycle.persist(log.segments.some(({ isLent }) => isLent));
    return false;
  } catch (error) {
    if (changeError(error).code !== 'disk-full') throw error;
    return true;
  }
}

/** Reads every byte of the write-ahead log that was durable when its turn came. */
export async function checkWals(
  common: Common,
  { wal, checkpoint }: { readonly wal: Wal; readonly checkpoint: Checkpoint },
  options: CheckOptions,
): Promise<StoredCheck> {
  const findings: Finding[] = [];
  let bytes = 0;
  let files = 0;
  for (const file of [...checkpoint.waiting, wal.current]) {
    options.signal?.throwIfAborted();
    if (file.isGivenUp) continue;
    const { path, salt, end } = file;
    const read = await checkIn(common, { kind: 'wal', path, salt, end }, options);
    // It may have been overwritten while it was read.
    if (file.isGivenUp || read.isGone) continue;
    files++;
    bytes += read.bytes;
    for (const each of read.found) findings.push({ ...each, device: null });
  }
  return { files, records: 0, bytes, findings };
}

function ofDevice(device: string, { file, ...found }: Omit<Finding, 'device'>): Finding {
  return { ...found, device, file: `${device}/${file}` };
}

/** In another thread, where one finds the files. */
function checkIn(
  common: Common,
  start: CheckStart,
  { signal, progress }: CheckOptions,
): Promise<CheckedFiles> {
  const post = (bytes: number) => progress?.(bytes);
  const { files, threads, threadsFindFiles } = common;
  const isNothing = start.kind === 'segments' && start.segments.length === 0;
  if (threads === null || !threadsFindFiles || isNothing) return checkFiles(files, start, { signal, post });
  return threads.run(CHECK, start, { output: post, ...(signal && { signal }) });
}
