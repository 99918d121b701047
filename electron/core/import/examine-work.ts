import type { Body } from './body.ts';
import type { RecordStore, WithKnown } from '../store/store.ts';
import type { ThreadTask } from '../threads/serve.ts';
import type { TaskKind } from '../threads/task-kind.ts';
import type { Examination, FileSettings } from '#shared/operations/records/records.ts';
import type { Micros } from '#shared/values/time.ts';
import { pieces } from './body.ts';
import { knowing, knownHere, withSnapshot, type DamageFound } from './known.ts';
import type { FileToRead } from './read-records.ts';

interface ExamineStart extends FileToRead {
  /** Of a RecordSnapshot, in which its records are looked for. */
  readonly existing?: unknown;
}

/** Reads a whole file in a thread and tells what it holds. */
export const EXAMINE: TaskKind<ExamineStart, Uint8Array, DamageFound, Examination> = {
  name: 'examine',
  foreign: true,
};

/** What reads files is loaded with the first one. */
const loadExamine = () => import('./examine.ts');

/** The thread's side of EXAMINE. */
export function examineWork(withKnown: WithKnown) {
  return (
    { existing, ...file }: ExamineStart,
    task: ThreadTask<Uint8Array, DamageFound>,
  ): Promise<Examination> =>
    knowing(withKnown, existing, task, async (known) => {
      const { examineFile } = await loadExamine();
      return examineFile(file, {
        bytes: task.input,
        // The service counts what it hands over.
        progress: () => {},
        signal: task.signal,
        known,
      });
    });
}

export interface FileExamination {
  readonly body: Body;
  readonly settings: FileSettings;
  readonly records: Pick<RecordStore, 'scan' | 'threadWork'>;
  /** Whose records are looked for; null for none. */
  readonly device: string | null;
  readonly now: Micros;
  readonly progress: (bytesRead: number) => void;
  readonly signal: AbortSignal;
}

/** Rejects as `examineFile` does, with a StoreError or ThreadError, or with the signal's reason. */
export async function examine(options: FileExamination): Promise<Examination> {
  const { body, settings, records, device, now, progress, signal } = options;
  const { threadWork } = records;
  const file = { type: body.type, settings, received: 0, now };
  const snapshot = device === null || threadWork === null ? null : await threadWork.anySnapshot(device);
  if (threadWork === null || (device !== null && snapshot === null)) {
    const known = device === null ? undefined : await knownHere(records, device);
    const { examineFile } = await loadExamine();
    return examineFile(file, { bytes: body.bytes, progress, signal, known });
  }
  return withSnapshot(snapshot, (existing) =>
    threadWork.threads.run(
      EXAMINE,
      { ...file, existing },
      {
        input: pieces(body.bytes, progress),
        output({ damaged }) {
          if (snapshot) throw snapshot.damaged(damaged);
        },
        signal,
      },
    ),
  );
}
