import { join } from 'node:path';
import { errorCode } from '../../../../disk/errors.ts';
import { readWholeNow, writeWhole } from '../../../../disk/whole-file.ts';
import { type Files } from '../../../../disk/files.ts';
import { digestOf, type Digest } from '../../wal/receipt-digest.ts';
import { KEPT, ReceiptList } from './receipt-list.ts';
import {
  ENTRY_BYTES,
  HEADER_BYTES,
  readReceipts,
  receiptEntries,
  receiptsHeader,
  RECEIPTS,
  RECEIPTS_TEMPORARY,
} from './receipts-file.ts';

export interface ReceiptsParts {
  readonly files: Files;
  /** Of the device. */
  readonly folder: string;
  /** Whether there is such a folder. */
  readonly isThere: () => boolean;
  /** Says that the file was found to be damaged. */
  readonly damaged: () => void;
}

/** Entries of the file from which on it is written anew with the latest. */
const MOST = 2 * KEPT;

/**
 * Idempotency records (receipts) of a device: a request is stored once however often it is sent. A receipt is in the same
 * entry of the write-ahead log as its records; before a manifest covers that entry, it is in the file `receipts`. Nothing is
 * read, kept or written for a device that sends none.
 */
export class Receipts {
  readonly #parts: ReceiptsParts;
  /** Null: not read yet. */
  #list: ReceiptList | null = null;
  /** The latest so many are not in the file. */
  #pending = 0;
  /** Entries in the file. */
  #written = 0;
  /** The file is to be written anew: the device was removed, or it is damaged. */
  #isStale = false;
  /** How often the device was removed. */
  #forgotten = 0;
  #underWay: Map<string, Promise<boolean>> | null = null;

  constructor(parts: ReceiptsParts) {
    this.#parts = parts;
  }

  /**
   * Calls `store` unless something with this receipt was stored, and waits for it where that is being stored. Resolves
   * when it is durable; rejects as `store` does, and then the next one with the receipt stores.
   */
  async once(receipt: string, store: (digest: Digest) => Promise<void>): Promise<'stored' | 'duplicate'> {
    const underWay = (this.#underWay ??= new Map<string, Promise<boolean>>());
    for (let first = underWay.get(receipt); first !== undefined; first = underWay.get(receipt))
      if (await first) return 'duplicate';
    const digest = digestOf(receipt);
    if (this.load().has(digest)) return 'duplicate';
    const storing = store(digest);
    underWay.set(
      receipt,
      storing.then(
        () => true,
        () => false,
      ),
    );
    try {
      await storing;
      return 'stored';
    } finally {
      underWay.delete(receipt);
    }
  }

  /** Its records are durable. */
  add(digest: Digest): void {
    const list = this.load();
    if (list.has(digest)) {
      // Read again from the log: it is in the file already, but the process that wrote it may have been killed before it
      // was synced.
      this.#isStale = true;
      return;
    }
    list.add(digest);
    this.#pending++;
  }

  /** The device was removed: nothing of it is known any more. */
  forget(): void {
    this.#list = new ReceiptList();
    this.#pending = 0;
    this.#isStale = true;
    this.#forgotten++;
  }

  /** From now on it knows these, oldest first, and nothing else. */
  become(digests: Iterable<Digest>): void {
    this.forget();
    const list = this.load();
    for (const digest of digests) list.add(digest);
  }

  /** Its folder is gone. */
  removed(): void {
    this.#written = 0;
    this.#isStale = false;
  }

  /** Reads the file where that was not done. */
  load(): ReceiptList {
    if (this.#list !== null) return this.#list;
    const list = new ReceiptList();
    const bytes = this.#read();
    if (bytes !== null) {
      const { digests, isDamaged, isTorn } = readReceipts(bytes);
      for (const digest of digests) list.add(digest);
      this.#written = digests.length;
      this.#isStale = isDamaged || isTorn;
      if (isDamaged) this.#parts.damaged();
    }
    return (this.#list = list);
  }

  /** Returns receipts that are in no file yet, oldest first. */
  pending(): Digest[] {
    return this.#pending === 0 ? [] : Array.from(this.load().last(this.#pending), (digest) => digest.slice());
  }

  /** The folder is gone, and the file with it. */
  lost(): void {
    this.#written = 0;
    this.#isStale = this.#list !== null && this.#list.size > 0;
  }

  /** Brings the file up to what is known, before a manifest says that the log is not needed for it. One call at a time. */
  async persist(): Promise<void> {
    if (this.#pending === 0 && !this.#isStale) return;
    const { files, folder } = this.#parts;
    const list = this.load();
    const added = this.#pending;
    const forgotten = this.#forgotten;
    const isAnew = this.#isStale || this.#written === 0 || this.#written + added > MOST;
    const written = isAnew ? list.size : this.#written + added;
    if (written === 0) await files.remove(join(folder, RECEIPTS));
    else if (isAnew) await this.#writeAnew(receiptEntries(list.last(written)));
    else await this.#append(receiptEntries(list.last(added)));
    // The device was removed meanwhile: the file is of no use.
    if (forgotten !== this.#forgotten) return;
    this.#written = written;
    this.#pending -= added;
    this.#isStale = false;
  }

  async #append(entries: Buffer): Promise<void> {
    const { files, folder } = this.#parts;
    const file = files.openForWriting(join(folder, RECEIPTS), false);
    try {
      await file.write(entries, HEADER_BYTES + this.#written * ENTRY_BYTES);
      await file.sync();
    } finally {
      file.close();
    }
  }

  /** The manifest that follows makes the name durable. */
  async #writeAnew(entries: Buffer): Promise<void> {
    const { files, folder } = this.#parts;
    const temporary = join(folder, RECEIPTS_TEMPORARY);
    await writeWhole(files, temporary, Buffer.concat([receiptsHeader(), entries]));
    await files.rename(temporary, join(folder, RECEIPTS));
  }

  /** Null without a file. */
  #read(): Buffer | null {
    const { files, folder, isThere } = this.#parts;
    if (!isThere()) return null;
    try {
      return readWholeNow(files, join(folder, RECEIPTS));
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return null;
      throw error;
    }
  }
}
