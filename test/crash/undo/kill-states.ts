import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Files, OpenFile } from '#core/disk/files.ts';
import { openFileWith } from '#core/disk/open-file-with.ts';

/*
 * What a data folder may hold when its service is killed: all that was written until then, since the system has it. Each
 * change of a file makes one such state.
 */

/** A folder's files by their paths in it, without what says who uses it. */
export type FolderState = ReadonlyMap<string, Buffer>;

let changed: (() => void) | null = null;

/** The same files, which tell of each change once it is made. */
export function watched(files: Files): Files {
  const after = async <T>(work: Promise<T>): Promise<T> => {
    const result = await work;
    changed?.();
    return result;
  };
  return {
    ...files,
    openForWriting(path, create, mode) {
      const file = watchedFile(files.openForWriting(path, create, mode), after);
      changed?.();
      return file;
    },
    makeDirectory: (path, mode) => after(files.makeDirectory(path, mode)),
    rename: (from, to) => after(files.rename(from, to)),
    remove: (path) => after(files.remove(path)),
    removeDirectory: (path) => after(files.removeDirectory(path)),
  };
}

function watchedFile(file: OpenFile, after: <T>(work: Promise<T>) => Promise<T>): OpenFile {
  return openFileWith(file, {
    writeNow(bytes, position) {
      file.writeNow(bytes, position);
      changed?.();
    },
    write: (bytes, position) => after(file.write(bytes, position)),
    truncateNow(size) {
      file.truncateNow(size);
      changed?.();
    },
  });
}

/** Every state that a folder has while something is done, each once, the first one before it. */
export async function statesDuring(directory: string, work: () => Promise<void>): Promise<FolderState[]> {
  const states = new Map<string, FolderState>();
  const note = () => {
    const state = stateOf(directory);
    const hash = createHash('sha256');
    for (const [path, bytes] of state) hash.update(`${path} ${bytes.length}\n`).update(bytes);
    states.set(hash.digest('hex'), state);
  };
  note();
  changed = note;
  try {
    await work();
  } finally {
    changed = null;
  }
  return [...states.values()];
}

/** Writes a state into an empty folder. */
export function writeState(directory: string, state: FolderState): void {
  for (const [path, bytes] of state) {
    mkdirSync(dirname(join(directory, path)), { recursive: true, mode: 0o700 });
    writeFileSync(join(directory, path), bytes, { mode: 0o600 });
  }
}

function stateOf(directory: string): FolderState {
  const state = new Map<string, Buffer>();
  const entries = readdirSync(directory, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.name.startsWith('lock.'));
  for (const { parentPath, name } of files) {
    const path = join(parentPath, name);
    state.set(path.slice(directory.length + 1), readFileSync(path));
  }
  return state;
}
