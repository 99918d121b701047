import { join } from 'node:path';
import type { Adapter } from 'lowdb';
import type { Clock } from '../../clock.ts';
import { temporaryName, writeAtomically } from '../../disk/atomic-file.ts';
import { changeError, startError } from '../../disk/errors.ts';
import type { Files } from '../../disk/files.ts';
import { readWhole } from '../../disk/whole-file.ts';
import type { MetadataPaths } from './find-metadata.ts';
import { nextGeneration } from './generation.ts';
import { JournalFile } from './journal-file.ts';
import { encodeMetadata } from './metadata-text.ts';
import type { Moments } from './moments.ts';
import type { NetChange } from './net-change.ts';
import { openMetadata, type OpenedMetadata } from './open-metadata.ts';

/** The journal may grow to this many bytes, or to as many as metadata.json has: so all of it is rarely written. */
const LEAST_JOURNAL_BYTES = 64 * 1024;

/**
 * lowdb's way to metadata.json. lowdb rewrites whole files, without fsync and without a look at their shape; here each
 * writing is atomic and has a name, metadata.last-good.json is a copy of it for the day the file itself is damaged, and
 * metadata.journal holds what was changed since.
 */
export class MetadataFile implements Adapter<Moments> {
  /** What was found and mended, for people to read. */
  readonly notes: string[] = [];
  readonly #paths: MetadataPaths;
  readonly #clock: Clock;
  readonly #files: Files;
  readonly #journal: JournalFile;
  /** Which writing of metadata.json is on disk. */
  #generation = nextGeneration();
  /** What the copy lacks, if anything. */
  #uncopied: Uint8Array | null = null;
  /** Up to how many bytes the journal goes on. */
  #bound: number;
  readonly #leastJournalBytes: number;

  constructor({
    directory,
    clock,
    files,
    leastJournalBytes = LEAST_JOURNAL_BYTES,
  }: {
    readonly directory: string;
    readonly clock: Clock;
    readonly files: Files;
    readonly leastJournalBytes?: number | undefined;
  }) {
    this.#leastJournalBytes = this.#bound = leastJournalBytes;
    this.#paths = {
      directory,
      main: join(directory, 'metadata.json'),
      copy: join(directory, 'metadata.last-good.json'),
      journal: join(directory, 'metadata.journal'),
    };
    this.#clock = clock;
    this.#files = files;
    this.#journal = new JournalFile(this.#paths.journal, files);
  }

  /** Whether the journal has grown so far that all should be written anew. */
  get isDue(): boolean {
    return this.#journal.bytes > this.#bound;
  }

  /** The state, mended where needed; null in a new folder. Throws StartError. */
  async read(): Promise<Moments | null> {
    const opened = await openMetadata(this.#paths, this.#clock, this.#files);
    if (!opened) return null;
    try {
      await this.#mend(opened);
    } catch (error) {
      throw startError(error, this.#paths.directory);
    }
    this.notes.push(...opened.notes);
    return opened.state;
  }

  /**
   * Replaces metadata.json, and then its copy; the journal is over. Throws StoreError, after which the old file and its
   * journal still hold, or UnconfirmedWrite, after which nothing may be appended before this succeeds.
   */
  async write(state: Moments): Promise<void> {
    const generation = nextGeneration(this.#generation);
    const bytes = await encodeMetadata(state, generation);
    await writeAtomically(this.#paths.main, bytes, { files: this.#files });
    this.#generation = generation;
    this.#bound = Math.max(this.#leastJournalBytes, bytes.length);
    this.#journal.end();
    // Before the first change begins another journal: the one before still goes with the copy.
    await this.#copy(bytes);
  }

  /** Makes a change durable. Throws as JournalFile.append does. */
  append(change: NetChange): Promise<void> {
    return this.#journal.append(this.#generation, change);
  }

  /** The journal goes on, as all could not be written anew; that is tried again when it has doubled. */
  postpone(error: unknown): void {
    this.#bound = 2 * this.#journal.bytes;
    this.#note(this.#paths.main, error);
  }

  /** Ends the journal by writing all of the state, and brings the copy up to date. Throws as `write` does. */
  async close(state: Moments): Promise<void> {
    try {
      if (this.#journal.bytes > 0) await this.write(state);
      else if (this.#uncopied) await this.#copy(this.#uncopied);
      // It names the writing before, so whether its removal lasts does not matter.
      await this.#files.remove(this.#paths.journal);
    } catch (error) {
      throw changeError(error);
    } finally {
      this.#journal.end();
    }
  }

  /** Brings the files of a folder into order. Throws Node's errors and StoreError. */
  async #mend({ state, generation, bytes, journal, aside, ...found }: OpenedMetadata): Promise<void> {
    await this.#removeTemporaries();
    this.#generation = generation;
    this.#bound = Math.max(this.#leastJournalBytes, bytes.length);
    for (const { path, bytes: kept } of aside) await writeAtomically(path, kept, { files: this.#files });
    if (found.isToWrite) await this.write(state);
    else if (found.isCopyBehind) await this.#copy(bytes);
    if (journal && !found.isToWrite) await this.#journal.continue(generation, journal.content, journal.lines);
    else if (found.isJournalOver || found.isToWrite) {
      // Not before the name of what was written after it is durable.
      await this.#files.syncDirectory(this.#paths.directory);
      await this.#files.remove(this.#paths.journal);
    }
  }

  /** What a crash in the middle of a write left. */
  async #removeTemporaries(): Promise<void> {
    const { main, copy, journal } = this.#paths;
    for (const path of [main, copy, journal].map(temporaryName)) {
      if (!(await readWhole(this.#files, path))) continue;
      await this.#files.remove(path);
      this.notes.push(
        `${path} was left by an unfinished write and was removed; nothing that was confirmed is lost.`,
      );
    }
  }

  async #copy(content: Uint8Array): Promise<void> {
    try {
      await writeAtomically(this.#paths.copy, content, { files: this.#files });
      this.#uncopied = null;
    } catch (error) {
      // metadata.json itself is whole; the next writing and the stop try again.
      this.#uncopied = content;
      this.#note(this.#paths.copy, error);
    }
  }

  #note(path: string, error: unknown): void {
    this.notes.push(`${path} could not be brought up to date: ${changeError(error).message}`);
  }
}
