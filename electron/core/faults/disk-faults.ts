import type { DiskFault } from '#shared/operations/service/faults.ts';
import { machineClock } from '../base/machine-clock.ts';
import { changedFiles } from '../disk/changed-files.ts';
import type { Files, OpenFile } from '../disk/files.ts';
import type { FailingDisk } from './act.ts';

/** A rule that is about the disk all the time. `asks`: counts an operation of the disk, and says whether it is to fail. */
interface DiskRule {
  readonly how: DiskFault;
  readonly asks: () => boolean;
}

/** ms that a slow disk takes longer for each operation that need not be done at once. */
const SLOW_MS = 250;

/** Whether a write does no more than erase something: that needs no room, and takes back what did not fit. */
const erases = (file: OpenFile, bytes: Uint8Array, position: number): boolean =>
  position + bytes.length <= file.size && bytes.every((byte) => byte === 0);

/** An error as Node has it of a failed system call. */
const systemError = (code: 'ENOSPC' | 'EIO', message: string) =>
  Object.assign(new Error(`${code}: ${message}, by a fault that is switched on`), { code });

/**
 * Faults of the disk, below everything that is kept in the data directory: `full` fails what writes or makes a file, `sync-fails` what makes
 * it durable, and `slow` lets both take longer. What of it is still possible is up to the store, as with a real disk.
 */
export class DiskFaults implements FailingDisk {
  #rules: readonly DiskRule[] = [];
  /** How many requests under way have it fail so. */
  readonly #during = new Map<DiskFault, number>();
  #isOn = false;

  /** These rules are on from now on. */
  follow(rules: readonly DiskRule[]): void {
    this.#rules = rules;
    this.#look();
  }

  fail(how: DiskFault): () => void {
    this.#count(how, 1);
    return () => this.#count(how, -1);
  }

  /** Returns files that fail as rules say. */
  over(files: Files): Files {
    return changedFiles(files, {
      making: () => {
        if (this.#isOn) this.#need();
      },
      writing: (file, bytes, position) => {
        if (this.#isOn && !erases(file, bytes, position)) this.#need();
      },
      later: (isSync) => (this.#isOn ? this.#later(isSync) : null),
    });
  }

  /** Throws where there is no room. */
  #need(): void {
    if (this.#is('full')) throw systemError('ENOSPC', 'no space left on device');
  }

  async #later(isSync: boolean): Promise<void> {
    if (isSync && this.#is('sync-fails')) throw systemError('EIO', 'i/o error, fsync');
    if (this.#is('slow')) await machineClock.delay(SLOW_MS);
  }

  #is(how: DiskFault): boolean {
    const isDuring = (this.#during.get(how) ?? 0) > 0;
    // Each rule counts, also where another one has it fail already.
    const acting = this.#rules.filter((rule) => rule.how === how && rule.asks());
    return isDuring || acting.length > 0;
  }

  #count(how: DiskFault, by: 1 | -1): void {
    this.#during.set(how, (this.#during.get(how) ?? 0) + by);
    this.#look();
  }

  #look(): void {
    this.#isOn = this.#rules.length > 0 || [...this.#during.values()].some((count) => count > 0);
  }
}
