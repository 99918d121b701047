import { basename } from 'node:path';
import { StoreError } from '../base/errors.ts';
import { machineClock } from '../base/machine-clock.ts';
import { systemRandom } from '../base/system-random.ts';
import { Pace } from '../turns/pace.ts';
import { Serial } from '../turns/serial.ts';
import { UnconfirmedWrite, writeAtomically } from './atomic-file.ts';
import { crcLine, crcSeed, textOf } from './crc-line.ts';
import { changeError, doing } from './errors.ts';
import type { Files, OpenFile } from './files.ts';
import { readWhole } from './whole-file.ts';

/*
 * A file of lines, each durable before anybody is told so; what arrives while one is written goes with the next. Every
 * line stands behind its CRC-32, which goes on from that of the first line, so that no line is taken for one of an older
 * file. Lines that are written together share one CRC: of a write that no sync covered any sector may be missing after a
 * power cut, and the lines behind it are then no sign of damage.
 */

const LF = 10;
/** Between lines that share a CRC: U+001E, which JSON texts have not. */
const TOGETHER = '\u001e';
/** ms that a note may wait for a line that is awaited. */
const NOTE_MS = 1000;

/** The name of the copy of one that is damaged. */
export const asideName = (path: string) => `${path}.damaged`;

export interface JournalPlace {
  readonly path: string;
  readonly files: Files;
  /** Word that the first line begins with, and the version behind it. */
  readonly word: string;
  readonly version: number;
}

export interface FoundLines {
  readonly lines: readonly string[];
  /** `torn`: the end was cut off, as a crash does; `damaged`: whole lines stand behind what cannot be read, and are left out. */
  readonly rest: 'nothing' | 'torn' | 'damaged';
}

interface Waiting {
  readonly text: string;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Errors are StoreErrors. After an UnconfirmedWrite nothing more is written until `replace` has succeeded. */
export class LineJournal {
  readonly #place: JournalPlace;
  readonly #serial = new Serial();
  #file: OpenFile | null = null;
  #seed = 0;
  #bytes = 0;
  #waiting: Waiting[] = [];
  #notes: string[] = [];
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(place: JournalPlace) {
    this.#place = place;
  }

  /** Whether lines may be appended: the file was begun by `replace`, and the disk has not failed since. */
  get isBegun(): boolean {
    return this.#file !== null;
  }

  /** Its bytes on disk. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Resolves with the lines of the file; none without a file. Throws `newer-format`. */
  async read(): Promise<FoundLines> {
    const { path, files } = this.#place;
    const bytes = await doing(`reading "${basename(path)}"`, () => readWhole(files, path));
    return bytes === null ? { lines: [], rest: 'nothing' } : this.#parse(bytes);
  }

  /** Copies a damaged file aside, for inspection; resolves with the name of the copy. */
  async setAside(): Promise<string> {
    const { path, files } = this.#place;
    const aside = asideName(path);
    const bytes = await doing(`setting "${basename(path)}" aside`, () => readWhole(files, path));
    if (bytes !== null) await writeAtomically(aside, bytes, { files });
    return aside;
  }

