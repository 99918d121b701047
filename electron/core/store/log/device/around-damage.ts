import type { StoreError } from '../../../base/errors.ts';
import { diskError } from '../../../disk/errors.ts';
import { damagedWhileReading, READING } from '../../store-errors.ts';
import { DamagedBlock, DamagedIndex } from '../segment/damage-errors.ts';
import { leaveOut } from '../segment/damaged.ts';

/**
 * Retries reads without damaged blocks of a device's own. `found` is called with those left out; null where they were known
 * already.
 */
export class AroundDamage {
  readonly #found: (says: ((device: string) => string) | null) => void;

  readonly #isOwn: (run: object) => boolean;

  constructor(isOwn: (run: object) => boolean, found: (says: ((device: string) => string) | null) => void) {
    this.#isOwn = isOwn;
    this.#found = found;
  }

  /** Reads; a damaged block is set aside, said so, and the rest is read. */
  read<T>(read: () => T): T {
    for (;;) {
      try {
        return read();
      } catch (error) {
        if (!this.setAside(error)) throw error;
      }
    }
  }

  /** The same for work on files, which begins anew. */
  async retrying<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!this.setAside(error)) throw error;
      }
    }
  }

  /** A reader that has handed out rows cannot start again without the damaged ones: it ends with a clear error. */
  failure(error: unknown): StoreError {
    return this.setAside(error) ? damagedWhileReading() : diskError(error, READING);
  }

  /** Leaves out what a read found to be damaged; false when the error is of another kind, or another device's. */
  setAside(error: unknown): boolean {
    if ((error instanceof DamagedBlock || error instanceof DamagedIndex) && !this.#isOwn(error.run))
      return false;
    const what = leaveOut(error);
    if (what === null) return false;
    this.#found(what === 'known' ? null : what);
    return true;
  }
}
