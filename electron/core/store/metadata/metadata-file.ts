import { join } from 'node:path';
import type { Adapter } from 'lowdb';
import { formatMicros } from '#shared/time.ts';
import type { Clock } from '../../clock.ts';
import { StartError } from '../../errors.ts';
import { temporaryName, writeAtomically } from '../../disk/atomic-file.ts';
import { changeError, errorCode, startError } from '../../disk/errors.ts';
import type { Files } from '../../disk/files.ts';
import { readWhole } from '../../disk/whole-file.ts';
import type { MetadataState } from './metadata-schema.ts';
import { decodeMetadata, encodeMetadata } from './metadata-text.ts';
import { NewerVersion } from './migrations.ts';

/** How long the last-good copy may lag behind, in ms: a burst of writes costs one copy, not one each. */
const COPY_DELAY_MS = 1000;

/** What stands under a name: nothing, a state, or something that cannot be read as one. */
type Found =
  | { readonly kind: 'absent' }
  | { readonly kind: 'whole'; readonly state: MetadataState; readonly bytes: Uint8Array }
  | { readonly kind: 'damaged'; readonly reason: string };

/**
 * lowdb's way to metadata.json. lowdb rewrites whole files, without fsync and without a look at their shape; here each
 * write is validated and atomic, and metadata.last-good.json follows as a copy for the day the file itself is damaged.
 */
export class MetadataFile implements Adapter<MetadataState> {
  /** What was found and mended, for people to read. */
  readonly notes: string[] = [];
  readonly #path: string;
  readonly #copyPath: string;
  readonly #directory: string;
  readonly #clock: Clock;
  readonly #files: Files;
  /** What the copy lacks, if anything. */
  #uncopied: Uint8Array | null = null;
  #copyTimer: NodeJS.Timeout | null = null;
  #copying: Promise<void> = Promise.resolve();

  constructor(directory: string, clock: Clock, files: Files) {
    this.#directory = directory;
    this.#path = join(directory, 'metadata.json');
    this.#copyPath = join(directory, 'metadata.last-good.json');
    this.#clock = clock;
    this.#files = files;
  }

  /** The state, mended from the copy where needed; null in a new folder. Throws StartError. */
  async read(): Promise<MetadataState | null> {
    const main = await this.#find(this.#path);
    const copy = await this.#find(this.#copyPath);
    if (main.kind === 'absent' && copy.kind === 'absent') return null;
    if (main.kind === 'whole') {
      await this.#removeTemporaries();
      if (copy.kind !== 'whole' || Buffer.compare(main.bytes, copy.bytes) !== 0) this.#copyLater(main.bytes);
      return main.state;
    }
    if (copy.kind === 'whole') {
      await this.#removeTemporaries();
      await this.#restore(main, copy.bytes);
      return copy.state;
    }
    throw this.#bothDamaged(main, copy);
  }

  /** Replaces metadata.json. Throws StoreError, after which the old file still stands. */
  async write(state: MetadataState): Promise<void> {
    const bytes = encodeMetadata(state);
    await writeAtomically(this.#path, bytes, { files: this.#files });
    this.#copyLater(bytes);
  }

  /** Brings the copy up to date. */
  async close(): Promise<void> {
    if (this.#copyTimer) clearTimeout(this.#copyTimer);
    this.#copyNow();
    await this.#copying;
  }

  async #find(path: string): Promise<Found> {
    try {
      const bytes = await readWhole(this.#files, path);
      return bytes ? { kind: 'whole', state: decodeMetadata(bytes), bytes } : { kind: 'absent' };
    } catch (error) {
      if (error instanceof NewerVersion) {
        const advice =
          'It was left as it is. Start the newer Fieldbench, or choose another folder with --data.';
        throw new StartError('metadata-newer', `${path} cannot be opened: ${error.message}. ${advice}`);
      }
      const reason = error instanceof Error ? error.message : String(error);
      if (['EACCES', 'EPERM'].includes(errorCode(error) ?? '')) {
        const advice = 'Start Fieldbench as the user who owns it, or choose another folder with --data.';
        throw new StartError('read-only', `${path} may not be read by this user (${reason}). ${advice}`);
      }
      return { kind: 'damaged', reason };
    }
  }

  #bothDamaged(main: Found, copy: Found): StartError {
    const state = (found: Found) => (found.kind === 'damaged' ? found.reason : 'it is missing');
    return new StartError(
      'metadata-damaged',
      `Neither ${this.#path} (${state(main)}) nor its copy ${this.#copyPath} (${state(copy)}) can be read. ` +
        'Nothing was changed. Put one of them back from a backup, or choose another folder with --data.',
    );
  }

  async #restore(main: Found, copy: Uint8Array): Promise<void> {
    const stamp = formatMicros(this.#clock.now()).replaceAll(':', '-');
    const aside = join(this.#directory, `metadata.damaged-${stamp}.json`);
    try {
      if (main.kind === 'damaged') await this.#files.rename(this.#path, aside);
      await writeAtomically(this.#path, copy, { files: this.#files });
    } catch (error) {
      throw startError(error, this.#directory);
    }
    const what =
      main.kind === 'damaged' ? `could not be read (${main.reason}); it was kept as ${aside}` : 'was missing';
    this.notes.push(
      `${this.#path} ${what}. Its last good copy was taken instead: ` +
        'changes of the last second before the damage may be missing.',
    );
  }

  /** What a crash in the middle of a write left. */
  async #removeTemporaries(): Promise<void> {
    for (const path of [this.#path, this.#copyPath].map(temporaryName)) {
      try {
        if (!(await readWhole(this.#files, path))) continue;
        await this.#files.remove(path);
      } catch (error) {
        throw startError(error, this.#directory);
      }
      this.notes.push(
        `${path} was left by an unfinished write and was removed; nothing that was confirmed is lost.`,
      );
    }
  }

  #copyLater(content: Uint8Array): void {
    this.#uncopied = content;
    this.#copyTimer ??= setTimeout(() => this.#copyNow(), COPY_DELAY_MS).unref();
  }

  #copyNow(): void {
    this.#copyTimer = null;
    this.#copying = this.#copyAfter(this.#copying);
  }

  async #copyAfter(earlier: Promise<void>): Promise<void> {
    await earlier;
    const content = this.#uncopied;
    if (content === null) return;
    this.#uncopied = null;
    try {
      await writeAtomically(this.#copyPath, content, { files: this.#files });
    } catch (error) {
      // metadata.json itself is whole; the next write tries again.
      this.#uncopied ??= content;
      this.notes.push(`${this.#copyPath} could not be brought up to date: ${changeError(error).message}`);
    }
  }
}
