import { basename } from 'node:path';
import { errorCode } from '../../../disk/errors.ts';
import { nodeFiles, type Files } from '../../../disk/files.ts';
import { workFor } from '../../../threads/serve.ts';
import { Pace } from '../../../turns/pace.ts';
import { allocate } from '../../blocks/codec/bytes.ts';
import { segmentPath } from '../segment/manifest.ts';
import { readWal, TERMINATOR_BYTES } from '../wal/wal-format.ts';
import { CHECK, type CheckedFiles, type CheckStart } from './check-kind.ts';
import { checkSegment } from './check-segment.ts';
import type { Found } from './finding.ts';

/** Bytes of which it is said at once that they were read. */
const POSTED_BYTES = 1 << 20;

interface CheckOptions {
  readonly signal?: AbortSignal | undefined;
  readonly post: (bytes: number) => void;
}

/** The thread's side of live-check.ts. */
export const checkWork = workFor(CHECK, (start, task) =>
  checkFiles(nodeFiles, start, { signal: task.signal, post: (bytes) => task.post(bytes) }),
);

/** Reads the files through in slices of time. Rejects with the signal's reason. */
export async function checkFiles(
  files: Files,
  start: CheckStart,
  { signal, post }: CheckOptions,
): Promise<CheckedFiles> {
  if (start.kind === 'wal') return onDisk(basename(start.path), () => checkWal(files, start));
  const pace = new Pace();
  let unsaid = 0;
  const pause = async (bytes: number) => {
    unsaid += bytes;
    if (unsaid >= POSTED_BYTES) {
      post(unsaid);
      unsaid = 0;
    }
    if (await pace.pause()) signal?.throwIfAborted();
  };
  const all = { records: 0, bytes: 0, found: [] as Found[], isGone: false };
  for (const meta of start.segments) {
    const one = await onDisk(`${meta.id}.seg`, async () => {
      const path = segmentPath(start.folder, meta.id);
      const { rows, bytes, found } = await checkSegment(files, path, meta, pause);
      return { records: rows, bytes, found, isGone: false };
    });
    all.records += one.records;
    all.bytes += one.bytes;
    all.found.push(...one.found);
    all.isGone ||= one.isGone;
  }
  post(unsaid);
  return all;
}

function checkWal(
  files: Files,
  { path, salt, end }: Extract<CheckStart, { kind: 'wal' }>,
): Promise<CheckedFiles> {
  const file = files.openForReading(path);
  // Behind the last unit there may be one that is being written: it is read as if there were nothing.
  const content = allocate(end + TERMINATOR_BYTES);
  try {
    file.readNow(content.subarray(0, end), 0);
  } finally {
    file.close();
  }
  const read = readWal(content, salt);
  const damaged = read.damaged + Math.max(0, end - read.end);
  const message = `${damaged} bytes of it are damaged.`;
  const found: Found[] =
    damaged === 0 ? [] : [{ file: basename(path), message, loses: true, fault: { kind: 'wal' } }];
  return Promise.resolve({ records: 0, bytes: end, found, isGone: false });
}

/** Checks a file; a read error becomes a finding, and the rest is checked. */
async function onDisk(file: string, check: () => Promise<CheckedFiles>): Promise<CheckedFiles> {
  try {
    return await check();
  } catch (error) {
    const code = errorCode(deepest(error));
    if (code === 'ENOENT') return { records: 0, bytes: 0, found: [], isGone: true };
    if (code !== 'EIO') throw error;
    const message = 'The disk fails to read it.';
    const found: Found[] = [{ file, message, loses: true, fault: { kind: 'unreadable' } }];
    return { records: 0, bytes: 0, found, isGone: false };
  }
}

/** The system's own error. */
function deepest(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? deepest(error.cause) : error;
}
