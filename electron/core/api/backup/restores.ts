import { basename } from 'node:path';
import { z } from 'zod';
import { parseJson } from '#shared/values/json.ts';
import { UnconfirmedWrite } from '../../disk/atomic-file.ts';
import type { LineJournal } from '../../disk/line-journal.ts';
import { Serial } from '../../turns/serial.ts';

const begun = z.object({
  device: z.string(),
  /** Under which its records are soft-deleted until the restore is decided. */
  name: z.string(),
  /** Whether the device is not there but for the restore. */
  isAdded: z.boolean(),
});
/** A device of a restore that has begun. */
export type BegunDevice = Readonly<z.output<typeof begun>>;

/**
 * Intent log of restores: what one has stored and not decided, which a crash or a failing disk leaves, is taken back before the next
 * one, or by the next start (take-back.ts). A restore is decided by a change of the metadata (decide-restore.ts).
 */
export class Restores {
  readonly #journal: LineJournal;
  readonly #serial = new Serial();
  #pending: readonly BegunDevice[];
  /** In-doubt write: what the journal holds is found by the next start. */
  #inDoubt: UnconfirmedWrite | null = null;
  /** For people to read. */
  readonly notes: readonly string[];

  private constructor(journal: LineJournal, pending: readonly BegunDevice[], notes: readonly string[]) {
    this.#journal = journal;
    this.#pending = pending;
    this.notes = notes;
  }

  /** Rejects with StoreError. */
  static async open(journal: LineJournal): Promise<Restores> {
    const { lines, rest } = await journal.read();
    const read = z.array(begun).safeParse(lines.map((text) => parseJson(text)));
    if (rest === 'nothing' && read.success) return new Restores(journal, read.data, []);
    const aside = await journal.setAside();
    return new Restores(journal, read.data ?? [], [
      `The journal of a restore that was under way was damaged; it was kept as ${basename(aside)}. Restore that backup once more.`,
    ]);
  }

  /** Devices of a restore that has begun. */
  get pending(): readonly BegunDevice[] {
    return this.#pending;
  }

  /** Runs one restore after the other. Rejects with UnconfirmedWrite where it is not known what became of the last one. */
  run<T>(work: () => Promise<T>): Promise<T> {
    return this.#serial.run(() => {
      if (this.#inDoubt !== null) throw this.#inDoubt;
      return work();
    });
  }

  /** Resolves once it is on disk which devices a restore is about to store; before that nothing is. Rejects with StoreError. */
  async begin(devices: readonly BegunDevice[]): Promise<void> {
    await this.#replace(devices);
    this.#pending = devices;
  }

  /** Nothing of it is left that is undecided. Rejects with StoreError. */
  async over(): Promise<void> {
    await this.#replace([]);
    this.#pending = [];
  }

  close(): Promise<void> {
    return this.#journal.close();
  }

  async #replace(devices: readonly BegunDevice[]): Promise<void> {
    try {
      await this.#journal.replace(devices.map((device) => JSON.stringify(device)));
    } catch (error) {
      if (error instanceof UnconfirmedWrite) this.#inDoubt = error;
      throw error;
    }
  }
}
