import type { Segment } from './segment.ts';

/**
 * Segments of a device that are there, or may be again after a power cut, though its manifest does not name them: what is
 * being written, and what is read still. They may hold what was deleted, so the log says where they are for as long as they
 * are there.
 */
export class UnnamedFiles {
  readonly #numbers = new Set<number>();
  /** Removed files, which no sync has confirmed. */
  #removed: number[] = [];
  /** Files that a reader needs and the device no more. */
  readonly #read = new Set<number>();

  get any(): boolean {
    return this.#numbers.size > 0;
  }

  get isConfirmed(): boolean {
    return this.#removed.length === 0;
  }

  add(number: number): void {
    this.#numbers.add(number);
  }

  /** The manifest is not to name them any more. */
  unname(segments: Iterable<Segment>): void {
    for (const { meta } of segments) this.#numbers.add(meta.id);
  }

  /** The manifest on disk names them. */
  name(segments: Iterable<Segment>): void {
    for (const { meta } of segments) this.#numbers.delete(meta.id);
  }

  /** Ends the device's own use of segments that its manifest names no more: their files go, or when their readers end. */
  async release(segments: readonly Segment[]): Promise<void> {
    for (const segment of segments)
      if (await segment.free()) this.removed(segment.meta.id);
      else this.#read.add(segment.meta.id);
  }

  /** Ends one use of a reader of each. Resolves with whether a file went with it, which is to be confirmed. */
  async free(segments: readonly Segment[]): Promise<boolean> {
    let isGone = false;
    for (const segment of segments) {
      if (!(await segment.free())) continue;
      this.removed(segment.meta.id);
      isGone = true;
    }
    return isGone;
  }

  /** Takes the files that only readers needed, to be removed now. */
  takeRead(): readonly number[] {
    const taken = [...this.#read];
    this.#read.clear();
    return taken;
  }

  /** A file was removed, which a power cut may undo. */
  removed(number: number): void {
    this.#read.delete(number);
    this.#removed.push(number);
  }

  /** `sync` makes durable which files were removed before it. */
  async confirm(sync: () => Promise<void>): Promise<void> {
    const confirmed = this.#removed;
    this.#removed = [];
    await sync();
    for (const number of confirmed) this.#numbers.delete(number);
  }

  /** The folder is gone. */
  clear(): void {
    this.#numbers.clear();
    this.#removed = [];
    this.#read.clear();
  }
}
