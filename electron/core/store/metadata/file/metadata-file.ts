import type { Adapter } from 'lowdb';
import type { Clock } from '../../../base/clock.ts';
import { temporaryName, writeAtomically } from '../../../disk/atomic-file.ts';
import { changeError, startError } from '../../../disk/errors.ts';
import type { Files } from '../../../disk/files.ts';
import { inLargePieces, isThere, piecesOf } from '../../../disk/pieces.ts';
import type { MetadataPaths } from './find-metadata.ts';
import { nextGeneration } from './generation.ts';
import { JournalFile } from './journal-file.ts';
import { metadataPaths } from './metadata-names.ts';
import { metadataPieces } from '../metadata-text.ts';
import type { MetadataSnapshots } from '../tables/metadata-snapshots.ts';
import type { NetChange } from '../tables/net-change.ts';
import { openMetadata, type OpenedMetadata } from './open-metadata.ts';

/** The journal may grow to this many bytes, or to as many as metadata.json has: so all of it is rarely written. */
const LEAST_JOURNAL_BYTES = 64 * 1024;
/** Bytes that are written twice and synced in far less than a stop may take, on a slow disk, too. */
const MOST_BYTES_AT_STOP = 16 << 20;

/**
 * lowdb's way to metadata.json. lowdb rewrites whole files, without fsync and without a look at their shape; here each
 * writing is atomic and has a name, metadata.last-good.json is a copy of it for the day the file itself is damaged, and
 * metadata.journal holds what was changed since.
 */
export class MetadataFile implements Adapter<MetadataSnapshots> {
  /** Findings and repairs, for people to read. */
  readonly notes: string[] = [];
  readonly #paths: MetadataPaths;
  readonly #clock: Clock;
  readonly #files: Files;
  readonly #journal: JournalFile;
  /** Generation of metadata.json on disk. */
  #generation = nextGeneration();
  /** The bytes of metadata.json. */
  #bytes = 0;
  /** Whether the copy is not as metadata.json is. */
  #isCopyBehind = false;
  /** Up to how many bytes the journal goes on. */
  #bound: number;
  readonly #leastJournalBytes: number;
  readonly #mostBytesAtStop: number;

  constructor({
    directory,
    clock,
    files,
    leastJournalBytes = LEAST_JOURNAL_BYTES,
    mostBytesAtStop = MOST_BYTES_AT_STOP,
  }: {
    readonly directory: string;
    readonly clock: Clock;
    readonly files: Files;
    readonly leastJournalBytes?: number | undefined;
    readonly mostBytesAtStop?: number | undefined;
  }) {
    this.#leastJournalBytes = this.#bound = leastJournalBytes;
    this.#mostBytesAtStop = mostBytesAtStop;
    this.#paths = metadataPaths(directory);
    this.#clock = clock;
    this.#files = files;
    this.#journal = new JournalFile(this.#paths.journal, files);
  }

  /** Whether the journal has grown so far that all should be written anew. */
  get isDue(): boolean {
    return this.#journal.bytes > this.#bound;
  }

  /** The state, mended where needed; null in a new folder. Throws StartError. */
  async read(): Promise<MetadataSnapshots | null> {
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
  async write(state: MetadataSnapshots): Promise<void> {
    const generation = nextGeneration(this.#generation);
    let bytes = 0;
    const counted = async function* () {
      for await (const piece of inLargePieces(metadataPieces(state, generation))) {
        bytes += piece.length;
        yield piece;
      }
    };
    await writeAtomically(this.#paths.main, counted(), { files: this.#files });
    this.#generation = generation;
    this.#measure(bytes);
    this.#journal.end();
    // Before the first change begins another journal: the one before still goes with the copy.
    await this.#copy();
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

  /**
   * Brings the copy up to date, and ends the journal by writing all of the state, where that is not so much that a stop would
   * take long: the next start goes on with it else. Throws as `write` does.
   */
  async close(state: MetadataSnapshots): Promise<void> {
    try {
      const { bytes } = this.#journal;
      if (bytes > 0 && this.#bytes + bytes <= this.#mostBytesAtStop) await this.write(state);
      else if (this.#isCopyBehind) await this.#copy();
      // It names the writing before, so whether its removal lasts does not matter.
      if (this.#journal.bytes === 0) await this.#files.remove(this.#paths.journal);
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
    this.#measure(bytes);
    for (const { path, from } of aside)
      await writeAtomically(path, piecesOf(this.#files, from), { files: this.#files });
    if (found.isToWrite) await this.write(state);
    else if (found.isCopyBehind) await this.#copy();
    if (journal && !found.isToWrite) await this.#journal.continue(generation, journal.content, journal.lines);
    else if (found.isJournalOver || found.isToWrite) {
      // Not before the name of what was written after it is durable.
      await this.#files.syncDirectory(this.#paths.directory);
      await this.#files.remove(this.#paths.journal);
    }
  }

  /** Removes temporary files that a crash in a write left. */
  async #removeTemporaries(): Promise<void> {
    const { main, copy, journal } = this.#paths;
    for (const path of [main, copy, journal].map(temporaryName)) {
      if (!isThere(this.#files, path)) continue;
      await this.#files.remove(path);
      this.notes.push(
        `${path} was left by an unfinished write and was removed; nothing that was confirmed is lost.`,
      );
    }
  }

  async #copy(): Promise<void> {
    const { main, copy } = this.#paths;
    try {
      await writeAtomically(copy, piecesOf(this.#files, main), { files: this.#files });
      this.#isCopyBehind = false;
    } catch (error) {
      // metadata.json itself is whole; the next writing and the stop try again.
      this.#isCopyBehind = true;
      this.#note(copy, error);
    }
  }

  /** `bytes`: of metadata.json. */
  #measure(bytes: number): void {
    this.#bytes = bytes;
    this.#bound = Math.max(this.#leastJournalBytes, bytes);
  }

  #note(path: string, error: unknown): void {
    this.notes.push(`${path} could not be brought up to date: ${changeError(error).message}`);
  }
}
