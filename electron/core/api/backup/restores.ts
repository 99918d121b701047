import { basename } from 'node:path';
import { z } from 'zod';
import { parseJson } from '#shared/values/json.ts';
import type { BackupRow } from '../../backup/backup-rows.ts';
import { UnconfirmedWrite } from '../../disk/atomic-file.ts';
import type { LineJournal } from '../../disk/line-journal.ts';
import { TABLE_NAMES } from '../../store/metadata/metadata-schema.ts';
import { Serial } from '../../turns/serial.ts';

/** A device whose records come back. */
export interface RestoredDevice {
  readonly device: string;
  /** Whether it is not there before. */
  readonly isAdded: boolean;
  /** The soft delete of what is replaced; null where nothing is. */
  readonly undo: string | null;
}

/**
 * A restore that has begun. Its records are soft-deleted under its id until it is decided; from then on it is finished whatever
 * happens.
 */
export interface PendingRestore {
  readonly id: string;
  readonly isDecided: boolean;
  readonly devices: readonly RestoredDevice[];
  /** Rows that are to be there, and those whose fields are. */
  readonly put: readonly BackupRow[];
  readonly replaced: readonly BackupRow[];
}

const head = z.object({
  id: z.string(),
  isDecided: z.boolean(),
  devices: z.array(z.object({ device: z.string(), isAdded: z.boolean(), undo: z.string().nullable() })),
});
const line = z.object({
  is: z.enum(['put', 'replaced']),
  table: z.enum(TABLE_NAMES),
  row: z.looseObject({ id: z.string() }),
});

/**
 * Intent log of restores: one restore at a time, and what a crash or a failing disk cut off is finished or taken back before the next
 * one, or by the next start.
 */
export class Restores {
  readonly #journal: LineJournal;
  readonly #serial = new Serial();
  #pending: PendingRestore | null;
  /** Nobody knows what the journal holds: the next start does. */
  #inDoubt: UnconfirmedWrite | null = null;
  /** For people to read. */
  readonly notes: readonly string[];

  private constructor(journal: LineJournal, pending: PendingRestore | null, notes: readonly string[]) {
    this.#journal = journal;
    this.#pending = pending;
    this.notes = notes;
  }

  /** Rejects with StoreError. */
  static async open(journal: LineJournal): Promise<Restores> {
    const { lines, rest } = await journal.read();
    const pending = rest === 'nothing' ? readPending(lines) : null;
    if (pending !== null || (lines.length === 0 && rest === 'nothing'))
      return new Restores(journal, pending, []);
    const aside = await journal.setAside();
    return new Restores(journal, null, [
      `The journal of a restore that was under way was damaged; it was kept as ${basename(aside)}. Restore that backup once more.`,
    ]);
  }

  /** What has begun and is not over. */
  get pending(): PendingRestore | null {
    return this.#pending;
  }

  /** Runs one restore after the other. Rejects with UnconfirmedWrite where it is not known what became of the last one. */
  run<T>(work: () => Promise<T>): Promise<T> {
    return this.#serial.run(() => {
      if (this.#inDoubt !== null) throw this.#inDoubt;
      return work();
    });
  }

  /** Resolves once what is begun, or decided, is on disk. Rejects with StoreError; with UnconfirmedWrite nothing is to follow. */
  async note(restore: PendingRestore): Promise<void> {
    const { put, replaced, ...first } = restore;
    const of = (is: string, rows: readonly BackupRow[]) =>
      rows.map(({ table, row }) => JSON.stringify({ is, table, row }));
    await this.#replace([JSON.stringify(first), ...of('put', put), ...of('replaced', replaced)]);
    this.#pending = restore;
  }

  /** Nothing is under way any more. */
  async over(): Promise<void> {
    await this.#replace([]);
    this.#pending = null;
  }

  close(): Promise<void> {
    return this.#journal.close();
  }

  async #replace(lines: readonly string[]): Promise<void> {
    try {
      await this.#journal.replace(lines);
    } catch (error) {
      if (error instanceof UnconfirmedWrite) this.#inDoubt = error;
      throw error;
    }
  }
}

/** Returns null where the lines are none of a restore. */
function readPending([first, ...others]: readonly string[]): PendingRestore | null {
  if (first === undefined) return null;
  const about = head.safeParse(parseJson(first));
  const rows = z.array(line).safeParse(others.map((text) => parseJson(text)));
  if (!about.success || !rows.success) return null;
  const of = (asked: string) =>
    rows.data
      .filter(({ is }) => is === asked)
      .map(({ table, row }) => ({ table, row }) as unknown as BackupRow);
  return { ...about.data, put: of('put'), replaced: of('replaced') };
}
