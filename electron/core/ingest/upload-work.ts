import { isColumnar, type Batch } from './json/batches.ts';
import { openPayload, type PayloadForm } from './payload.ts';
import { ABSENT } from '../store/record-columns.ts';
import type { PackedRecords, PackRecords, RecordPacker } from '../store/store.ts';
import type { Micros } from '#shared/values/time.ts';
import type { ThreadTask } from '../threads/serve.ts';
import type { TaskKind } from '../threads/task-kind.ts';

/** A payload as the thread is told of it. */
export interface UploadStart {
  readonly form: PayloadForm;
  readonly received: Micros;
}

/** Result of a payload, beside the packed records. */
export interface UploadRead {
  readonly count: number;
  /** As PackedUpload has them. */
  readonly keys: ReadonlyMap<string, number>;
}

/** Reads the bytes of what a device sends in a thread and gives its records packed. */
export const UPLOAD: TaskKind<UploadStart, Uint8Array, PackedRecords, UploadRead> = {
  name: 'upload',
  foreign: true,
};

/** The thread's side of UPLOAD. */
export function uploadWork(packRecords: PackRecords) {
  return async (
    { form, received }: UploadStart,
    task: ThreadTask<Uint8Array, PackedRecords>,
  ): Promise<UploadRead> => {
    const reader = openPayload(form, received);
    const packer = new UploadPacker(packRecords, (packed) => task.send(packed));
    for await (const piece of task.input) {
      task.signal.throwIfAborted();
      reader.push(piece);
      await packer.add(reader.take());
    }
    reader.end();
    await packer.add(reader.take());
    return { count: reader.count, keys: await packer.end() };
  };
}

/** Packs what was read, and notes which record has a key first. */
export class UploadPacker {
  readonly #packer: RecordPacker;
  readonly #keys = new FirstKeys();

  constructor(packRecords: PackRecords, take: (packed: PackedRecords) => Promise<void>) {
    this.#packer = packRecords(take);
  }

  async add(batches: readonly Batch[]): Promise<void> {
    for (const batch of batches) {
      this.#keys.see(batch);
      await (isColumnar(batch) ? this.#packer.addColumns(batch) : this.#packer.add(batch));
    }
  }

  /** Packs the rest. Resolves with the first record that has each key. */
  async end(): Promise<ReadonlyMap<string, number>> {
    await this.#packer.end();
    return this.#keys.first;
  }
}

/** The first record of each key. */
class FirstKeys {
  readonly first = new Map<string, number>();
  #seen = 0;

  see(batch: Batch): void {
    const from = this.#seen;
    if (isColumnar(batch)) {
      this.#seen += batch.size;
      const fresh = batch.columns.flatMap(({ key, kinds }) => {
        if (this.first.has(key)) return [];
        const row = kinds.subarray(0, batch.size).findIndex((kind) => kind !== ABSENT);
        return row === -1 ? [] : [{ key, row }];
      });
      // Of one record, in the order of its keys.
      for (const { key, row } of fresh.toSorted((a, b) => a.row - b.row)) this.first.set(key, from + row);
      return;
    }
    for (const { keys } of batch) {
      for (const key of keys) if (!this.first.has(key)) this.first.set(key, this.#seen);
      this.#seen++;
    }
  }
}