  /** Makes these lines all that the file holds, at once and for good. They are taken when its turn has come, in slices. */
  replace(lines: Iterable<string>): Promise<void> {
    return this.#serial.run(async () => {
      this.#refuseClosed();
      const { path, files, word, version } = this.#place;
      const head = `${word} ${version} ${systemRandom.bytes(8).toString('hex')}`;
      const seed = crcSeed(head);
      const pieces = [Buffer.from(crcLine(head, 0))];
      const pace = new Pace();
      for (const text of lines) {
        pieces.push(Buffer.from(crcLine(text, seed)));
        await pace.pause();
      }
      const content = Buffer.concat(pieces);
      try {
        await writeAtomically(path, content, { files });
      } catch (error) {
        // The file that is open may have lost its name: what is appended to it, nobody finds again.
        if (error instanceof UnconfirmedWrite) this.#leave();
        throw error;
      }
      this.#leave();
      this.#file = openFile(files, path);
      this.#seed = seed;
      this.#bytes = content.length;
    });
  }

  /** Resolves when the line, which has neither a line feed nor U+001E, is on disk. Rejects where it is not, or nobody knows. */
  append(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ text, resolve, reject });
      if (this.#waiting.length === 1) void this.#serial.run(() => this.#write());
    });
  }

  /** Appends a line that may be lost in a crash. */
  note(text: string): void {
    this.#notes.push(text);
    this.#timer ??= machineClock.after(NOTE_MS, () => void this.#serial.run(() => this.#write())).unref();
  }

  async close(): Promise<void> {
    await this.#serial.run(() => this.#write());
    this.#isClosed = true;
    this.#leave();
  }

  /** Writes what waits; those whom a failure concerns hear of it. */
  async #write(): Promise<void> {
    const waiting = this.#waiting;
    const notes = this.#notes;
    this.#waiting = [];
    this.#notes = [];
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const texts = [...notes, ...waiting.map(({ text }) => text)];
    if (texts.length === 0) return;
    try {
      await this.#add(crcLine(texts.join(TOGETHER), this.#seed));
      for (const { resolve } of waiting) resolve();
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  }

  async #add(text: string): Promise<void> {
    this.#refuseClosed();
    const file = this.#file;
    if (file === null) throw new UnconfirmedWrite(new Error('The journal was not begun anew.'));
    const bytes = Buffer.from(text);
    try {
      await file.write(bytes, this.#bytes);
    } catch (error) {
      this.#cut(file);
      throw changeError(error);
    }
    try {
      await file.sync();
    } catch (error) {
      throw this.#giveUp(error);
    }
    this.#bytes += bytes.length;
  }

  #cut(file: OpenFile): void {
    try {
      file.truncateNow(this.#bytes);
    } catch (error) {
      throw this.#giveUp(error);
    }
  }

  /** Ends the journal: the contents of its file are unknown now. */
  #giveUp(cause: unknown): UnconfirmedWrite {
    this.#leave();
    return new UnconfirmedWrite(cause);
  }

  #leave(): void {
    this.#file?.close();
    this.#file = null;
  }

  #refuseClosed(): void {
    if (this.#isClosed) throw new StoreError('closed', 'The service is stopping: nothing was changed.');
  }

  #parse(bytes: Buffer): FoundLines {
    const {
      lines: [head = '', ...others],
      isWhole,
    } = split(bytes);
    const { word, version } = this.#place;
    const words = textOf(head, 0);
    const [ownWord, ownVersion] = words?.split(' ') ?? [];
    if (words === null || ownWord !== word)
      return { lines: [], rest: bytes.length > 0 ? 'damaged' : 'nothing' };
    if (Number(ownVersion) > version)
      throw new StoreError(
        'newer-format',
        `"${basename(this.#place.path)}" has version ${ownVersion}, this Fieldbench knows up to ${version}. Start the newer one.`,
      );
    const seed = crcSeed(words);
    const texts = others.map((other) => textOf(other, seed));
    const torn = texts.indexOf(null);
    const whole = torn === -1 ? texts : texts.slice(0, torn);
    const lines = whole.flatMap((text) => text?.split(TOGETHER) ?? []);
    if (torn === -1) return { lines, rest: isWhole ? 'nothing' : 'torn' };
    const behind = texts.slice(torn + 1).some((text) => text !== null);
    return { lines, rest: behind ? 'damaged' : 'torn' };
  }
}

/** Lines without their line feeds; `isWhole`: the last one has one. */
function split(bytes: Buffer): { readonly lines: readonly string[]; readonly isWhole: boolean } {
  const lines: string[] = [];
  let from = 0;
  for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, from)) {
    lines.push(bytes.toString('utf8', from, at));
    from = at + 1;
  }
  return { lines, isWhole: from === bytes.length };
}

function openFile(files: Files, path: string): OpenFile {
  try {
    return files.openForWriting(path, false);
  } catch (error) {
    throw changeError(error);
  }
}
