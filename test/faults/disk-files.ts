import type { Files } from '#core/disk/files.ts';
import type { Disk, Operation } from './disk.ts';
import { failingFiles, type Attempt, type Fault } from './failing-files.ts';
import { aTurn, memoryFiles, missingAbove } from './memory-files.ts';

export interface DiskFiles extends Files {
  /** All that was done, in order. */
  readonly trace: readonly Operation[];
  /** What was tried, in order, whether or not it worked. */
  readonly attempts: readonly { readonly what: Attempt; readonly path: string }[];
  /** Files that are open. */
  readonly open: number;
}

/**
 * The core's file layer over a disk in memory. `fault` is asked before every attempt, by its number. `past` is what was
 * done to the disk before, by a process that was killed: what it did not sync is still waiting to be. `wait` is how long
 * each operation takes.
 */
export function diskFiles(
  disk: Disk,
  fault: (attempt: number, what: Attempt) => Fault | null = () => null,
  past: readonly Operation[] = [],
  wait = aTurn,
): DiskFiles {
  const attempts: { what: Attempt; path: string }[] = [];
  const memory = memoryFiles(disk, past, wait);
  const failing = failingFiles(
    memory,
    (what, path) => {
      attempts.push({ what, path });
      return fault(attempts.length - 1, what);
    },
    memory.failedSyncs,
  );
  return {
    ...failing,
    trace: memory.trace,
    attempts,
    get open() {
      return memory.open;
    },
    async makeDirectory(path) {
      // One at a time: any of them may fail, and those above it stay.
      for (const folder of missingAbove(disk, path)) await failing.makeDirectory(folder);
    },
  };
}
