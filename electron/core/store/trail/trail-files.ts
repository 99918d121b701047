import { join } from 'node:path';
import { changeError, doing } from '../../disk/errors.ts';
import type { Files, OpenFile } from '../../disk/files.ts';
import { readWhole } from '../../disk/whole-file.ts';
import { headAfter, type Head } from './chain.ts';
import { findLine, followLines, type FilePlace } from './find-line.ts';
import type { StoredLine } from './trail.ts';
import { firstIn, TRAIL_FOLDER, trailFileName, trailFilesIn, type TrailFile } from './trail-names.ts';
import { hashOfLastLine, lastIn, splitLines, type FileLine } from './trail-lines.ts';

/** A file that has so many bytes is not gone on with. */
const FULL_BYTES = 4 << 20;

export interface TrailBounds {
  /** A file that has so many bytes is not gone on with. */
  readonly fullBytes?: number;
  /** Where there are more, the first files go: for memory alone. */
  readonly mostBytes?: number;
}

/** Lines that the metadata know: the head at the last writing of metadata.json, and what the journal has had since. */
export interface KnownLines {
  readonly head: Head;
  readonly lines: readonly string[];
}

/** What the files hold beside what the metadata know. */
interface OpenedTrail {
  /** The last line of the trail, behind which it goes on. */
  readonly head: Head;
  /** Lines of the journal that the files lack. */
  readonly pending: readonly string[];
  /** Lines of the files that are later than the metadata: these were set back. */
  readonly isAhead: boolean;
  /** For people to read. */
  readonly notes: readonly string[];
}

/**
 * Files of the audit trail in a data directory: lines of JSON, appended, never changed. They are written behind the metadata's
 * journal, which holds each line with its change, and before metadata.json is written anew, which ends that journal: so a line is
 * in the one or in the other, whatever is cut off.
 */
export class TrailFiles {
  readonly #folder: string;
  readonly #files: Files;
  readonly #fullBytes: number;
  readonly #mostBytes: number;
  readonly #list: TrailFile[] = [];
  #open: OpenFile | null = null;
  /** Whether the last file is to be left as it is. */
  #isLeft = false;
  /** From where on the lines are in the journal, too; null where none is. */
  #unsure: FilePlace | null = null;
  /** Whether a power cut leaves the names of the files: a process that was killed may have made one and not synced its folder. */
  #areNamesSure = false;
  #first = 1;

  constructor(
    directory: string,
    files: Files,
    { fullBytes = FULL_BYTES, mostBytes = Infinity }: TrailBounds = {},
  ) {
    this.#folder = join(directory, TRAIL_FOLDER);
    this.#files = files;
    this.#fullBytes = fullBytes;
    this.#mostBytes = mostBytes;
  }

  /** Whether there are none. */
  get isEmpty(): boolean {
    return this.#list.length === 0;
  }

  /** The number of the first line that is kept. */
  get first(): number {
    return this.#first;
  }

