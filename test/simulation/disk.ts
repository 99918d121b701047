import type { Files } from '#core/disk/files.ts';
import type { MemoryDisk } from '#core/disk/memory/memory-disk.ts';
import { aTurn } from '../faults/memory-files.ts';
import { randomCrashState } from '../faults/crash-states.ts';
import { diskFiles, type DiskFiles } from '../faults/disk-files.ts';
import { Disk, type Operation } from '../faults/disk.ts';
import type { Attempt, Fault } from '../faults/failing-files.ts';

/** How the disk is: `full` has no room for anything more, `unsynced` fails whatever is to be made durable. */
export type Health = 'well' | 'full' | 'unsynced';

/** What needs room. */
const ROOM = new Set<Attempt>(['make', 'grow']);
const SYNCS = new Set<Attempt>(['sync', 'sync-folder']);
const BYTES = 64 << 20;

/** The disk as one process has it; a process that has ended does nothing to it any more. */
export interface Mounted extends MemoryDisk {
  readonly isDead: boolean;
  /** Ends the process at the next file operation but so many, whoever does it. */
  dieIn(operations: number): void;
  /** Ends the process now. */
  die(): void;
  /** Resolves when the process has ended. */
  readonly died: Promise<void>;
}

/** A disk in memory that outlives the processes which use it, one after the other. */
export class SimulatedDisk {
  health: Health = 'well';
  #disk = new Disk();
  /** What was there before the first operation of `#past`. */
  #base = new Disk();
  #past: readonly Operation[] = [];
  #files: DiskFiles | null = null;

  /** The disk for a process that begins. */
  mount(): Mounted {
    let isDead = false;
    let left = Infinity;
    const { promise: died, resolve } = Promise.withResolvers<void>();
    const die = () => {
      isDead = true;
      resolve();
    };
    const fault = (_: number, what: Attempt): Fault | null => {
      if (left-- <= 0) die();
      if (isDead) return 'EIO';
      if (this.health === 'full' && ROOM.has(what)) return 'ENOSPC';
      return this.health === 'unsynced' && SYNCS.has(what) ? 'EIO' : null;
    };
    // What a process that has ended waits for never comes.
    const wait = async () => {
      await aTurn();
      if (isDead) await new Promise<never>(() => {});
    };
    const files = diskFiles(this.#disk, fault, this.#past, wait);
    this.#files = files;
    const free = () => (this.health === 'full' ? 0 : BYTES >> 1);
    return {
      files: asFiles(files),
      get space() {
        return { free: free(), total: BYTES };
      },
      get isDead() {
        return isDead;
      },
      dieIn: (operations) => void (left = operations),
      die,
      died,
    };
  }

  /**
   * Takes the disk from a process that has ended. `random`: of a power cut, which leaves of what was not synced any part, sector by
   * sector; null where the machine went on, which loses nothing.
   */
  unmount(random: (() => number) | null): void {
    this.#past = [...(this.#files?.trace ?? [])];
    if (random === null) return;
    this.#base = randomCrashState(this.#past, random, this.#base);
    this.#disk = this.#base.copy();
    this.#past = [];
  }

  /** Every file that has a name with its bytes, in the order of the names. */
  contents(): readonly (readonly [path: string, bytes: Buffer])[] {
    return [...this.#disk.paths()]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([path, node]) => [path, this.#disk.file(node).bytes] as const);
  }
}

/** Without what tests alone ask. */
function asFiles({ trace: _trace, attempts: _attempts, ...files }: DiskFiles): Files {
  return files;
}
