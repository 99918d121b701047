import type { Files, OpenFile } from './files.ts';
import { likeOnDisk } from './held-files.ts';
import { openFileWith } from './open-file-with.ts';

/** What happens to changes of files first. */
export interface Before {
  /** Before a file is written or made; what it throws is what comes of that. */
  readonly before: () => void;
  /** Before what takes its time: writes, and what makes files durable. What it rejects with is what comes of that; null: nothing. */
  readonly later: (isSync: boolean) => Promise<void> | null;
}

/** Wraps files: what needs room or makes them durable goes through `before` and `later`. Reads and removals do not. */
export function changedFiles(files: Files, { before, later }: Before): Files {
  const changed: Files = {
    ...files,
    openForWriting(path, create, mode) {
      if (create) before();
      return changedFile(files.openForWriting(path, create, mode), { before, later });
    },
    async makeDirectory(path, mode) {
      before();
      return files.makeDirectory(path, mode);
    },
    syncDirectory: (path) => behind(later(true), () => files.syncDirectory(path)),
  };
  return likeOnDisk(files, changed);
}

function changedFile(file: OpenFile, { before, later }: Before): OpenFile {
  return openFileWith(file, {
    writeNow(bytes, position) {
      before();
      file.writeNow(bytes, position);
    },
    async write(bytes, position) {
      before();
      await behind(later(false), () => file.write(bytes, position));
    },
    sync: () => behind(later(true), () => file.sync()),
  });
}

/** Costs no turn where there is nothing to wait for. */
const behind = (wait: Promise<void> | null, work: () => Promise<void>): Promise<void> =>
  wait === null ? work() : wait.then(work);
