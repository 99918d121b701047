import type { DeviceSegments } from './device-segments.ts';
import type { Serial } from '../../../turns/serial.ts';
import type { Common } from './common.ts';

export interface FolderLifecycleParts {
  readonly common: Common;
  readonly kept: DeviceSegments;
  /** Changes of the device's files. */
  readonly work: Serial;
  readonly rows: () => number;
}

/** Lifecycle of a device's folder: none after a removal, unless records were stored or an import began since. */
export class FolderLifecycle {
  /** How often the device was removed. */
  drops = 0;
  /** Removed, and nothing stored since. */
  isDropped = false;
  /** Soft deletes under way, which need the folder. */
  keeping = 0;
  /** Called when a removal has left no trace on the disk. */
  whenGone: (() => void) | null = null;
  /** Imports under way that began since. */
  #imports = 0;
  readonly #parts: FolderLifecycleParts;

  constructor(parts: FolderLifecycleParts) {
    this.#parts = parts;
  }

  /** Whether there is anything that a removal would have to take away. */
  get leavesTraces(): boolean {
    return this.#parts.kept.folder.present || this.#imports > 0 || this.keeping > 0;
  }

  /** Whether nothing of the device is to be on disk. */
  get #isGone(): boolean {
    return this.isDropped && this.#parts.rows() === 0 && this.#imports === 0;
  }

  drop(): void {
    this.isDropped = true;
    this.drops++;
    // What is imported now comes to nothing, and makes no more files.
    this.#imports = 0;
  }

  /**
   * Makes room for the files of an import, which need it before anything of them counts; `drops` now tells `endImport`
   * whether the device was removed since.
   */
  async beginImport(): Promise<void> {
    const { drops } = this;
    this.#imports++;
    try {
      await this.#parts.work.run(() => this.#parts.kept.prepare());
    } catch (error) {
      this.endImport(drops);
      throw error;
    }
  }

  endImport(drops: number): void {
    if (drops === this.drops) this.#endImports(this.#imports - 1);
  }

  /** Ends imports at the close of the store: unfinished ones are dropped. */
  endImports(): void {
    this.#endImports(0);
  }

  #endImports(left: number): void {
    const { common, kept, work } = this.#parts;
    this.#imports = left;
    if (this.#isGone && kept.folder.present) common.background(work.run(() => this.persist()));
  }

  /**
   * Brings the folder up to a purge, or takes it away. What is to be done is asked anew after every wait: the device may
   * be removed meanwhile, and a manifest that is written then would stay for ever.
   */
  async persist(always = false): Promise<void> {
    const { kept } = this.#parts;
    const { folder } = kept;
    for (
      let isDue = always;
      isDue || folder.persisted < kept.flushed || (this.#isGone && folder.present);
      isDue = false
    ) {
      if (!this.#isGone) await kept.prepare();
      if (this.#isGone) await folder.remove(kept.flushed);
      else await kept.save();
    }
    if (this.#isGone && !folder.present) this.whenGone?.();
  }
}