  /**
   * Finds where they end. What a crash has left behind that is none, and is written over by what the journal has. Rejects with
   * Node's errors.
   */
  async read(known: KnownLines): Promise<OpenedTrail> {
    this.#list.push(...(await trailFilesIn(this.#folder, this.#files)));
    const head = headAfter(known.head, known.lines);
    const goesOn = (place: number, notes: readonly string[] = []) => {
      return { head, pending: known.lines.slice(place), isAhead: false, notes };
    };
    const [first] = this.#list;
    if (first && this.#mostBytes < Infinity) this.#first = firstIn(first.name);
    const last = this.#list.at(-1);
    if (!last) return goesOn(0, known.head.n === 0 ? [] : [lacking(this.#folder, known.head.n)]);
    // As a stop leaves it: nothing else of it is read.
    if (known.lines.length === 0 && (await this.#endOf(last)) === head.hash) {
      this.#areNamesSure = true;
      return goesOn(0);
    }
    const end = lastIn(await this.#all(last));
    if (end && end.n > head.n) {
      this.#isLeft = true;
      return { head: end, pending: [], isAhead: true, notes: [setBack(end.n, head.n)] };
    }
    const inFiles = { count: this.#list.length, bytes: (file: number) => this.#all(this.#list[file]) };
    const from = await findLine(inFiles, known.head);
    const found = from && (await followLines(inFiles, from, known.lines));
    if (found) {
      last.bytes = found.bytes;
      if (found.place > 0) this.#unsure = from;
      return goesOn(found.place);
    }
    this.#isLeft = true;
    return goesOn(0, [apart(join(this.#folder, last.name))]);
  }

  async #endOf({ name }: TrailFile): Promise<string | null> {
    const file = this.#files.openForReading(join(this.#folder, name));
    try {
      return await hashOfLastLine(file);
    } finally {
      file.close();
    }
  }

  /**
   * Makes lines durable, of which the first has this number; `done` is called as soon as they are. Rejects with StoreError: where it was
   * not called, they are to be appended again, with all that follow them.
   */
  async append(lines: readonly string[], first: number, done: () => void): Promise<void> {
    const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
    try {
      const { file, entry } = await this.#target(first);
      await file.write(bytes, entry.bytes);
      file.truncateNow(entry.bytes + bytes.length);
      await file.sync();
      entry.bytes += bytes.length;
      done();
      await this.#trim();
    } catch (error) {
      this.#leave();
      throw changeError(error);
    }
  }

  /** The lines that are there now, as they stand. Rejects with StoreError. */
  lines(): AsyncGenerator<StoredLine> {
    return this.#linesOf(this.#now());
  }

  /** The same, the last first; without files that have only lines from the number `before` on. */
  linesBack(before = Infinity): AsyncGenerator<StoredLine> {
    const some = this.#now().filter(({ name }) => firstIn(name) < before);
    return this.#linesBackOf(some.toReversed());
  }

  /**
   * Cuts off what a crash has left behind the last line, and makes lines durable that the journal has, too: a process that was killed
   * may have left them to the system alone, and after a sync that failed the system may have given them up. So they are written once
   * more before that journal ends. Rejects with Node's errors.
   */
  async mend(): Promise<void> {
    if (this.#isLeft) return;
    const last = this.#list.length - 1;
    const unsure = this.#unsure ?? { file: last, bytes: this.#list[last]?.bytes ?? 0 };
    for (let i = unsure.file; i <= last; i++) await this.#settle(i, i === unsure.file ? unsure.bytes : 0);
    if (last >= 0 && !this.#areNamesSure) await this.#syncNames();
    this.#unsure = null;
  }

  /** Makes a file durable that is to have its lines and nothing else; those from a byte on are written once more. */
  async #settle(at: number, from: number): Promise<void> {
    const entry = this.#list[at];
    if (!entry) return;
    const file = this.#files.openForWriting(join(this.#folder, entry.name), false);
    try {
      if (from === entry.bytes && file.size === from) return;
      if (from < entry.bytes) await file.write((await this.#all(entry)).subarray(from, entry.bytes), from);
      file.truncateNow(entry.bytes);
      await file.sync();
    } finally {
      file.close();
    }
  }

  /** Makes the names of the files durable, and the folder's own. */
  async #syncNames(): Promise<void> {
    await this.#files.syncDirectory(this.#folder);
    await this.#files.syncDirectory(join(this.#folder, '..'));
    this.#areNamesSure = true;
  }

  close(): void {
    this.#leave();
  }

  /** Only whole lines that are there for good, whatever is written meanwhile. */
  #now(): readonly TrailFile[] {
    return this.#list.map((file) => ({ ...file }));
  }

  async *#linesOf(list: readonly TrailFile[]): AsyncGenerator<StoredLine> {
    for (const file of list)
      for (const line of splitLines(await this.#bytesOf(file))) yield placed(file, line);
  }

  async *#linesBackOf(list: readonly TrailFile[]): AsyncGenerator<StoredLine> {
    for (const file of list)
      for (const line of splitLines(await this.#bytesOf(file)).toReversed()) yield placed(file, line);
  }

  async #bytesOf(file: TrailFile): Promise<Buffer> {
    return (await doing('reading the audit trail', () => this.#all(file))).subarray(0, file.bytes);
  }

  async #all(file: TrailFile | undefined): Promise<Buffer> {
    const bytes = file && (await readWhole(this.#files, join(this.#folder, file.name)));
    return bytes ?? Buffer.alloc(0);
  }

  /** The file that is gone on with, or a new one. */
  async #target(first: number): Promise<{ readonly file: OpenFile; readonly entry: TrailFile }> {
    const last = this.#list.at(-1);
    if (last && !this.#isLeft && last.bytes < this.#fullBytes) {
      this.#open ??= this.#files.openForWriting(join(this.#folder, last.name), false);
      return { file: this.#open, entry: last };
    }
    this.#leave();
    await this.#files.makeDirectory(this.#folder, 0o700);
    const entry = { name: this.#freeName(first), bytes: 0 };
    const file = this.#files.openForWriting(join(this.#folder, entry.name), true, 0o600);
    this.#open = file;
    await this.#syncNames();
    this.#list.push(entry);
    this.#isLeft = false;
    return { file, entry };
  }

  #freeName(first: number): string {
    for (let again = 1; ; again++) {
      const name = trailFileName(first, again);
      if (!this.#list.some((file) => file.name === name)) return name;
    }
  }

  async #trim(): Promise<void> {
    let bytes = this.#list.reduce((sum, file) => sum + file.bytes, 0);
    while (bytes > this.#mostBytes && this.#list.length > 1) {
      const [gone, next] = this.#list;
      if (!gone || !next) return;
      await this.#files.remove(join(this.#folder, gone.name));
      this.#list.shift();
      this.#first = firstIn(next.name);
      bytes -= gone.bytes;
    }
  }

  #leave(): void {
    this.#open?.close();
    this.#open = null;
  }
}

const lacking = (folder: string, entries: number) =>
  `${folder} lacks the entries 1 to ${entries} of the audit trail, of which the metadata know.`;

const setBack = (trail: number, metadata: number) =>
  `The metadata are older than the audit trail, which has ${trail} entries, of which they know ${metadata}: what was changed between is missing, and is told in the trail.`;

const apart = (path: string) =>
  `${path} does not end with an entry of which the metadata know: "fieldbench verify" names what is not as it was written.`;

const placed = ({ name }: TrailFile, { text, number }: FileLine): StoredLine => ({
  text,
  place: `${TRAIL_FOLDER}/${name}, line ${number}`,
});
