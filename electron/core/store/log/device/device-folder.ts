import { join } from 'node:path';
import { loadDevice, type LoadedDevice } from './load.ts';
import { filesOnly, type Contents } from '../../../disk/contents.ts';
import { isDamagedFile } from '../segment/damaged.ts';
import {
  MANIFEST,
  parseSegmentName,
  segmentPath,
  TEMPORARY,
  writeManifest,
  type Manifest,
} from '../segment/manifest.ts';
import type { Lender } from '../segment/lender.ts';
import { Segment } from '../segment/segment.ts';
import type { SegmentMeta } from '../segment/segment-writer.ts';
import { UnnamedFiles } from '../segment/unnamed-files.ts';
import type { Common } from './common.ts';
import { Receipts } from './receipts/receipts.ts';
import { RECEIPTS, RECEIPTS_TEMPORARY } from './receipts/receipts-file.ts';

/** Whether a folder of this name is a device's. */
export const isDeviceFolder = (name: string) => /^[0-9a-zA-Z-]+$/.test(name);

const NAMED: ReadonlySet<string> = new Set([MANIFEST, TEMPORARY, RECEIPTS, RECEIPTS_TEMPORARY]);

/** The files of such a folder. */
export const DEVICE_CONTENTS: Contents = filesOnly(
  (name) => NAMED.has(name) || parseSegmentName(name) !== null || isDamagedFile(name),
);

/** The folder of a device and its manifest: what of the device is durable. Used by one piece of work at a time. */
export class DeviceFolder {
  readonly path: string;
  /** Bytes of the manifest, when there is one. */
  manifestBytes = 0;
  /** The last entry of the write-ahead log that the manifest on disk covers. */
  persisted = 0;
  /** Whether there is a folder, and whether it has a manifest: a crash may leave one without. */
  present = false;
  exists = false;
  readonly receipts: Receipts;
  readonly unnamed = new UnnamedFiles();
  /** Every segment of it, those included that are no more. */
  readonly #segments = new WeakSet<object>();
  readonly #id: string;
  readonly #common: Common;

  constructor(common: Common, id: string) {
    this.#common = common;
    this.#id = id;
    this.path = join(common.directory, id);
    const message = `Some receipts of device ${id} were damaged; what was stored with them is stored again when it is sent again.`;
    this.receipts = new Receipts({
      files: common.files,
      folder: this.path,
      isThere: () => this.present,
      damaged: () => common.note({ device: id, kind: 'damaged', message }),
    });
  }

  /** Makes a segment of the device; its file is opened when it is read. `lender`: of whose snapshot the file is. */
  segment(meta: SegmentMeta, path = this.segmentPath(meta.id), lender: Lender | null = null): Segment {
    const segment = new Segment(this.#common.pool, path, meta, lender);
    this.#segments.add(segment);
    return segment;
  }

  /** Whether a segment is, or was, one of the device. */
  has(segment: object): boolean {
    return this.#segments.has(segment);
  }

  /** Reads the manifest; no file of records is opened. */
  async load(): Promise<LoadedDevice> {
    const loaded = await loadDevice(this.#common, this.#id, this.path);
    this.present = loaded.hasFolder;
    this.exists = loaded.exists;
    this.manifestBytes = loaded.manifestBytes;
    this.persisted = loaded.manifest.flushed;
    // The process that made the manifest may have been killed before its name was durable: what is read from now on,
    // and stored on top of it, must not be gone after a power cut.
    if (this.exists) await this.#common.files.syncDirectory(this.path);
    return loaded;
  }

  /** Makes the folder and its first manifest, so that a folder without one is known to be damaged. */
  async prepare(first: Manifest): Promise<void> {
    if (this.exists) return;
    const { files, directory } = this.#common;
    await files.makeDirectory(this.path);
    this.present = true;
    await files.syncDirectory(directory);
    await this.write(first);
    this.exists = true;
  }

  /** Notes that the folder is missing: the next write makes it again. */
  lost(): void {
    this.present = this.exists = false;
    this.receipts.lost();
  }

  /** Replaces the manifest, behind the receipts that it covers. */
  async write(manifest: Manifest): Promise<void> {
    const { files, poison } = this.#common;
    if (poison.reason !== null) throw poison.reason;
    await this.receipts.persist();
    await this.unnamed.confirm(async () => {
      this.manifestBytes = await writeManifest(files, this.path, manifest);
    });
    this.persisted = manifest.flushed;
  }

  /** Removes every trace of a device whose records were dropped by entry `flushed` of the log. */
  async remove(flushed: number): Promise<void> {
    const { files, directory } = this.#common;
    if (this.present) {
      for (const { name } of await files.list(this.path))
        if (name !== MANIFEST) await files.remove(join(this.path, name));
      // A segment that outlived the manifest would be taken for records whose manifest was lost.
      await files.syncDirectory(this.path);
      await files.remove(join(this.path, MANIFEST));
      this.exists = false;
      await files.removeDirectory(this.path);
      await files.syncDirectory(directory);
      this.present = false;
      this.receipts.removed();
      this.unnamed.clear();
    }
    this.manifestBytes = 0;
    this.persisted = flushed;
  }

  /** Makes it durable that files were removed: a power cut would bring them back, with what is in them. */
  async confirm(): Promise<void> {
    if (this.present) await this.unnamed.confirm(() => this.#common.files.syncDirectory(this.path));
  }

  /** Whether there is no file of records, not even a damaged piece of one. */
  async isBare(): Promise<boolean> {
    if (!this.present) return true;
    return (await this.#common.files.list(this.path)).every(
      ({ name }) => name === MANIFEST || name === RECEIPTS,
    );
  }

  segmentPath(id: number): string {
    return segmentPath(this.path, id);
  }

  /** Removes segments that no manifest names, and confirms it: they may hold what is deleted by now. */
  discard(made: readonly SegmentMeta[]): Promise<void> {
    return this.#remove(made.map(({ id }) => id));
  }

  /** The store closes: what only readers need goes now. */
  async endReads(): Promise<void> {
    const read = this.unnamed.takeRead();
    if (read.length > 0) await this.#remove(read);
  }

  async #remove(numbers: readonly number[]): Promise<void> {
    for (const id of numbers) {
      await this.#common.files.remove(this.segmentPath(id));
      this.unnamed.removed(id);
    }
    await this.confirm();
  }
}
