import { DamagedSnapshot, type RecordFile, type WriteSnapshot } from '../store/store.ts';
import type { ThreadTask } from '../threads/serve.ts';
import type { TaskKind } from '../threads/task-kind.ts';
import type { TimeRange } from '#shared/values/time.ts';

export interface ExportStart extends RecordFile {
  /** Of a RecordSnapshot. */
  readonly parts: unknown;
  readonly range: TimeRange;
}

/** Some bytes of the export; before them, how many records were read for them; or what ended it early. */
export type ExportMessage = Uint8Array | { readonly read: number } | { readonly damaged: unknown };

/** Writes the records of a snapshot in a thread. */
export const EXPORT: TaskKind<ExportStart, never, ExportMessage, void> = { name: 'export' };

/** The thread's side of EXPORT. */
export function exportWork(writeSnapshot: WriteSnapshot) {
  return async (start: ExportStart, task: ThreadTask<never, ExportMessage>): Promise<void> => {
    const { parts, range, ...file } = start;
    try {
      for await (const { bytes, length } of writeSnapshot(parts, range, file)) {
        task.signal.throwIfAborted();
        task.post({ read: length });
        await task.send(bytes);
      }
    } catch (error) {
      if (!(error instanceof DamagedSnapshot)) throw error;
      task.post({ damaged: error.what });
    }
  };
}
