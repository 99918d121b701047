import { setImmediate } from 'node:timers/promises';
import type { Files, OpenFile } from '#core/disk/files.ts';
import { ROOT, type Disk, type Node, type Operation } from './disk.ts';

/** What goes wrong with one operation. `short` writes half of the bytes before the disk is full. */
export type Fault = 'EIO' | 'ENOSPC' | 'EROFS' | 'short';

/** `write` stays within a file, `grow` goes beyond its end. */
export type Attempt =
  | 'make'
  | 'rename'
  | 'remove'
  | 'write'
  | 'grow'
  | 'truncate'
  | 'sync'
  | 'sync-folder'
  | 'read'
  | 'open'
  | 'list';

export interface DiskFiles extends Files {
  /** All that was done, in order. */
  readonly trace: readonly Operation[];
  /** What was tried, in order, whether or not it worked. */
  readonly attempts: readonly { readonly what: Attempt; readonly path: string }[];
  /** Files that are open. */
  readonly open: number;
}

/**
 * The log's file layer over a disk in memory. `fault` is asked before every attempt, by its number. `past` is what was
 * done to the disk before, by a process that was killed: what it did not sync is still waiting to be.
 */
export function diskFiles(
  disk: Disk,
  fault: (attempt: number, what: Attempt) => Fault | null = () => null,
  past: readonly Operation[] = [],
): DiskFiles {
  const trace = [...past];
  const attempts: { what: Attempt; path: string }[] = [];
  let open = 0;

  /** Counts an attempt and makes it fail if it is to. */
  const attempt = (what: Attempt, path: string): Fault | null => {
    attempts.push({ what, path });
    const failing = fault(attempts.length - 1, what);
    if (failing === 'short' && (what === 'write' || what === 'grow')) return failing;
    if (failing) throw failed(failing === 'short' ? 'ENOSPC' : failing, what, path);
    return null;
  };
  const perform = (operation: Operation): void => {
    trace.push(operation);
    disk.apply(operation);
  };

  const openFile = (path: string, node: Node): OpenFile => {
    let closed = false;
    open++;
    const use = () => {
      if (closed) throw failed('EBADF', 'read', path);
      return disk.file(node);
    };
    const readNow = (into: Uint8Array, position: number): number => {
      attempt('read', path);
      const bytes = use().bytes.subarray(position, position + into.length);
      into.set(bytes);
      return bytes.length;
    };
    const writeNow = (bytes: Uint8Array, position: number): void => {
      const short = attempt(position + bytes.length > use().size ? 'grow' : 'write', path);
      const length = short ? bytes.length >> 1 : bytes.length;
      perform({ kind: 'write', node, position, bytes: Buffer.from(bytes.subarray(0, length)) });
      if (short) throw failed('ENOSPC', 'write', path);
    };
    return {
      get size() {
        return use().size;
      },
      readNow,
      async read(into, position) {
        const count = readNow(into, position);
        await setImmediate();
        return count;
      },
      writeNow,
      async write(bytes, position) {
        writeNow(bytes, position);
        await setImmediate();
      },
      truncateNow(size) {
        attempt('truncate', path);
        use();
        perform({ kind: 'truncate', node, size });
      },
      async sync() {
        const since = trace.length;
        use();
        try {
          attempt('sync', path);
        } catch (error) {
          perform({ kind: 'failed-sync', node, since });
          throw error;
        }
        await setImmediate();
        perform({ kind: 'sync', node, since });
      },
      close() {
        if (!closed) open--;
        closed = true;
      },
    };
  };

  return {
    trace,
    attempts,
    get open() {
      return open;
    },
    openForReading(path) {
      attempt('open', path);
      return openFile(path, find(disk, path));
    },
    openForWriting(path, create) {
      attempt(create ? 'make' : 'open', path);
      const { folder, name, node } = look(disk, path);
      if (!create) return openFile(path, node ?? missing(path));
      if (node !== undefined) {
        perform({ kind: 'truncate', node, size: 0 });
        return openFile(path, node);
      }
      const made = disk.next;
      perform({ kind: 'make', folder, name, node: made, what: 'file' });
      return openFile(path, made);
    },
    async list(path) {
      attempt('list', path);
      const names = [...disk.folder(find(disk, path))];
      await setImmediate();
      return names.map(([name, node]) => ({ name, isDirectory: disk.isFolder(node) }));
    },
    async makeDirectory(path) {
      for (const above of prefixes(path)) {
        const { folder, name, node } = look(disk, above);
        if (node !== undefined) continue;
        attempt('make', above);
        perform({ kind: 'make', folder, name, node: disk.next, what: 'folder' });
      }
      await setImmediate();
    },
    async rename(from, to) {
      attempt('rename', from);
      const { folder, name } = look(disk, from);
      const node = find(disk, from);
      const target = look(disk, to);
      if (target.node !== undefined && disk.isFolder(target.node) && disk.folder(target.node).size > 0)
        throw failed('ENOTEMPTY', 'rename', to);
      perform({ kind: 'rename', folder, name, toFolder: target.folder, toName: target.name, node });
      await setImmediate();
    },
    async remove(path) {
      attempt('remove', path);
      const { folder, name, node } = look(disk, path);
      if (node !== undefined && disk.isFolder(node)) throw failed('EISDIR', 'remove', path);
      if (node !== undefined) perform({ kind: 'remove', folder, name });
      await setImmediate();
    },
    async removeDirectory(path) {
      attempt('remove', path);
      const { folder, name, node } = look(disk, path);
      if (node !== undefined && disk.folder(node).size > 0) throw failed('ENOTEMPTY', 'remove', path);
      if (node !== undefined) perform({ kind: 'remove', folder, name });
      await setImmediate();
    },
    async syncDirectory(path) {
      const since = trace.length;
      const node = find(disk, path);
      try {
        attempt('sync-folder', path);
      } catch (error) {
        perform({ kind: 'failed-sync', node, since });
        throw error;
      }
      await setImmediate();
      perform({ kind: 'sync', node, since });
    },
  };
}

function failed(code: string, what: Attempt, path: string): Error {
  return Object.assign(new Error(`${code}: ${what} '${path}'`), { code });
}

function missing(path: string): never {
  throw failed('ENOENT', 'open', path);
}

function find(disk: Disk, path: string): Node {
  return look(disk, path).node ?? missing(path);
}

/** Where a name stands, and what it names. */
function look(disk: Disk, path: string): { folder: Node; name: string; node: Node | undefined } {
  const names = path.split('/').filter((name) => name !== '');
  let folder = ROOT;
  let node: Node | undefined = ROOT;
  let name = '';
  for (name of names) {
    folder = node ?? missing(path);
    if (!disk.isFolder(folder)) throw failed('ENOTDIR', 'open', path);
    node = disk.folder(folder).get(name);
  }
  return { folder, name, node };
}

function prefixes(path: string): string[] {
  const names = path.split('/').filter((name) => name !== '');
  return names.map((_, i) => `/${names.slice(0, i + 1).join('/')}`);
}
