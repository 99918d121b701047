/*
 * A disk in memory that remembers every operation, so that a test can ask what a power cut would have left of it.
 * A file or folder is a node with a number; names are entries of folders.
 */

export type Node = number;

export const ROOT: Node = 0;

/** What was done to a disk. A node comes to be with its first operation, whether or not a name of it survives. */
export type Operation =
  | {
      readonly kind: 'make';
      readonly folder: Node;
      readonly name: string;
      readonly node: Node;
      readonly what: What;
    }
  | {
      readonly kind: 'rename';
      readonly folder: Node;
      readonly name: string;
      readonly toFolder: Node;
      readonly toName: string;
      readonly node: Node;
    }
  | { readonly kind: 'remove'; readonly folder: Node; readonly name: string }
  | { readonly kind: 'write'; readonly node: Node; readonly position: number; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly node: Node; readonly size: number }
  /** Covers what was done to the node before operation `since` of the trace. */
  | { readonly kind: 'sync' | 'failed-sync'; readonly node: Node; readonly since: number };

export type What = 'file' | 'folder';

/** The log is made longer by so many zeros at once. */
const zeros = Buffer.alloc(1 << 18);

class File {
  #bytes = Buffer.alloc(0);
  /** Zeros from there on, which are not kept. */
  #end = 0;
  size = 0;

  get bytes(): Buffer {
    const bytes = Buffer.alloc(this.size);
    this.begin.copy(bytes);
    return bytes;
  }

  /** Its bytes, but for zeros at the end. Valid until the next change. */
  get begin(): Buffer {
    return this.#bytes.subarray(0, this.#end);
  }

  write(bytes: Buffer, position: number): void {
    const end = position + bytes.length;
    this.size = Math.max(this.size, end);
    if (position >= this.#end && bytes.equals(zeros.subarray(0, bytes.length))) return;
    this.#reserve(end);
    bytes.copy(this.#bytes, position);
    this.#end = Math.max(this.#end, end);
  }

  resize(size: number): void {
    if (size < this.#end) {
      this.#bytes.fill(0, size, this.#end);
      this.#end = size;
    }
    this.size = size;
  }

  #reserve(size: number): void {
    if (size <= this.#bytes.length) return;
    const grown = Buffer.alloc(Math.max(size, this.#bytes.length * 2));
    this.begin.copy(grown);
    this.#bytes = grown;
  }
}

export class Disk {
  readonly #files = new Map<Node, File>();
  readonly #folders = new Map<Node, Map<string, Node>>([[ROOT, new Map()]]);
  /** The number of the next node. */
  next: Node = ROOT + 1;

  /** Does one operation; what it needs and a crash has taken away is made. */
  apply(operation: Operation): void {
    switch (operation.kind) {
      case 'make':
        this.folder(operation.folder).set(operation.name, operation.node);
        if (operation.what === 'folder') this.folder(operation.node);
        else this.file(operation.node);
        return;
      case 'rename':
        this.folder(operation.folder).delete(operation.name);
        this.folder(operation.toFolder).set(operation.toName, operation.node);
        return;
      case 'remove':
        this.folder(operation.folder).delete(operation.name);
        return;
      case 'write':
        this.file(operation.node).write(operation.bytes, operation.position);
        return;
      case 'truncate':
        this.file(operation.node).resize(operation.size);
        return;
      case 'sync':
      case 'failed-sync':
        return;
    }
  }

  file(node: Node): File {
    const file = this.#files.get(node) ?? new File();
    this.#files.set(node, file);
    this.next = Math.max(this.next, node + 1);
    return file;
  }

  folder(node: Node): Map<string, Node> {
    const folder = this.#folders.get(node) ?? new Map<string, Node>();
    this.#folders.set(node, folder);
    this.next = Math.max(this.next, node + 1);
    return folder;
  }

  isFolder(node: Node): boolean {
    return this.#folders.has(node);
  }

  /** Every file that has a name, by its path. */
  *paths(folder: Node = ROOT, above = ''): Generator<readonly [path: string, node: Node]> {
    for (const [name, node] of this.folder(folder))
      if (this.isFolder(node)) yield* this.paths(node, `${above}/${name}`);
      else yield [`${above}/${name}`, node];
  }

  /** A disk of the same content and nodes. */
  copy(): Disk {
    const copy = new Disk();
    for (const [node, names] of this.#folders)
      for (const [name, inner] of names) copy.folder(node).set(name, inner);
    for (const node of this.#folders.keys()) copy.folder(node);
    for (const [node, file] of this.#files) {
      copy.file(node).write(file.begin, 0);
      copy.file(node).resize(file.size);
    }
    return copy;
  }
}
