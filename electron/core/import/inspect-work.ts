import { ThreadError } from '../base/errors.ts';
import type { Threads } from '../threads/threads.ts';
import type { TaskKind } from '../threads/task-kind.ts';
import type { Inspection } from '#shared/operations/records/records.ts';
import type { FileToInspect } from './file-to-inspect.ts';

/** Says in a thread what the beginning of a file holds: it takes its time, and whatever was sent decides how long. */
export const INSPECT: TaskKind<FileToInspect, never, never, Inspection> = {
  name: 'inspect',
  foreign: true,
};

/** The thread's side of INSPECT. Rejects as `inspectFile` throws. */
export async function inspectWork(file: FileToInspect): Promise<Inspection> {
  // What looks at files is loaded with the first one.
  const { inspectFile } = await import('./inspect.ts');
  return inspectFile(file);
}

/**
 * Rejects as `inspectFile` throws, with a ThreadError, or with the signal's reason; runs once more where its thread ended
 * with other work. Without threads it runs here.
 */
export async function inspect(
  file: FileToInspect,
  threads: Threads | null,
  signal?: AbortSignal,
): Promise<Inspection> {
  if (threads === null) return inspectWork(file);
  const run = () => threads.run(INSPECT, file, signal ? { signal } : {});
  return run().catch((error: unknown) => {
    if (error instanceof ThreadError && error.code === 'ended') return run();
    throw error;
  });
}
