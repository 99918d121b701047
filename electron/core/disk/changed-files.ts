import type { Files, OpenFile } from './files.ts';
import { likeOnDisk } from './held-files.ts';
import { openFileWith } from './open-file-with.ts';

/** What happens to changes of files first. */
interface Before {
  /** Before a file or folder is made; what it throws is what comes of that. */
  readonly making: () => void;
  /** The same before bytes are written to a position of a file. */
  readonly writing: (file: OpenFile, bytes: Uint8Array, position: number) => void;
  /** Before what takes its time: writes, and what makes files durable. What it rejects with is what comes of that; null: nothing. */
  readonly later: (isSync: boolean) => Promise<void> | null;
}

/** Wraps files: what needs room or makes them durable goes through these. Reads and removals do not. */
export function changedFiles(files: Files, first: Before): Files {
  const { making, later } = first;
  const changed: Files = {
    ...files,
    openForWriting(path, create, mode) {
      if (create) making();
      return changedFile(files.openForWriting(path, create, mode), first);
    },
    async makeDirectory(path, mode) {
      making();
      return files.makeDirectory(path, mode);
    },
    syncDirectory: (path) => behind(later(true), () => files.syncDirectory(path)),
  };
  return likeOnDisk(files, changed);
}

function changedFile(file: OpenFile, { writing, later }: Before): OpenFile {
  return openFileWith(file, {
    writeNow(bytes, position) {
      writing(file, bytes, position);
      file.writeNow(bytes, position);
    },
    async write(bytes, position) {
      writing(file, bytes, position);
      await behind(later(false), () => file.write(bytes, position));
    },
    sync: () => behind(later(true), () => file.sync()),
  });
}

/** Costs no turn where there is nothing to wait for. */
const behind = (wait: Promise<void> | null, work: () => Promise<void>): Promise<void> =>
  wait === null ? work() : wait.then(work);
