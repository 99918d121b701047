import { join } from 'node:path';
import { temporaryName, writeAtomically } from '../../disk/atomic-file.ts';
import { filesOnly, type Contents } from '../../disk/contents.ts';
import { diskError, doing, errorCode } from '../../disk/errors.ts';
import type { Files } from '../../disk/files.ts';
import { anchorsIn } from './anchors.ts';
import { linesBackIn, linesIn } from './file-lines.ts';
import { hashOf, type Head } from './chain.ts';
import type { FormerTrail, StoredLine, Trail } from './trail.ts';

/** The folder of former trails in that of the audit trail. */
export const FORMER_FOLDER = 'former';
const FILE = /^(\d{10})-(\d{10})-([0-9a-f]{64})\.ndjson(\.staged(?:\.tmp)?)?$/;
const STAGED = '.staged';
export const FORMER_CONTENTS: Contents = filesOnly((name) => FILE.test(name));

const nameOf = ({ first, n, hash }: FormerTrail): string => `${padded(first)}-${padded(n)}-${hash}.ndjson`;
const stagedNameOf = (trail: FormerTrail) => `${nameOf(trail)}${STAGED}`;
const padded = (n: number) => String(n).padStart(10, '0');

/**
 * Former trails of a data directory: files of lines, each written once and never changed (docs/storage-format.md, "Former trails"). A
 * restore stages them under another name, and anchors them in its own entry by the change that decides it: so whether that
 * entry is there says what becomes of a staged one.
 */
export class FormerTrails {
  readonly #folder: string;
  readonly #files: Files;
  #kept: readonly FormerTrail[];
  #staged: readonly FormerTrail[];
  /** Names of files that were not written to their end. */
  #parts: readonly string[];

  private constructor(folder: string, files: Files, found: readonly string[]) {
    this.#folder = folder;
    this.#files = files;
    this.#kept = found.flatMap((name) => trailOf(name, ''));
    this.#staged = found.flatMap((name) => trailOf(name, STAGED));
    this.#parts = found.filter((name) => trailOf(name, temporaryName(STAGED)).length > 0);
  }

  /** Changes nothing. Rejects with Node's errors. */
  static async open(trailFolder: string, files: Files): Promise<FormerTrails> {
    const folder = join(trailFolder, FORMER_FOLDER);
    const entries = await files.list(folder).catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return [];
      throw error;
    });
    const names = entries.flatMap(({ name, isDirectory }) => (isDirectory ? [] : [name]));
    return new FormerTrails(folder, files, names.toSorted());
  }

  /** Trails of decided restores. */
  get list(): readonly FormerTrail[] {
    return this.#kept;
  }

  /** Trails of a restore that is not known to be decided. */
  get staged(): readonly FormerTrail[] {
    return this.#staged;
  }

  /** Whether `settle` has nothing to do. */
  get isSettled(): boolean {
    return this.#staged.length + this.#parts.length === 0;
  }

  /** Opens a kept or staged trail. */
  open(trail: FormerTrail): Trail {
    const isStaged = !this.#kept.some(({ hash }) => hash === trail.hash);
    const name = nameOf(trail);
    const path = this.#pathOf(isStaged ? stagedNameOf(trail) : name);
    const files = this.#files;
    return {
      head: () => ({ n: trail.n, hash: trail.hash }),
      first: trail.first,
      lines: () => told(linesIn(files, path, `audit/${FORMER_FOLDER}/${name}`)),
      linesBack: () => told(linesBackIn(files, path, `audit/${FORMER_FOLDER}/${name}`)),
    };
  }

  /** Writes a trail, which counts as none until its restore is decided. Rejects with StoreError, or as `bytes` does. */
  async stage(trail: FormerTrail, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    const files = this.#files;
    await doing(KEEPING, async () => {
      await files.makeDirectory(this.#folder, 0o700);
      await files.syncDirectory(join(this.#folder, '..', '..'));
      await files.syncDirectory(join(this.#folder, '..'));
    });
    this.#staged = [...this.#staged.filter(({ hash }) => hash !== trail.hash), trail];
    let failure: unknown = null;
    async function* content() {
      try {
        yield* bytes;
      } catch (error) {
        failure = error;
        throw error;
      }
    }
    await writeAtomically(this.#pathOf(stagedNameOf(trail)), content(), { files }).catch((error: unknown) => {
      throw failure ?? error;
    });
  }

  /**
   * Gives staged ones their names where the trail has the entry that anchors them, and removes others. One that goes on where an older
   * one ends takes its place: all of its lines are in it. Rejects with StoreError; then it is to be done again.
   */
  async settle(own: Pick<Trail, 'lines'>): Promise<void> {
    if (this.isSettled) return;
    const anchored = new Set((await anchorsIn(own)).map(({ hash }) => hash));
    await doing(KEEPING, async () => {
      for (const name of this.#parts) await this.#files.remove(this.#pathOf(name));
      this.#parts = [];
      for (const trail of this.#staged) {
        if (anchored.has(trail.hash)) await this.#keep(trail);
        else await this.#files.remove(this.#pathOf(stagedNameOf(trail)));
        this.#staged = this.#staged.filter((each) => each !== trail);
      }
      await this.#files.syncDirectory(this.#folder);
    });
  }

  /** The older ones go first: cut off in between, the next time finds the staged one, which has their lines, and goes on. */
  async #keep(trail: FormerTrail): Promise<void> {
    const others = this.#kept.filter(({ hash }) => hash !== trail.hash);
    const found = await hashesIn(this.open(trail), others);
    for (const older of others) {
      if (!found.has(older.hash) || older.first < trail.first) continue;
      await this.#files.remove(this.#pathOf(nameOf(older)));
      this.#kept = this.#kept.filter((each) => each !== older);
    }
    await this.#files.rename(this.#pathOf(stagedNameOf(trail)), this.#pathOf(nameOf(trail)));
    this.#kept = [...this.#kept.filter(({ hash }) => hash !== trail.hash), trail];
  }

  #pathOf(name: string): string {
    return join(this.#folder, name);
  }
}

async function* told(lines: AsyncIterable<StoredLine>): AsyncGenerator<StoredLine> {
  try {
    yield* lines;
  } catch (error) {
    // A file that is gone is told as missing entries.
    if (errorCode(error) !== 'ENOENT') throw diskError(error, 'reading a former audit trail');
  }
}

const KEEPING = 'keeping a former audit trail';

/** Resolves with the hashes of those heads whose lines a trail has. Rejects with StoreError. */
export async function hashesIn(
  trail: Pick<Trail, 'lines'>,
  heads: readonly Pick<Head, 'hash'>[],
): Promise<ReadonlySet<string>> {
  const wanted = new Set(heads.map(({ hash }) => hash));
  const found = new Set<string>();
  if (wanted.size === 0) return found;
  for await (const { text } of trail.lines()) {
    const hash = hashOf(text);
    if (wanted.has(hash)) found.add(hash);
  }
  return found;
}

/** The trail of a file whose name ends so behind that. */
function trailOf(name: string, end: string): FormerTrail[] {
  const [, first, n, hash = '', found = ''] = FILE.exec(name) ?? [];
  return first === undefined || found !== end ? [] : [{ first: Number(first), n: Number(n), hash }];
}
