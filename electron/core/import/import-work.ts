import type { PackedRecords, PackRecords, WithKnown } from '../store/store.ts';
import type { ThreadTask } from '../threads/serve.ts';
import type { TaskKind } from '../threads/task-kind.ts';
import type { ImportResult } from '#shared/operations/records/records.ts';
import { knowing, type DamageFound } from './known.ts';
import type { FileToRead } from './read-records.ts';

/** What the thread says on the way: some packed records, or how far it has read. */
export type ImportMessage = PackedRecords | { readonly bytesRead: number } | DamageFound;

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
      const packer = packRecords((packed) => task.send(packed));
      const result = await readRecords(file, {
        bytes: task.input,
        progress: (bytesRead) => task.post({ bytesRead }),
        signal: task.signal,
        known,
        take: (records) => packer.add(records),
        takeColumns: (records) => packer.addColumns(records),
      });
      await packer.end();
      return result;
    });
}
