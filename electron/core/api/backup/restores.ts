import { z } from 'zod';
import { parseJson } from '#shared/values/json.ts';
import type { BackupRow } from '../../backup/backup-rows.ts';
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

/** Intent log of restores: one at a time, and what a crash cut off is finished or taken back by the next start. */
export class Restores {
  readonly #journal: LineJournal;
  readonly #serial = new Serial();
  /** Found at the start. */
  readonly found: PendingRestore | null;

  private constructor(journal: LineJournal, found: PendingRestore | null) {
    this.#journal = journal;
    this.found = found;
  }

  /** Rejects with StoreError. */
  static async open(journal: LineJournal): Promise<Restores> {
    const { lines } = await journal.read();
    return new Restores(journal, lines.length === 0 ? null : readPending(lines));
  }

  /** Runs one restore after the other. */
  run<T>(work: () => Promise<T>): Promise<T> {
    return this.#serial.run(work);
  }

  /** Resolves once what is begun, or decided, is on disk. Rejects with StoreError. */
  note({ put, replaced, ...first }: PendingRestore): Promise<void> {
    const of = (is: string, rows: readonly BackupRow[]) =>
      rows.map(({ table, row }) => JSON.stringify({ is, table, row }));
    return this.#journal.replace([JSON.stringify(first), ...of('put', put), ...of('replaced', replaced)]);
  }

  /** Nothing is under way any more. */
  over(): Promise<void> {
    return this.#journal.replace([]);
  }

  close(): Promise<void> {
    return this.#journal.close();
  }
}

function readPending([first = '', ...others]: readonly string[]): PendingRestore {
  const rows = others.map((text) => line.parse(parseJson(text)));
  const of = (asked: string) =>
    rows.filter(({ is }) => is === asked).map(({ table, row }) => ({ table, row }) as unknown as BackupRow);
  return { ...head.parse(parseJson(first)), put: of('put'), replaced: of('replaced') };
}
