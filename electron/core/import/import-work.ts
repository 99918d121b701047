import type { PackedRecords, PackRecords, WithKnown } from '../store/store.ts';
import type { ThreadTask } from '../threads/serve.ts';
import type { TaskKind } from '../threads/task-kind.ts';
import type { ImportResult } from '#shared/operations/records/records.ts';
import { knowing, type DamageFound } from './known.ts';
import type { FileToRead } from './read-records.ts';

/** Messages of the thread on the way: packed records, or damage. */
export type ImportMessage = PackedRecords | DamageFound;

export interface ImportStart extends FileToRead {
  /** Of a RecordSnapshot, whose records are skipped where the file has them again. */
  readonly existing?: unknown;
}

/** Reads the bytes of a file in a thread and gives its records packed. */
export const IMPORT: TaskKind<ImportStart, Uint8Array, ImportMessage, ImportResult> = {
  name: 'import',
  foreign: true,
};

/** The thread's side of IMPORT. */
export function importWork(packRecords: PackRecords, withKnown: WithKnown) {
  return (
    { existing, ...file }: ImportStart,
    task: ThreadTask<Uint8Array, ImportMessage>,
  ): Promise<ImportResult> =>
    knowing(withKnown, existing, task, async (known) => {
      const { readRecords } = await import('./read-records.ts');
      const buffer = new SendBuffer((packed) => task.send(packed));
      const packer = packRecords((packed) => buffer.add(packed));
      const result = await readRecords(file, {
        bytes: task.input,
        // The service counts what it hands over.
        progress: () => {},
        signal: task.signal,
        known,
        take: (records) => packer.add(records),
        takeColumns: (records) => packer.addColumns(records),
      });
      await packer.end();
      await buffer.flush();
      return result;
    });
}

/** Bytes of packed records that go to the service at once. */
const BUFFER_BYTES = 64 * 1024;

/**
 * Write buffer of packed records, most of which have a few kilobytes: a message for each of them, and the answer that it was taken, cost
 * both threads as much as to read some hundred rows.
 */
class SendBuffer {
  readonly #send: (packed: PackedRecords) => Promise<void>;
  readonly #bytes = new Uint8Array(BUFFER_BYTES);
  #length = 0;

  constructor(send: (packed: PackedRecords) => Promise<void>) {
    this.#send = send;
  }

  async add(packed: PackedRecords): Promise<void> {
    if (this.#length + packed.length > BUFFER_BYTES) await this.flush();
    if (packed.length > BUFFER_BYTES) return this.#send(packed);
    this.#bytes.set(packed, this.#length);
    this.#length += packed.length;
  }

  /** Sends what it still holds. */
  async flush(): Promise<void> {
    if (this.#length === 0) return;
    const packed = this.#bytes.slice(0, this.#length);
    this.#length = 0;
    await this.#send(packed);
  }
}
