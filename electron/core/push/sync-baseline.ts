import { z } from 'zod';
import { parseJson } from '#shared/values/json.ts';
import type { LineJournal } from '../disk/line-journal.ts';
import type { Marks } from './fields.ts';

type Lines = Pick<LineJournal, 'read' | 'isBegun' | 'append' | 'replace' | 'close'>;

/** A line: the lab's installation, the id of a project or device here, and a mark of each field. */
const line = z.tuple([z.string(), z.string(), z.record(z.string(), z.string())]);

/**
 * Sync baseline (merge base): the fields of projects and devices when this service and a lab last had the same, so that the
 * next push knows which side changed a field since.
 */
export class SyncBaseline {
  readonly #journal: Lines;
  readonly #marks: Map<string, Marks>;

  private constructor(journal: Lines, marks: Map<string, Marks>) {
    this.#journal = journal;
    this.#marks = marks;
  }

  /** Reads the journal; a line that cannot be read is left out. Rejects with StoreError. */
  static async open(journal: Lines): Promise<SyncBaseline> {
    const { lines } = await journal.read();
    const marks = new Map<string, Marks>();
    for (const text of lines) {
      const read = line.safeParse(parseJson(text));
      if (read.success) marks.set(keyOf(read.data[0], read.data[1]), read.data[2]);
    }
    return new SyncBaseline(journal, marks);
  }

  /** Returns the baseline of a project or device; null where the sides never had the same. */
  of(lab: string, id: string): Marks | null {
    return this.#marks.get(keyOf(lab, id)) ?? null;
  }

  /** Moves the baseline of these fields; that of others stays. Rejects with StoreError. */
  async note(lab: string, id: string, marks: Marks): Promise<void> {
    const before = this.of(lab, id) ?? {};
    if (Object.entries(marks).every(([field, mark]) => before[field] === mark)) return;
    const now = { ...before, ...marks };
    this.#marks.set(keyOf(lab, id), now);
    if (this.#journal.isBegun) await this.#journal.append(JSON.stringify([lab, id, now]));
    else
      await this.#journal.replace(
        [...this.#marks].map(([key, each]) => JSON.stringify([...key.split(' '), each])),
      );
  }

  close(): Promise<void> {
    return this.#journal.close();
  }
}

/** Ids hold no blanks. */
const keyOf = (lab: string, id: string) => `${lab} ${id}`;
