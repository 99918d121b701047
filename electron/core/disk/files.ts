import {
  closeSync,
  fdatasync,
  fstatSync,
  fsync,
  ftruncateSync,
  linkSync,
  lstatSync,
  open,
  openSync,
  read,
  readSync,
  readdir,
  rename,
  rmdir,
  unlink,
  write,
  writeSync,
} from 'node:fs';
import { promisify } from 'node:util';
import { errorCode } from './errors.ts';
import { makeFolders } from './make-folders.ts';
import { patiently } from './patience.ts';

/*
 * Every file operation of the core, so that tests can fail, tear, reorder and count them. Errors are Node's own, with
 * their code (errors.ts says what they mean). Small reads and writes are synchronous: with the bytes in the page cache they take a few µs, a trip
 * through the thread pool a hundred.
 */

export interface OpenFile {
  readonly size: number;
  /** Fills `into` from a position; returns how many bytes the file had. */
  readNow(into: Uint8Array, position: number): number;
  read(into: Uint8Array, position: number): Promise<number>;
  /** Writes all of the bytes or throws. */
  writeNow(bytes: Uint8Array, position: number): void;
  write(bytes: Uint8Array, position: number): Promise<void>;
  truncateNow(size: number): void;
  /** Makes the bytes durable, and the size when they need it. */
  sync(): Promise<void>;
  close(): void;
}

export interface Files {
  openForReading(path: string): OpenFile;
  /**
   * Opens for reading and writing; `create` makes a new, empty file, or empties the one there is. `mode` is who may use a
   * new one (less the umask).
   */
  openForWriting(path: string, create: boolean, mode?: number): OpenFile;
  /** Whether it is a file that has no other name, and no link: what is written to it changes nothing elsewhere. */
  hasOneName(path: string): boolean;
  list(directory: string): Promise<readonly { readonly name: string; readonly isDirectory: boolean }[]>;
  /**
   * Makes a folder and its parents; fine when it exists, and then it keeps its mode. Resolves with the topmost one that it
   * made, if any.
   */
  makeDirectory(path: string, mode?: number): Promise<string | undefined>;
  /** Replaces `to` in one step. */
  rename(from: string, to: string): Promise<void>;
  /** Gives a file a second name, a hard link, under which it stays when the first one goes. Throws EEXIST where `to` is there. */
  link(from: string, to: string): Promise<void>;
  /** Fine when there is nothing to remove. */
  remove(path: string): Promise<void>;
  removeDirectory(path: string): Promise<void>;
  /** Makes names made, changed and removed in a folder durable. Where the folder cannot be opened, nothing was tried. */
  syncDirectory(path: string): Promise<void>;
}

const asyncRead = promisify(read);
const asyncWrite = promisify(write);
const asyncSync = promisify(fdatasync);
const asyncRename = promisify(rename);
const asyncUnlink = promisify(unlink);
const asyncReaddir = promisify(readdir);
const asyncRmdir = promisify(rmdir);
const asyncOpen = promisify(open);
const asyncFullSync = promisify(fsync);

class NodeFile implements OpenFile {
  readonly #fd: number;

  constructor(fd: number) {
    this.#fd = fd;
  }

  get size(): number {
    return fstatSync(this.#fd).size;
  }

  readNow(into: Uint8Array, position: number): number {
    let done = 0;
    while (done < into.length) {
      const count = readSync(this.#fd, into, done, into.length - done, position + done);
      if (count === 0) break;
      done += count;
    }
    return done;
  }

  async read(into: Uint8Array, position: number): Promise<number> {
    let done = 0;
    while (done < into.length) {
      const { bytesRead } = await asyncRead(this.#fd, into, done, into.length - done, position + done);
      if (bytesRead === 0) break;
      done += bytesRead;
    }
    return done;
  }

  writeNow(bytes: Uint8Array, position: number): void {
    for (let done = 0; done < bytes.length;)
      done += writeSync(this.#fd, bytes, done, bytes.length - done, position + done);
  }

  async write(bytes: Uint8Array, position: number): Promise<void> {
    for (let done = 0; done < bytes.length;) {
      const { bytesWritten } = await asyncWrite(this.#fd, bytes, done, bytes.length - done, position + done);
      done += bytesWritten;
    }
  }

  truncateNow(size: number): void {
    ftruncateSync(this.#fd, size);
  }

  sync(): Promise<void> {
    return asyncSync(this.#fd);
  }

  close(): void {
    closeSync(this.#fd);
  }
}

export const nodeFiles: Files = {
  openForReading: (path) => new NodeFile(openSync(path, 'r')),
  openForWriting: (path, create, mode) => new NodeFile(openSync(path, create ? 'w+' : 'r+', mode)),
  hasOneName(path) {
    const found = lstatSync(path);
    return found.isFile() && found.nlink <= 1;
  },
  async list(directory) {
    const entries = await asyncReaddir(directory, { withFileTypes: true });
    return entries.map((entry) => ({ name: entry.name, isDirectory: entry.isDirectory() }));
  },
  async makeDirectory(path, mode) {
    return makeFolders(path, mode);
  },
  rename: (from, to) => patiently(() => asyncRename(from, to)),
  async link(from, to) {
    // Takes less than the way to another thread.
    linkSync(from, to);
  },
  async remove(path) {
    await patiently(() => unlessMissing(asyncUnlink(path)));
  },
  async removeDirectory(path) {
    await patiently(() => unlessMissing(asyncRmdir(path)));
  },
  async syncDirectory(path) {
    // Windows cannot open a folder; NTFS journals names by itself.
    if (process.platform === 'win32') return;
    const fd = await asyncOpen(path, 'r');
    try {
      await asyncFullSync(fd);
    } finally {
      closeSync(fd);
    }
  },
};

async function unlessMissing(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}
