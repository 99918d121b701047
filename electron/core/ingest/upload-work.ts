import { isColumnar, type Batch } from './json/batches.ts';
import { openPayload, type PayloadForm } from './payload.ts';
import { ABSENT } from '../store/record-columns.ts';
import type { PackedRecords, PackRecords, RecordPacker } from '../store/store.ts';
import type { Micros } from '#shared/time.ts';
import type { ThreadTask } from '../threads/serve.ts';
import type { TaskKind } from '../threads/task-kind.ts';

/** A payload as the thread is told of it. */
export interface UploadStart {
  readonly form: PayloadForm;
  readonly received: Micros;
}

/** What a payload came to, beside the packed records. */
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
    const packer = packRecords((packed) => task.send(packed));
    const keys = new FirstKeys();
    const pass = async () => {
      for (const batch of reader.take()) {
        keys.see(batch);
        await add(batch, packer);
      }
    };
    for await (const piece of task.input) {
      task.signal.throwIfAborted();
      reader.push(piece);
      await pass();
    }
    reader.end();
    await pass();
    await packer.end();
    return { count: reader.count, keys: keys.first };
  };
}

async function add(batch: Batch, packer: RecordPacker): Promise<void> {
  await (isColumnar(batch) ? packer.addColumns(batch) : packer.add(batch));
}

/** Which record has a key first. */
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
