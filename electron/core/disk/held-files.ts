import { nodeFiles, type Files, type OpenFile } from './files.ts';
import { openFileWith } from './open-file-with.ts';

/** Files over Node's own. */
const heldOnDisk = new WeakSet<Files>();

/** Returns whether a worker thread, which has Node's own files, finds the same ones. */
export const areOnDisk = (files: Files): boolean => files === nodeFiles || heldOnDisk.has(files);

/** Returns files that are where others are, after noting that. */
export function likeOnDisk(files: Files, others: Files): Files {
  if (areOnDisk(files)) heldOnDisk.add(others);
  return others;
}

/**
 * Wraps files: changes throw what `lost` returns, unless that is null: the folder is another process's by then. Reads go on.
 * `lost` is called before each change, so it has to be quick.
 */
export function heldFiles(files: Files, lost: () => Error | null): Files {
  const check = () => {
    const why = lost();
    if (why) throw why;
  };
  const held: Files = {
    ...files,
    openForWriting(path, create, mode) {
      check();
      return heldFile(files.openForWriting(path, create, mode), check);
    },
    async makeDirectory(path, mode) {
      check();
      return files.makeDirectory(path, mode);
    },
    async rename(from, to) {
      check();
      await files.rename(from, to);
    },
    async link(from, to) {
      check();
      await files.link(from, to);
    },
    async remove(path) {
      check();
      await files.remove(path);
    },
    async removeDirectory(path) {
      check();
      await files.removeDirectory(path);
    },
  };
  return likeOnDisk(files, held);
}

function heldFile(file: OpenFile, check: () => void): OpenFile {
  return openFileWith(file, {
    writeNow(bytes, position) {
      check();
      file.writeNow(bytes, position);
    },
    async write(bytes, position) {
      check();
      await file.write(bytes, position);
    },
    truncateNow(size) {
      check();
      file.truncateNow(size);
    },
  });
}
