import { execFile } from 'node:child_process';
import { mkdtemp, open, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { errorCode } from '#core/disk/errors.ts';
import { nodeFiles, type Files, type OpenFile } from '#core/disk/files.ts';
import { createMemoryDisk, MEMORY_DIRECTORY } from '#core/disk/memory/memory-disk.ts';

const run = promisify(execFile);

/** A disk of a few megabytes that can be filled up. */
export interface FillableDisk {
  readonly directory: string;
  readonly files: Files;
  /** Takes so many bytes, in a file of its own. */
  take(bytes: number): Promise<void>;
  /** Takes all space that is left, in the same file. */
  fill(): Promise<void>;
  /** Gives that file's space back. */
  free(): Promise<void>;
  remove(): Promise<void>;
}

/** One that is a mount in memory, and can be made read-only, too. */
export interface SmallDisk extends FillableDisk {
  /** Makes it larger. */
  grow(megabytes: number): Promise<void>;
  makeReadOnly(): Promise<void>;
  makeWritable(): Promise<void>;
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
    files: nodeFiles,
    take: (bytes) => writeFile(ballast, Buffer.alloc(bytes)),
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

/** The disk of a service that keeps everything in memory. */
export async function smallMemory(megabytes = 2): Promise<FillableDisk> {
  const disk = createMemoryDisk(megabytes << 20);
  const { files } = disk;
  const ballast = join(MEMORY_DIRECTORY, 'ballast');
  await files.makeDirectory(MEMORY_DIRECTORY);
  let file: OpenFile | null = null;
  const take = (bytes: number) => {
    file ??= files.openForWriting(ballast, true);
    file.writeNow(Buffer.alloc(bytes), file.size);
  };
  return {
    directory: MEMORY_DIRECTORY,
    files,
    take: async (bytes) => take(bytes),
    async fill() {
      for (let bytes = 1 << 16; bytes >= 1 << 8; bytes /= 2)
        try {
          for (;;) take(bytes);
        } catch (error) {
          if (errorCode(error) !== 'ENOSPC') throw error;
        }
    },
    async free() {
      file?.close();
      file = null;
      await files.remove(ballast);
    },
    remove: () => Promise.resolve(),
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
