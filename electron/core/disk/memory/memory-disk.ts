import { join, parse, resolve, sep } from 'node:path';
import type { Space } from '../free-space.ts';
import type { Files } from '../files.ts';
import { Room } from './content.ts';
import { aTurn, MemoryFile, OpenMemoryFile } from './memory-file.ts';
import { SystemError } from './system-error.ts';

/** What a service without a data directory calls the folder that it has in memory. */
export const MEMORY_DIRECTORY = resolve('/in-memory');

/** A disk in memory: nothing of it is anywhere else, and it ends with the process. */
export interface MemoryDisk {
  /** Errors are as those of a real disk; a full one throws MemoryFull (ENOSPC). */
  readonly files: Files;
  readonly space: Space;
}

/** Share of the memory that is free at the start: the service needs some for itself, and others on the machine do. */
const SHARE = 1 / 2;

/** Bytes that a disk in memory may take of this machine, or of the container that the process is in. */
export const spareMemory = (): number => Math.floor(process.availableMemory() * SHARE);

/** Bytes of V8's heap that a file or folder takes beside its content, about. */
const NAME_BYTES = 512;

class Folder {
  readonly entries = new Map<string, Folder | MemoryFile>();
}

/** `bytes`: what all files may take together, rounded up to 256 bytes and more, with their names. */
export function createMemoryDisk(bytes: number): MemoryDisk {
  const room = new Room(bytes);
  const root = new Folder();

  /** Where a name stands, and what it names. Throws ENOENT, ENOTDIR where no folder has room for such a name. */
  const look = (path: string, syscall: string) => {
    const names = namesIn(path);
    const name = names.pop();
    if (name === undefined) return { folder: root, name: '', entry: root };
    let folder = root;
    for (const each of names) {
      const next = folder.entries.get(each);
      if (!(next instanceof Folder))
        throw new SystemError(next === undefined ? 'ENOENT' : 'ENOTDIR', syscall, path);
      folder = next;
    }
    return { folder, name, entry: folder.entries.get(name) };
  };
  const find = (path: string, syscall: string) => {
    const { entry } = look(path, syscall);
    if (entry === undefined) throw new SystemError('ENOENT', syscall, path);
    return entry;
  };
  /** Null where the folder is not there either. */
  const lookIfThere = (path: string, syscall: string) => {
    try {
      return look(path, syscall);
    } catch (error) {
      if (error instanceof SystemError && error.code === 'ENOENT') return null;
      throw error;
    }
  };

  const add = (folder: Folder, name: string, entry: Folder | MemoryFile) => {
    room.take(NAME_BYTES);
    folder.entries.set(name, entry);
  };
  const drop = (folder: Folder, name: string, entry: Folder | MemoryFile) => {
    folder.entries.delete(name);
    room.give(NAME_BYTES);
    if (entry instanceof Folder) return;
    entry.names--;
    entry.freeWhereUnused();
  };

  const files: Files = {
    openForReading(path) {
      const entry = find(path, 'open');
      if (entry instanceof Folder) throw new SystemError('EISDIR', 'open', path);
      return new OpenMemoryFile(entry, path, false);
    },
    openForWriting(path, create) {
      const { folder, name, entry } = look(path, 'open');
      if (entry instanceof Folder) throw new SystemError('EISDIR', 'open', path);
      if (entry === undefined && !create) throw new SystemError('ENOENT', 'open', path);
      const file = entry ?? new MemoryFile(room);
      if (entry === undefined) add(folder, name, file);
      else if (create) file.content.resize(0);
      return new OpenMemoryFile(file, path, true);
    },
    hasOneName(path) {
      const entry = find(path, 'lstat');
      return entry instanceof MemoryFile && entry.names === 1;
    },
    async list(path) {
      const entry = find(path, 'scandir');
      if (!(entry instanceof Folder)) throw new SystemError('ENOTDIR', 'scandir', path);
      const found = [...entry.entries].map(([name, each]) => ({ name, isDirectory: each instanceof Folder }));
      await aTurn();
      return found;
    },
    async makeDirectory(path) {
      const names = namesIn(path);
      let folder = root;
      let topmost: string | undefined;
      for (const [i, name] of names.entries()) {
        const entry = folder.entries.get(name);
        if (entry instanceof MemoryFile)
          throw new SystemError(i === names.length - 1 ? 'EEXIST' : 'ENOTDIR', 'mkdir', path);
        const next = entry ?? new Folder();
        if (entry === undefined) {
          add(folder, name, next);
          topmost ??= join(parse(path).root, ...names.slice(0, i + 1));
        }
        folder = next;
      }
      await aTurn();
      return topmost;
    },
    async rename(from, to) {
      const source = look(from, 'rename');
      const target = look(to, 'rename');
      if (source.entry === undefined) throw new SystemError('ENOENT', 'rename', from);
      if (target.entry !== source.entry) {
        const code = whyNoRename(source.entry, target.entry, from, to);
        if (code !== null) throw new SystemError(code, 'rename', to);
        if (target.entry !== undefined) drop(target.folder, target.name, target.entry);
        source.folder.entries.delete(source.name);
        target.folder.entries.set(target.name, source.entry);
      }
      await aTurn();
    },
    async link(from, to) {
      const entry = find(from, 'link');
      const target = look(to, 'link');
      if (target.entry !== undefined) throw new SystemError('EEXIST', 'link', to);
      if (entry instanceof Folder) throw new SystemError('EPERM', 'link', from);
      add(target.folder, target.name, entry);
      entry.names++;
      await aTurn();
    },
    async remove(path) {
      const found = lookIfThere(path, 'unlink');
      if (found?.entry instanceof Folder) throw new SystemError('EISDIR', 'unlink', path);
      if (found?.entry !== undefined) drop(found.folder, found.name, found.entry);
      await aTurn();
    },
    async removeDirectory(path) {
      const found = lookIfThere(path, 'rmdir');
      if (found?.entry instanceof MemoryFile) throw new SystemError('ENOTDIR', 'rmdir', path);
      if (found?.entry !== undefined) {
        if (found.entry.entries.size > 0) throw new SystemError('ENOTEMPTY', 'rmdir', path);
        drop(found.folder, found.name, found.entry);
      }
      await aTurn();
    },
    async syncDirectory(path) {
      find(path, 'open');
      await aTurn();
    },
  };
  return {
    files,
    get space() {
      return { free: room.free, total: room.total };
    },
  };
}

/** The code of what stands against it; null where nothing does. */
function whyNoRename(
  source: Folder | MemoryFile,
  target: Folder | MemoryFile | undefined,
  from: string,
  to: string,
): string | null {
  if (isWithin(to, from)) return 'EINVAL';
  if (isWithin(from, to)) return 'ENOTEMPTY';
  if (source instanceof MemoryFile) return target instanceof Folder ? 'EISDIR' : null;
  if (target instanceof MemoryFile) return 'ENOTDIR';
  return target !== undefined && target.entries.size > 0 ? 'ENOTEMPTY' : null;
}

function isWithin(path: string, folder: string): boolean {
  const names = namesIn(path);
  return namesIn(folder).every((name, i) => names[i] === name);
}

function namesIn(path: string): string[] {
  const { root } = parse(path);
  return path
    .slice(root.length)
    .split(sep)
    .filter((name) => name !== '');
}
