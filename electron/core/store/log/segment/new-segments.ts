import type { Micros } from '#shared/values/time.ts';
import type { Files } from '../../../disk/files.ts';
import type { Rewrite } from './rewriting.ts';
import type { SegmentMeta, SegmentOrigin } from './segment-writer.ts';
import type { Output, Part } from './sorted-writer.ts';
import type { UnnamedFiles } from './unnamed-files.ts';

/** Origin of new segments; a flush says how far it goes, a merge or a rewrite what it replaces. */
export interface OriginOf {
  readonly flushed?: number;
  readonly age?: number;
  readonly replaces?: readonly number[];
  /** Gives up when the store closes. */
  readonly mayStop?: boolean;
}

export interface NewSegmentsParts {
  readonly files: Files;
  readonly segmentRows: number;
  readonly rewrite: Rewrite;
  readonly isClosing: () => boolean;
  readonly folder: string;
  readonly unnamed: UnnamedFiles;
  /** Returns the present state of the device. */
  readonly now: () => { readonly flushed: number; readonly seen: Micros | null; readonly generation: number };
}

/** Writer of new segments of a device, which no manifest names yet, and their numbers. */
export class NewSegments {
  /** Number of the next one. */
  next = 1;
  #writing: Promise<unknown> = Promise.resolve();
  readonly #parts: NewSegmentsParts;

  constructor(parts: NewSegmentsParts) {
    this.#parts = parts;
  }

  /** Resolves when nothing is being written that began before. */
  async written(): Promise<void> {
    await this.#writing;
  }

  /** Writes parts, in order of arrival. Rejects with Abandoned where all records go meanwhile. */
  write(parts: readonly Part[], about: OriginOf): Promise<SegmentMeta[]> {
    const made = this.#write(parts, about);
    this.#writing = Promise.allSettled([this.#writing, made]);
    return made;
  }

  async #write(parts: readonly Part[], about: OriginOf): Promise<SegmentMeta[]> {
    const { files, folder, segmentRows, unnamed, now, rewrite, isClosing } = this.#parts;
    const { generation } = now();
    const numbers: number[] = [];
    const output: Output = {
      files,
      folder,
      segmentRows,
      origin: () => {
        const origin = this.origin(about);
        numbers.push(origin.id);
        unnamed.add(origin.id);
        return origin;
      },
      abandoned: () => now().generation !== generation || (about.mayStop === true && isClosing()),
    };
    let made: SegmentMeta[] = [];
    try {
      made = await rewrite(parts, output);
      return made;
    } finally {
      // What was given up is removed, and what was not needed was never made.
      for (const number of numbers) if (!made.some(({ id }) => id === number)) unnamed.removed(number);
    }
  }

  origin(about: OriginOf = {}): SegmentOrigin {
    const { flushed, seen } = this.#parts.now();
    const id = this.next++;
    return {
      id,
      age: about.age ?? id,
      flushed: about.flushed ?? flushed,
      replaces: about.replaces ?? [],
      seen,
    };
  }
}
