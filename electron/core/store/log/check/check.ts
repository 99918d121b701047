import { join } from 'node:path';
import { allocate } from '../../blocks/codec/bytes.ts';
import { nodeFiles, type Files } from '../../../disk/files.ts';
import { isDeviceFolder } from '../device/device-folder.ts';
import { allSegments, parseSegmentName, segmentPath, type Manifest } from '../segment/manifest.ts';
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
  const repaired = repair && check.findings.length > 0;
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
  readonly #directory: string;
  readonly #files: Files;

  constructor(directory: string, files: Files) {
    this.#directory = directory;
    this.#files = files;
  }

  async run(): Promise<void> {
    for (const { name, isDirectory } of await this.#files.list(this.#directory)) {
      const wal = parseWalName(name);
      if (wal !== null) this.#wal(name, wal.salt);
      else if (isDirectory && isDeviceFolder(name)) await this.#device(name);
    }
  }

  #wal(name: string, salt: number): void {
    const file = this.#files.openForReading(join(this.#directory, name));
    const content = allocate(file.size);
    file.readNow(content, 0);
    file.close();
    this.#count(content.length);
    const { torn, damaged } = readWal(content, salt);
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
    this.#found(id, found);
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
