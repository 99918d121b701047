import { setImmediate } from 'node:timers/promises';
import type { Files, OpenFile } from '#core/disk/files.ts';
import { ROOT, type Disk, type Node, type Operation } from './disk.ts';
import { systemError, type FailedSyncs } from './failing-files.ts';

export interface MemoryFiles extends Files {
  /** All that was done, in order. */
  readonly trace: readonly Operation[];
  /** Files that are open. */
  readonly open: number;
  /** Keeps in the trace that syncs failed: what they were to make durable may be lost for good. */
  readonly failedSyncs: FailedSyncs;
}

/** How long whoever asked for a file operation waits until it is over. */
export type Wait = () => Promise<void>;

/** A turn of the event loop. */
export const aTurn: Wait = () => setImmediate();

/** Files of a disk in memory, none of which ever fails without a reason. `past` is what was done to the disk before. */
export function memoryFiles(disk: Disk, past: readonly Operation[], wait = aTurn): MemoryFiles {
  const trace = [...past];
  const nodes = new WeakMap<OpenFile, Node>();
  let open = 0;

  const perform = (operation: Operation): void => {
    trace.push(operation);
    disk.apply(operation);
  };
  const sync = async (node: Node): Promise<void> => {
    const since = trace.length;
    await wait();
    perform({ kind: 'sync', node, since });
  };
  const failSync = (node: Node): void => perform({ kind: 'failed-sync', node, since: trace.length });

  const openFile = (path: string, node: Node): OpenFile => {
    let closed = false;
    open++;
    const use = () => {
      if (closed) throw systemError('EBADF', 'read', path);
      return disk.file(node);
    };
    const readNow = (into: Uint8Array, position: number): number => {
      const { begin, size } = use();
      const bytes = begin.subarray(position, position + into.length);
      into.set(bytes);
      const length = Math.max(0, Math.min(into.length, size - position));
      into.fill(0, bytes.length, length);
      return length;
    };
    const writeNow = (bytes: Uint8Array, position: number): void => {
      use();
      perform({ kind: 'write', node, position, bytes: copyOf(bytes) });
    };
    const file: OpenFile = {
      get size() {
        return use().size;
      },
      readNow,
      async read(into, position) {
        const count = readNow(into, position);
        await wait();
        return count;
      },
      writeNow,
      async write(bytes, position) {
        writeNow(bytes, position);
        await wait();
      },
      truncateNow(size) {
        use();
        perform({ kind: 'truncate', node, size });
      },
      async sync() {
        use();
        await sync(node);
      },
      close() {
        if (!closed) open--;
        closed = true;
      },
    };
    nodes.set(file, node);
    return file;
  };

  return {
    trace,
    get open() {
      return open;
    },
    failedSyncs: {
      file(file) {
        const node = nodes.get(file);
        if (node !== undefined) failSync(node);
      },
      folder: (path) => failSync(find(disk, path)),
    },
    openForReading: (path) => openFile(path, find(disk, path)),
    openForWriting(path, create) {
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
    hasOneName: (path) => !disk.isFolder(find(disk, path)),
    async list(path) {
      const names = [...disk.folder(find(disk, path))];
      await wait();
      return names.map(([name, node]) => ({ name, isDirectory: disk.isFolder(node) }));
    },
    async makeDirectory(path) {
      const absent = missingAbove(disk, path);
      for (const missingOne of absent) {
        const { folder, name } = look(disk, missingOne);
        perform({ kind: 'make', folder, name, node: disk.next, what: 'folder' });
      }
      await wait();
      return absent[0];
    },
    async rename(from, to) {
      const { folder, name } = look(disk, from);
      const node = find(disk, from);
      const target = look(disk, to);
      if (target.node !== undefined && disk.isFolder(target.node) && disk.folder(target.node).size > 0)
        throw systemError('ENOTEMPTY', 'rename', to);
      perform({ kind: 'rename', folder, name, toFolder: target.folder, toName: target.name, node });
      await wait();
    },
    async link(from, to) {
      const node = find(disk, from);
      const target = look(disk, to);
      if (target.node !== undefined) throw systemError('EEXIST', 'make', to);
      // A name more of what there is.
      perform({ kind: 'make', folder: target.folder, name: target.name, node, what: 'file' });
      await wait();
    },
    async remove(path) {
      if (missingAbove(disk, path).length > 0) return wait();
      const { folder, name, node } = look(disk, path);
      if (node !== undefined && disk.isFolder(node)) throw systemError('EISDIR', 'remove', path);
      if (node !== undefined) perform({ kind: 'remove', folder, name });
      await wait();
    },
    async removeDirectory(path) {
      const { folder, name, node } = look(disk, path);
      if (node !== undefined && disk.folder(node).size > 0) throw systemError('ENOTEMPTY', 'remove', path);
      if (node !== undefined) perform({ kind: 'remove', folder, name });
      await wait();
    },
    syncDirectory: async (path) => sync(find(disk, path)),
  };
}

const zeros = Buffer.alloc(1 << 18);

/** Of zeros, which most of a log is, there is one for all. */
function copyOf(bytes: Uint8Array): Buffer {
  const none = zeros.subarray(0, bytes.length);
  return none.equals(bytes) ? none : Buffer.from(bytes);
}

/** The folders of a path that are not there, from the top. */
export function missingAbove(disk: Disk, path: string): string[] {
  const names = path.split('/').filter((name) => name !== '');
  const paths = names.map((_, i) => `/${names.slice(0, i + 1).join('/')}`);
  const first = paths.findIndex((one) => look(disk, one).node === undefined);
  return first === -1 ? [] : paths.slice(first);
}

function missing(path: string): never {
  throw systemError('ENOENT', 'open', path);
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
    if (!disk.isFolder(folder)) throw systemError('ENOTDIR', 'open', path);
    node = disk.folder(folder).get(name);
  }
  return { folder, name, node };
}
