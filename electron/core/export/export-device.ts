import { ThreadError } from '../base/errors.ts';
import type { RecordFile, RecordStore, RecordSnapshot, Viewed } from '../store/store.ts';
import type { Threads } from '../threads/threads.ts';
import type { TimeRange } from '#shared/values/time.ts';
import { EXPORT } from './export-work.ts';
import type { ExportPiece } from './export-options.ts';
import { exportRecords } from './export.ts';

export interface DeviceExport extends RecordFile {
  readonly records: Pick<RecordStore, 'scan' | 'threadWork'>;
  readonly device: Viewed;
  readonly range: TimeRange;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Writes the records of a device as `exportRecords` does: many of them in another thread. Rejects with a StoreError or
 * ThreadError, or with the signal's reason.
 */
export async function* exportDevice(options: DeviceExport): AsyncGenerator<ExportPiece, void, undefined> {
  const { records, device, range } = options;
  const { threadWork } = records;
  const snapshot = threadWork && (await threadWork.snapshot(device));
  if (threadWork === null || snapshot === null) {
    yield* exportRecords({ ...options, scan: records.scan(device, range) });
    return;
  }
  try {
    yield* exportIn(threadWork.threads, snapshot, options);
  } finally {
    await snapshot.release();
  }
}

async function* exportIn(
  threads: Threads,
  snapshot: RecordSnapshot,
  { range, keys, format, style, signal }: DeviceExport,
): AsyncGenerator<ExportPiece, void, undefined> {
  let length = 0;
  for await (const message of onceMore(() =>
    threads.stream(EXPORT, { parts: snapshot.parts, range, keys, format, style }, { signal }),
  ))
    if (message instanceof Uint8Array) yield { bytes: message, length };
    else if ('read' in message) length = message.read;
    else throw snapshot.damaged(message.damaged);
}

/** Begins anew where the thread ended with other work before the first message came. */
async function* onceMore<T>(stream: () => AsyncGenerator<T>): AsyncGenerator<T> {
  let begun = false;
  try {
    for await (const message of stream()) {
      begun = true;
      yield message;
    }
  } catch (error) {
    if (begun || !(error instanceof ThreadError) || error.code !== 'ended') throw error;
    yield* stream();
  }
}
