import type { Adapter } from 'lowdb';
import type { Clock } from '../../../base/clock.ts';
import { join } from 'node:path';
import { temporaryName, writeAtomically } from '../../../disk/atomic-file.ts';
import { changeError, startError } from '../../../disk/errors.ts';
import type { Files } from '../../../disk/files.ts';
import type { Head } from '../../trail/chain.ts';
import { TrailFiles, type TrailBounds } from '../../trail/trail-files.ts';
import { TRAIL_FOLDER } from '../../trail/trail-names.ts';
import type { StoredLine, Trail } from '../../trail/trail.ts';
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
/** Times its bound that the journal may have where what is due waits for the end of an operation. */
const OVERDUE = 4;
/** Bytes that are written twice and synced in far less than a stop may take, on a slow disk, too. */
const MOST_BYTES_AT_STOP = 16 << 20;
/** So many bytes of lines of the audit trail stay in the journal, and in memory, before they are written to its own file. */
const MOST_TRAIL_BYTES = 1 << 20;

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
  readonly #trail: TrailFiles;
  /** Lines of the audit trail that are in the journal alone. */
  #untold: string[] = [];
  #untoldBytes = 0;
  #setBackTo: number | null = null;
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
    trail,
  }: {
    readonly directory: string;
    readonly clock: Clock;
    readonly files: Files;
    readonly leastJournalBytes?: number | undefined;
    readonly mostBytesAtStop?: number | undefined;
    /** Of the audit trail's files. */
    readonly trail?: TrailBounds | undefined;
  }) {
    this.#leastJournalBytes = this.#bound = leastJournalBytes;
    this.#mostBytesAtStop = mostBytesAtStop;
    this.#paths = metadataPaths(directory);
    this.#clock = clock;
    this.#files = files;
    this.#journal = new JournalFile(this.#paths.journal, files);
    this.#trail = new TrailFiles(directory, files, trail);
  }

  /** Whether the journal has grown so far that all should be written anew. */
  get isDue(): boolean {
    return this.#journal.bytes > this.#bound;
  }

  /** Whether it has grown so far that this waits for nothing. */
  get isOverdue(): boolean {
    return this.#journal.bytes > OVERDUE * this.#bound;
  }

  /** Whether so many lines of the audit trail are in the journal that they should be in its own file. */
  get isTrailDue(): boolean {
    return this.#untoldBytes > MOST_TRAIL_BYTES;
  }

  /** The last entry of the audit trail that the metadata know, where it tells of later changes; null where it does not. */
  get setBackTo(): number | null {
    return this.#setBackTo;
  }

  /** The audit trail; `head`: as the metadata say it. */
  trail(head: Trail['head']): Trail {
    const [files, untold] = [this.#trail, () => [...this.#untold]];
    return {
      head,
      get first() {
        return files.first;
      },
      lines: () => joined(files.lines(), placed(untold())),
      linesBack: (before) => joined(placed(untold()).toReversed(), files.linesBack(before)),
    };
  }

  /** The state, mended where needed; null in a new folder. Throws StartError. */
  async read(): Promise<MetadataSnapshots | null> {
    const opened = await openMetadata(this.#paths, this.#clock, this.#files);
    if (!opened) return null;
    try {
      await this.#readTrail(opened);
      await this.#mend(opened);
    } catch (error) {
      throw startError(error, this.#paths.directory);
    }
    this.notes.push(...opened.notes);
    return opened.state;
  }

  /**
   * Replaces metadata.json, and then its copy; the journal is over. Throws StoreError, after which the old file and its
   * journal still hold, or UnconfirmedWrite, after which nothing may be appended before this succeeds. What the journal alone has
   * of the audit trail goes to its own file first.
   */
  async write(state: MetadataSnapshots): Promise<void> {
    await this.writeTrail(state.trail);
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

  /** Makes a change durable, and what is told of it. Throws as JournalFile.append does. */
  async append(change: NetChange): Promise<void> {
    await this.#journal.append(this.#generation, change);
    this.#tell(change.trail);
  }

  /** Writes what the journal alone has of the audit trail, whose last line this is. Throws StoreError: the journal goes on to have it. */
  async writeTrail({ n }: Head): Promise<void> {
    const lines = this.#untold;
    if (lines.length === 0) return;
    await this.#trail.append(lines, n - lines.length + 1, () => {
      this.#untold = [];
      this.#untoldBytes = 0;
    });
  }

  /** The journal goes on to hold lines that could not be written: tried again with the next change. */
  postponeTrail(error: unknown): void {
    // Once for each time that it fails; a full disk fails all changes.
    this.#untoldBytes = 0;
    this.#note(join(this.#paths.directory, TRAIL_FOLDER), error);
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
      this.#trail.close();
    }
  }

  #tell(lines: readonly string[]): void {
    for (const line of lines) {
      this.#untold.push(line);
      this.#untoldBytes += line.length;
    }
  }

  /** Puts the files of the audit trail and what the journal has of it together. Throws Node's errors. */
  async #readTrail({ state, trail }: OpenedMetadata): Promise<void> {
    const { head, pending, isAhead, notes } = await this.#trail.read(trail);
    state.trail = head;
    if (isAhead) this.#setBackTo = trail.head.n + trail.lines.length;
    this.#tell(pending);
    this.notes.push(...notes);
    await this.#trail.mend();
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

/** Lines that are in the journal, for people to find. */
const placed = (lines: readonly string[]): StoredLine[] =>
  lines.map((text) => ({ text, place: 'metadata.journal' }));

async function* joined(
  ...parts: readonly (AsyncIterable<StoredLine> | Iterable<StoredLine>)[]
): AsyncGenerator<StoredLine> {
  for (const part of parts) yield* part;
}
