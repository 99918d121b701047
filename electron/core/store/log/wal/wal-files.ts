import { join } from 'node:path';
import { systemRandom } from '../../../base/system-random.ts';
import { allocate } from '../../blocks/codec/bytes.ts';
import { eraseFile } from '../../../disk/erase-file.ts';
import type { Files, OpenFile } from '../../../disk/files.ts';
import type { Poison } from '../../../disk/poison.ts';
import { Serial } from '../../../turns/serial.ts';
import { LastEntries } from './last-entries.ts';
import { SPARE_NAME, WAL_HEADER_BYTES, walHeader, walName } from './wal-format.ts';

/** Kept free in the allocated file for purges: they must work on a full disk. */
export const RESERVE_BYTES = 1 << 12;

export interface WalShared {
  readonly files: Files;
  readonly directory: string;
  readonly poison: Poison;
}

/** A file of the log and the last entry of each device in it. */
export interface WalFile {
  readonly path: string;
  readonly file: OpenFile;
  readonly salt: number;
  readonly lastOf: LastEntries;
  /** End of the last unit. */
  end: number;
  allocated: number;
  /** Whether it may hold what was deleted since: it is not used again then, but erased. */
  mayHoldDeleted: boolean;
  /** Whether it has an entry of a deletion. */
  tellsOfDeletion: boolean;
  /** Its entries are elsewhere, and its bytes may be overwritten. */
  isGivenUp: boolean;
}

/** Makes and gives up files of the write-ahead log. One that was given up waits to be used again. */
export class WalFiles {
  /** Whether the one that waits may hold what was deleted since: it is not used again then, but erased. */
  spareMayHoldDeleted = false;
  readonly #files: Files;
  readonly #directory: string;
  /** Names change one after the other. */
  readonly #work = new Serial();

  constructor({ files, directory }: { readonly files: Files; readonly directory: string }) {
    this.#files = files;
    this.#directory = directory;
  }

  /** A file without entries, whose first one will be `sequence`. */
  next(sequence: number): Promise<WalFile> {
    return this.#work.run(() => this.#next(sequence));
  }

  async #next(sequence: number): Promise<WalFile> {
    await this.#eraseSpare();
    const salt = systemRandom.bytes(4).readUInt32LE(0);
    const path = join(this.#directory, walName(sequence, salt));
    const spare = join(this.#directory, SPARE_NAME);
    const reused = await this.#hasSpare();
    if (reused) await this.#files.rename(spare, path);
    const file = this.#files.openForWriting(path, !reused);
    try {
      file.writeNow(walHeader(), 0);
      // Without its reserve a full disk would keep even a purge out of it.
      if (file.size < RESERVE_BYTES) file.writeNow(allocate(RESERVE_BYTES), file.size);
      await file.sync();
      await this.#files.syncDirectory(this.#directory);
    } catch (error) {
      file.close();
      await this.#files.remove(path);
      throw error;
    }
    return {
      path,
      file,
      salt,
      lastOf: new LastEntries(),
      end: WAL_HEADER_BYTES,
      allocated: file.size,
      mayHoldDeleted: false,
      tellsOfDeletion: false,
      isGivenUp: false,
    };
  }

  /**
   * Gives up a file whose entries are all in segments; it waits under another name to be used again, unless it may hold
   * what was deleted. May be called again where it failed.
   */
  release(released: WalFile): Promise<void> {
    return this.#work.run(async () => {
      const { file, path } = released;
      released.isGivenUp = true;
      if (released.mayHoldDeleted) {
        // Before the file whose entries tell that something was deleted.
        await this.#eraseSpare();
        await eraseFile(this.#files, { directory: this.#directory, path, file });
      } else if (await this.#hasSpare()) {
        // What is deleted later may be in it, and nobody could find it then.
        await eraseFile(this.#files, { directory: this.#directory, path, file });
      } else {
        await this.#files.rename(path, join(this.#directory, SPARE_NAME));
      }
      file.close();
    });
  }

  async #hasSpare(): Promise<boolean> {
    return (await this.#files.list(this.#directory)).some(({ name }) => name === SPARE_NAME);
  }

  /** Where it may hold what was deleted. */
  async #eraseSpare(): Promise<void> {
    if (!this.spareMayHoldDeleted) return;
    if (await this.#hasSpare()) {
      const path = join(this.#directory, SPARE_NAME);
      const file = this.#files.openForWriting(path, false);
      try {
        await eraseFile(this.#files, { directory: this.#directory, path, file });
      } finally {
        file.close();
      }
    }
    this.spareMayHoldDeleted = false;
  }
}
