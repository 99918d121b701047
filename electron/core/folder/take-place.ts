import type { Config } from '../base/config.ts';
import type { Files } from '../disk/files.ts';
import { diskSpace, type Space } from '../disk/free-space.ts';
import { createMemoryDisk, type MemoryDisk } from '../disk/memory/memory-disk.ts';
import { holdFolder, type HoldOptions } from './hold-folder.ts';

export interface PlaceOptions extends HoldOptions, Pick<Config, 'memoryBytes'> {
  /** Takes the place of a new one where the data directory is in memory: what was kept in it before is there. */
  readonly memory?: MemoryDisk;
}

/** Place of a data directory: a folder that is held, or memory. */
interface Place {
  readonly files: Files;
  /** Resolves with the space that is left for them. Throws Node's errors. */
  space(): Promise<Space>;
  /** For people to read. */
  readonly notes: readonly string[];
  release(): Promise<void>;
}

/** Takes the place of a data directory for this process alone. Throws StartError. */
export const takePlace = (options: PlaceOptions): Promise<Place> =>
  options.memoryBytes === null ? inFolder(options) : inMemory(options, options.memoryBytes);

async function inFolder(options: HoldOptions): Promise<Place> {
  const { lock, files } = await holdFolder(options);
  return {
    files,
    space: () => diskSpace(options.directory),
    get notes() {
      const lost = lock.lost();
      return [...(lost ? [lost.message] : []), ...(lock.note === null ? [] : [lock.note])];
    },
    release: () => lock.release(),
  };
}

/** Nobody else finds it: there is no lock, and no socket by which other commands would ask. */
async function inMemory({ directory, memory }: PlaceOptions, bytes: number): Promise<Place> {
  const disk = memory ?? createMemoryDisk(bytes);
  await disk.files.makeDirectory(directory);
  return {
    files: disk.files,
    space: () => Promise.resolve(disk.space),
    notes: [],
    release: () => Promise.resolve(),
  };
}
