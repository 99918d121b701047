import { setImmediate } from 'node:timers/promises';
import type { OpenFile } from '../files.ts';
import { Content, type Room } from './content.ts';
import { SystemError } from './system-error.ts';

/** An operation that waits for a disk elsewhere takes a turn of the event loop, so that long work holds up nobody. */
export const aTurn = (): Promise<void> => setImmediate();

export class MemoryFile {
  readonly content: Content;
  /** How many names it has. */
  names = 1;
  /** How often it is open. */
  opened = 0;

  constructor(room: Room) {
    this.content = new Content(room);
  }

  /** Its room is free once it has no name and nobody has it open, as on a disk. */
  freeWhereUnused(): void {
    if (this.names === 0 && this.opened === 0) this.content.resize(0);
  }
}

export class OpenMemoryFile implements OpenFile {
  readonly #path: string;
  readonly #isWritable: boolean;
  #file: MemoryFile | null;

  constructor(file: MemoryFile, path: string, isWritable: boolean) {
    this.#file = file;
    this.#path = path;
    this.#isWritable = isWritable;
    file.opened++;
  }

  get size(): number {
    return this.#content('fstat').size;
  }

  readNow(into: Uint8Array, position: number): number {
    return this.#content('read').read(into, position);
  }

  async read(into: Uint8Array, position: number): Promise<number> {
    const count = this.readNow(into, position);
    await aTurn();
    return count;
  }

  writeNow(bytes: Uint8Array, position: number): void {
    if (!this.#isWritable) throw new SystemError('EBADF', 'write', this.#path);
    this.#content('write').write(bytes, position);
  }

  async write(bytes: Uint8Array, position: number): Promise<void> {
    this.writeNow(bytes, position);
    await aTurn();
  }

  truncateNow(size: number): void {
    if (!this.#isWritable) throw new SystemError('EINVAL', 'ftruncate', this.#path);
    this.#content('ftruncate').resize(size);
  }

  async sync(): Promise<void> {
    this.#content('fdatasync');
    await aTurn();
  }

  close(): void {
    this.#content('close');
    const file = this.#file!;
    this.#file = null;
    file.opened--;
    file.freeWhereUnused();
  }

  #content(syscall: string): Content {
    if (this.#file === null) throw new SystemError('EBADF', syscall, this.#path);
    return this.#file.content;
  }
}
