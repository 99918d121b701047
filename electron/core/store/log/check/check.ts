import { basename, join } from 'node:path';
import { allocate } from '../../blocks/codec/bytes.ts';
import { nodeFiles, type Files } from '../../../disk/files.ts';
import { isDeviceFolder } from '../device/device-folder.ts';
import { allSegments, parseSegmentName, segmentPath, type Manifest } from '../segment/manifest.ts';
import { bytesOf } from '../../../disk/tree.ts';
import { MARKS, SavedFiles, SNAPSHOTS_FOLDER } from '../device/saved/saved-files.ts';
import { removesFiles } from '../wal/wal-entry.ts';
import { parseWalName, readWal } from '../wal/wal-format.ts';
import { checkFolder } from './check-folder.ts';
import { checkSegment } from './check-segment.ts';
import type { Finding, Found } from './finding.ts';
import { repairLog } from './repair.ts';

export interface CheckReport {
  readonly devices: number;
  readonly files: number;
  /** Records in whole blocks; what is in the write-ahead log comes on top. */
  readonly records: number;
  /** The same of what was deleted and can be had back. */
  readonly kept: number;
  readonly bytes: number;
  readonly findings: readonly Finding[];
  /** Whether what was found has been mended. */
  readonly repaired: boolean;
}

export interface CheckOptions {
  readonly repair?: boolean;
  readonly files?: Files;
}

/**
 * Reads every byte of a closed store: CRCs, order of the records, index against blocks. Changes nothing, unless `repair`:
 * then damaged blocks are set aside as files beside the segments, and everything else is whole again. Throws StoreError
 * (`newer-format`, `io`, `read-only`).
 */
export async function checkLog(
  directory: string,
  { repair = false, files = nodeFiles }: CheckOptions = {},
): Promise<CheckReport> {
  const check = new Check(directory, files);
  await check.run();
  // Of a snapshot nothing can be mended: it is deleted.
  const repaired = repair && check.findings.some(({ fault }) => fault.kind !== 'snapshot');
  if (repaired) await repairLog(directory, files, check.findings);
  const { devices, fileCount, records, kept, bytes, findings } = check;
  return { devices, files: fileCount, records, kept, bytes, findings, repaired };
}

class Check {
  readonly findings: Finding[] = [];
  devices = 0;
  fileCount = 0;
  records = 0;
  kept = 0;
  bytes = 0;
  /** The last entry of the write-ahead log by which all files of a device went. */
  readonly #removed = new Map<string, number>();
  readonly #directory: string;
  readonly #files: Files;

  constructor(directory: string, files: Files) {
    this.#directory = directory;
    this.#files = files;
  }

  async run(): Promise<void> {
    const all = await this.#files.list(this.#directory);
    for (const { name } of all) {
      const wal = parseWalName(name);
      if (wal !== null) this.#wal(name, wal.salt);
    }
    for (const { name, isDirectory } of all) {
      if (isDirectory && name === SNAPSHOTS_FOLDER) await this.#snapshots();
      else if (isDirectory && isDeviceFolder(name)) await this.#device(name);
    }
  }

  #wal(name: string, salt: number): void {
    const file = this.#files.openForReading(join(this.#directory, name));
    const content = allocate(file.size);
    file.readNow(content, 0);
    file.close();
    this.#count(content.length);
    const { torn, damaged, entries } = readWal(content, salt);
    for (const { kind, device, sequence } of entries)
      if (removesFiles(kind)) this.#removed.set(device, Math.max(sequence, this.#removed.get(device) ?? 0));
    const found = (message: string, loses: boolean) =>
      this.findings.push({ device: null, file: name, message, loses, fault: { kind: 'wal' } });
    if (damaged > 0) found(`${damaged} bytes between whole entries are damaged.`, true);
    if (torn > 0) found('It ends in the middle of a write: cut off by a crash, or damaged.', true);
  }

  async #device(id: string): Promise<void> {
    const folder = join(this.#directory, id);
    const names = (await this.#files.list(folder)).map(({ name }) => name);
    if (names.length === 0) return;
    this.devices++;
    const { manifest, segments, files, bytes, found } = checkFolder(this.#files, folder, names);
    this.fileCount += files;
    this.bytes += bytes;
    // Files go before a manifest says so, which the next start writes from the log.
    const isBehind = manifest !== null && manifest.flushed < (this.#removed.get(id) ?? 0);
    this.#found(id, isBehind ? found.filter(({ fault }) => fault.kind !== 'missing') : found);
    for (const meta of segments) {
      const path = segmentPath(folder, meta.id);
      const segment = await checkSegment(this.#files, path, meta, () => Promise.resolve());
      this.#count(segment.bytes);
      this.#found(id, segment.found);
      if (manifest?.segments.includes(meta) === true) this.records += segment.rows;
      else this.kept += segment.rows;
    }
    this.#strays(id, names, manifest);
  }

  /** What they say, and that their files are there: devices mostly have the same bytes, which are read there. */
  async #snapshots(): Promise<void> {
    const saved = new SavedFiles(this.#files, this.#directory);
    for (const { name: id } of await this.#files.list(saved.folder)) {
      const names = (await this.#files.list(saved.path(id))).map(({ name }) => name);
      if (!names.includes(MARKS)) continue;
      const say = (name: string, message: string) => {
        const file = join(SNAPSHOTS_FOLDER, id, name);
        this.findings.push({ device: null, file, message, loses: true, fault: { kind: 'snapshot' } });
      };
      this.#count(await bytesOf(this.#files, join(saved.path(id), MARKS)));
      const found = saved.find(id);
      if (found === null) say(MARKS, 'It is damaged: the snapshot cannot be restored. Delete it.');
      for (const { segments, kept } of found?.devices.values() ?? [])
        for (const { path } of [...segments, ...kept.flatMap((each) => each.segments)])
          if (!names.includes(basename(path)))
            say(basename(path), 'It is missing, and with it records of the snapshot.');
    }
  }

  #strays(id: string, names: readonly string[], manifest: Manifest | null): void {
    const named = new Set(manifest && allSegments(manifest).map((segment) => segment.id));
    const message = 'It belongs to nothing: a crash left it.';
    for (const name of names) {
      const number = parseSegmentName(name);
      const stray = number === null ? name.endsWith('.tmp') : manifest !== null && !named.has(number);
      if (stray) this.#found(id, [{ file: name, message, loses: false, fault: { kind: 'stale' } }]);
    }
  }

  #found(device: string, found: readonly Found[]): void {
    for (const each of found) this.findings.push({ ...each, device, file: join(device, each.file) });
  }

  #count(bytes: number): void {
    this.fileCount++;
    this.bytes += bytes;
  }
}
