import { join } from 'node:path';
import { systemRandom } from '../base/system-random.ts';
import { eraseFile } from '../disk/erase-file.ts';
import type { OpenFile } from '../disk/files.ts';
import { readWhole } from '../disk/whole-file.ts';
import {
  confirmedEnd,
  EMPTY,
  endMark,
  frameOf,
  headOf,
  JOURNAL_SECRET_BYTES,
  JOURNAL_VERSION,
  openFrame,
  wrongHead,
  type Tail,
} from './journal-format.ts';
import type { Place } from './lock.ts';
import { damaged, newer } from './vault-file.ts';

/** The file of a journal, by its id, in the data folder. */
export const journalName = (id: string) => `vault-${id}.journal`;
/** Names of journals' files. */
export const JOURNAL_NAME = /^vault-[0-9a-f]{16}\.journal$/;

/** One journal of a vault, open for adding to it. One call at a time. Errors are Node's own, except where it says. */
export class Journal {
  readonly id: string;
  /** Wrapped in vault.json: what its frames are sealed with. */
  readonly secret: Buffer;
  readonly #place: Place;
  readonly #file: OpenFile;
  #tail: Tail;
  /** Counts the words on where it ends: they take turns, so that a crash can tear only one. */
  #turn = 0;

  private constructor(place: Place, id: string, secret: Buffer, file: OpenFile, tail: Tail) {
    this.#place = place;
    this.id = id;
    this.secret = secret;
    this.#file = file;
    this.#tail = tail;
  }

  /** Makes a journal with a key of its own that holds these contents; durable, name and all, once it resolves. */
  static async create(place: Place, contents: readonly string[]): Promise<Journal> {
    const id = systemRandom.bytes(8).toString('hex');
    const secret = systemRandom.bytes(JOURNAL_SECRET_BYTES);
    const frames: Buffer[] = [];
    let tail = EMPTY;
    for (const content of contents) {
      const frame = frameOf(content, id, tail, secret);
      frames.push(frame.bytes);
      tail = frame.tail;
    }
    const ends = [0, 1].map((turn) => endMark(id, tail.end, turn, secret).bytes);
    const path = join(place.directory, journalName(id));
    const file = place.files.openForWriting(path, true, 0o600);
    try {
      await file.write(Buffer.concat([headOf(id), ...ends, ...frames]), 0);
      await file.sync();
      await place.files.syncDirectory(place.directory);
    } catch (error) {
      file.close();
      await place.files.remove(path).catch(() => {
        // A disk that cannot even remove it keeps it until a later start does; the first error says why.
      });
      throw error;
    }
    return new Journal(place, id, secret, file, tail);
  }

  /**
   * Opens a journal and reads its contents. `isSure` tells whether the disk confirmed all that was found: what a crash cut
   * off is left out, and then nothing may be added before it was written anew. Throws VaultError `damaged`; also Node's
   * errors.
   */
  static async open(
    place: Place,
    id: string,
    secret: Buffer,
  ): Promise<{ journal: Journal; contents: readonly string[]; isSure: boolean }> {
    const { contents, isSure, tail } = await Journal.read(place, id, secret);
    const file = place.files.openForWriting(join(place.directory, journalName(id)), false);
    return { journal: new Journal(place, id, secret, file, tail), contents, isSure };
  }

  /** Reads what is on the disk, as `open` does. */
  static async read(
    place: Place,
    id: string,
    secret: Buffer,
  ): Promise<{ contents: readonly string[]; isSure: boolean; tail: Tail }> {
    const path = join(place.directory, journalName(id));
    const bytes = await readWhole(place.files, path);
    if (!bytes) throw damaged(path, 'it is gone');
    const wrong = wrongHead(bytes, id);
    if (typeof wrong === 'number') throw newer(path, wrong, JOURNAL_VERSION);
    if (wrong !== null) throw damaged(path, wrong);
    const confirmed = confirmedEnd(bytes, id, secret);
    if (confirmed === null) throw damaged(path, 'its beginning was altered');
    const contents: string[] = [];
    let tail = EMPTY;
    for (let frame = openFrame(bytes, id, tail, secret); frame; frame = openFrame(bytes, id, tail, secret)) {
      contents.push(frame.content);
      tail = frame.tail;
    }
    if (tail.end < confirmed) throw damaged(path, `at byte ${tail.end} of ${bytes.length}`);
    return { contents, isSure: tail.end === confirmed && tail.end === bytes.length, tail };
  }

  /** Adds a content; durable once it resolves. After an error nobody knows what is in the file: make another. */
  async add(content: string): Promise<void> {
    const { bytes, tail } = frameOf(content, this.id, this.#tail, this.secret);
    await this.#file.write(bytes, this.#tail.end);
    await this.#file.sync();
    this.#tail = tail;
    const mark = endMark(this.id, tail.end, this.#turn++, this.secret);
    // It rides the next sync: where it is lost, the frame still opens.
    this.#file.writeNow(mark.bytes, mark.at);
  }

  async close(): Promise<void> {
    try {
      await this.#file.sync();
    } finally {
      this.#file.close();
    }
  }

  /** Removes the file and writes zeros over what it held. */
  async erase(): Promise<void> {
    const { directory, files } = this.#place;
    try {
      await eraseFile(files, { directory, path: join(directory, journalName(this.id)), file: this.#file });
    } finally {
      this.#file.close();
    }
  }
}
