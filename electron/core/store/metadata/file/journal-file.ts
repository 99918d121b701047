import { dirname } from 'node:path';
import { UnconfirmedWrite, writeAtomically } from '../../../disk/atomic-file.ts';
import { changeError } from '../../../disk/errors.ts';
import type { Files, OpenFile } from '../../../disk/files.ts';
import { journalHeader, journalLine } from './journal-text.ts';
import type { NetChange } from '../tables/net-change.ts';

/**
 * metadata.journal: what was changed since metadata.json was written, a line each time. A line is appended and made durable
 * by one fdatasync. Each writing of metadata.json gets a journal of its own with the first change after it, which takes
 * the place of the one before in one step.
 */
export class JournalFile {
  readonly #path: string;
  readonly #files: Files;
  /** Generation of metadata.json that the file continues; null where it is of no use any more. */
  #generation: string | null = null;
  #file: OpenFile | null = null;
  #bytes = 0;
  #lines = 0;

  constructor(path: string, files: Files) {
    this.#path = path;
    this.#files = files;
  }

  /** Its bytes on disk; 0 where it holds nothing that metadata.json lacks. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Goes on with a journal that was read, of which this is all. A process that was killed may have left the end of it to
   * the system alone, and after a sync that failed the system may have given it up: so it is written once more and made
   * durable before anybody builds on it. Throws Node's errors.
   */
  async continue(generation: string, content: Uint8Array, lines: number): Promise<void> {
    this.#file = this.#files.openForWriting(this.#path, false);
    await this.#file.write(content, 0);
    this.#file.truncateNow(content.length);
    await this.#file.sync();
    await this.#files.syncDirectory(dirname(this.#path));
    this.#generation = generation;
    this.#bytes = content.length;
    this.#lines = lines;
  }

  /**
   * Makes a change durable that was made since this writing of metadata.json. Throws StoreError, after which the change is
   * not on disk, or UnconfirmedWrite, after which it may be, and metadata.json has to be written anew.
   */
  async append(generation: string, change: NetChange): Promise<void> {
    const { line: header, seed } = journalHeader(generation);
    if (this.#generation !== generation) return this.#begin(generation, header, journalLine(1, change, seed));
    const line = Buffer.from(journalLine(this.#lines + 1, change, seed));
    const file = this.#opened();
    try {
      await file.write(line, this.#bytes);
    } catch (error) {
      await this.#cut(file);
      throw changeError(error);
    }
    try {
      await file.sync();
    } catch (error) {
      throw new UnconfirmedWrite(error);
    }
    this.#bytes += line.length;
    this.#lines++;
  }

  /** metadata.json holds all that it does: the next change begins another one. */
  end(): void {
    this.#file?.close();
    this.#file = null;
    this.#generation = null;
    this.#bytes = this.#lines = 0;
  }

  /** Removes the file of a journal that has ended. Throws Node's errors. */
  async remove(): Promise<void> {
    await this.#files.remove(this.#path);
  }

  async #begin(generation: string, header: string, line: string): Promise<void> {
    this.end();
    const content = Buffer.from(header + line);
    await writeAtomically(this.#path, content, { files: this.#files });
    this.#generation = generation;
    this.#bytes = content.length;
    this.#lines = 1;
  }

  /** Opens it where the change before has made it. */
  #opened(): OpenFile {
    try {
      return (this.#file ??= this.#files.openForWriting(this.#path, false));
    } catch (error) {
      throw changeError(error);
    }
  }

  /** Takes away what was written of a line that could not be written whole. Throws UnconfirmedWrite. */
  async #cut(file: OpenFile): Promise<void> {
    try {
      file.truncateNow(this.#bytes);
      await file.sync();
    } catch (error) {
      throw new UnconfirmedWrite(error);
    }
  }
}
