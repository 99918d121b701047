import type { Readable } from 'node:stream';
import { machineClock } from '../base/machine-clock.ts';
import { randomSecret } from '../backend/tickets.ts';

/** Begin of the path of a file, relative to a page. */
export const FILES_PATH = 'files/';

/** ms within which a browser begins to fetch a file that its page was told of. */
const FETCH_MS = 60_000;

/** A file at a path of its own. */
export interface OfferedFile {
  /** Relative to the page. */
  readonly path: string;
  withdraw(): void;
}

/** Files that browsers of windows fetch to save them: each waits at a path that nobody guesses, and is fetched once. */
export class OfferedFiles {
  readonly #waiting = new Map<string, { readonly file: Readable; readonly timer: NodeJS.Timeout }>();

  /** Calls `notFetched` where nobody has fetched it after a minute. */
  offer(file: Readable, notFetched: () => void): OfferedFile {
    const path = FILES_PATH + randomSecret();
    const timer = machineClock.after(FETCH_MS, () => {
      this.#waiting.delete(path);
      notFetched();
    });
    this.#waiting.set(path, { file, timer: timer.unref() });
    return { path, withdraw: () => void this.take(path) };
  }

  /** Returns the file, to the first who asks; null where there is none. It ends where it is destroyed. */
  take(path: string): Readable | null {
    const found = this.#waiting.get(path);
    if (!found) return null;
    this.#waiting.delete(path);
    clearTimeout(found.timer);
    return found.file;
  }
}
