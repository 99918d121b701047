import type { Threads } from '../threads/threads.ts';
import type { TaskKind } from '../threads/task-kind.ts';
import type { Inspection } from '#shared/operations/records.ts';
import { inspectFile, type FileToInspect } from './inspect.ts';

/** Says in a thread what the beginning of a file holds: it takes its time, and whatever was sent decides how long. */
export const INSPECT: TaskKind<FileToInspect, never, never, Inspection> = { name: 'inspect' };

/** The thread's side of INSPECT. */
export async function inspectWork(file: FileToInspect): Promise<Inspection> {
  return inspectFile(file);
}

/** Rejects as `inspectFile` throws, with a ThreadError, or with the signal's reason. Without threads it runs here. */
export async function inspect(
  file: FileToInspect,
  threads: Threads | null,
  signal?: AbortSignal,
): Promise<Inspection> {
  return threads === null ? inspectFile(file) : threads.run(INSPECT, file, signal ? { signal } : {});
}
