import { execFile } from 'node:child_process';
import { mkdtemp, open, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A disk of a few megabytes, in memory, that can be filled up and made read-only. */
export interface SmallDisk {
  readonly directory: string;
  /** The file that takes space. */
  readonly ballast: string;
  /** Takes all space that is left, in a file of its own. */
  fill(): Promise<void>;
  /** Gives that file's space back. */
  free(): Promise<void>;
  /** Makes it larger. */
  grow(megabytes: number): Promise<void>;
  makeReadOnly(): Promise<void>;
  makeWritable(): Promise<void>;
  remove(): Promise<void>;
}

export async function mountSmallDisk(megabytes = 2): Promise<SmallDisk> {
  const directory = await mkdtemp(join(tmpdir(), 'fieldbench-disk-'));
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', directory]);
  } catch (error) {
    await rmdir(directory);
    throw error;
  }
  const ballast = join(directory, 'ballast');
  return {
    directory,
    ballast,
    async fill() {
      const file = await open(ballast, 'a');
      try {
        for (;;) await file.write(Buffer.alloc(4096));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        await file.close();
      }
    },
    free: () => rm(ballast),
    async grow(larger) {
      await run('mount', ['-o', `remount,size=${larger}m`, directory]);
    },
    async makeReadOnly() {
      await run('mount', ['-o', 'remount,ro', directory]);
    },
    async makeWritable() {
      await run('mount', ['-o', `remount,rw,size=${megabytes}m`, directory]);
    },
    async remove() {
      await run('umount', [directory]);
      await rmdir(directory);
    },
  };
}

/** Why small disks cannot be mounted here, said aloud once; null when they can. */
export async function mountingRefused(): Promise<string | null> {
  try {
    await (await mountSmallDisk()).remove();
    return null;
  } catch (error) {
    const reason = error instanceof Error ? error.message.trim() : String(error);
    console.log(`Skipped: tests on a small disk mount a tmpfs, which needs root. ${reason}`);
    return reason;
  }
}
