import { join } from 'node:path';
import { StoreError } from '../../../../base/errors.ts';
import { filesOnly, type Contents } from '../../../../disk/contents.ts';
import { errorCode } from '../../../../disk/errors.ts';
import type { Files } from '../../../../disk/files.ts';
import { readWholeNow } from '../../../../disk/whole-file.ts';
import { parseSegmentName, segmentPath } from '../../segment/manifest.ts';
import { Lender } from '../../segment/lender.ts';
import { decodeSaved, type SavedMeta } from './saved-file.ts';
import type { SavedDevice } from './snapshot-entries.ts';

/** The folder of the snapshots beside those of the devices, whose names have no "_". */
export const SNAPSHOTS_FOLDER = '_snapshots';
/** Makes a folder a snapshot: one without it was never finished, or is being removed. */
export const MARKS = 'marks';
export const MARKS_TEMPORARY = 'marks.tmp';

export const SNAPSHOTS_CONTENTS: Contents = {
  isFile: () => false,
  folder: () =>
    filesOnly((name) => name === MARKS || name === MARKS_TEMPORARY || parseSegmentName(name) !== null),
};

/** What a snapshot has. */
export interface Saved {
  readonly rows: unknown;
  readonly devices: ReadonlyMap<string, SavedDevice & { readonly blocks: readonly Buffer[] }>;
}

/** Snapshots as the log refers to them: by their ids, and restores by their marks. */
export class SavedFiles {
  readonly folder: string;
  /** Whether the folder of all is there, and its name durable. */
  isLasting = false;
  /** Marks of restores that the log has. */
  readonly restored = new Set<string>();
  readonly #files: Files;
  readonly #lenders = new Map<string, Lender>();
  /** Those that were read while the log is read again; null where that failed. */
  #read: Map<string, Saved | null> | null = new Map();

  constructor(files: Files, directory: string) {
    this.#files = files;
    this.folder = join(directory, SNAPSHOTS_FOLDER);
  }

  path(id: string): string {
    return join(this.folder, id);
  }

  lender(id: string): Lender {
    let lender = this.#lenders.get(id);
    if (lender === undefined) this.#lenders.set(id, (lender = new Lender()));
    return lender;
  }

  /** It is removed. */
  forget(id: string): void {
    this.#lenders.delete(id);
  }

  /** The log was read: what was read for it is not kept. */
  endReplay(): void {
    this.#read = null;
  }

  /** Returns one that an entry of the log refers to; null where it is gone or damaged. */
  find(id: string): Saved | null {
    const known = this.#read?.get(id);
    if (known !== undefined) return known;
    const found = this.#find(id);
    this.#read?.set(id, found);
    return found;
  }

  #find(id: string): Saved | null {
    try {
      return this.read(id);
    } catch (error) {
      const isLost =
        errorCode(error) === 'ENOENT' || (error instanceof StoreError && error.code === 'damaged');
      if (!isLost) throw error;
      return null;
    }
  }

  /** Returns all of one. Throws `damaged`, `newer-format`, and Node's errors. */
  read(id: string): Saved {
    const folder = this.path(id);
    const lender = this.lender(id);
    const ofFile = ({ file, ...meta }: SavedMeta) => ({ path: segmentPath(folder, file), meta });
    const { rows, devices } = decodeSaved(readWholeNow(this.#files, join(folder, MARKS)));
    return {
      rows,
      devices: new Map(
        devices.map(({ bytes, ...entry }) => {
          const { rows: count, lastSeen, purgedAt, segments, kept } = entry;
          const { receipts, blocks } = bytes;
          const isEmpty =
            lastSeen === null &&
            purgedAt === null &&
            [segments, kept, blocks, receipts].every(({ length }) => length === 0);
          const device = {
            state: { lastSeen, purgedAt, receipts },
            segments: segments.map(ofFile),
            kept: kept.map((each) => ({ ...each, segments: each.segments.map(ofFile) })),
            // At an address that their reader accepts.
            blocks: blocks.map((block) => Buffer.from(new Uint8Array(block).buffer)),
            lender,
            rows: count,
            isEmpty,
          };
          return [entry.id, device];
        }),
      ),
    };
  }
}
