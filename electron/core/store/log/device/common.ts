import type { Threads } from '../../../threads/threads.ts';
import type { RecoveryNote } from '../../store.ts';
import { SavedFiles } from './saved/saved-files.ts';
import type { Background } from '../../../turns/background.ts';
import type { Files } from '../../../disk/files.ts';
import { guardSyncs } from '../../../disk/guard-syncs.ts';
import { areOnDisk } from '../../../disk/held-files.ts';
import { Poison } from '../../../disk/poison.ts';
import { createRewrite, type Rewrite } from '../segment/rewriting.ts';
import { createPool, type SegmentPool } from '../segment/segment-pool.ts';
import { Serial } from '../../../turns/serial.ts';

/** Parts shared by the logs of all devices. */
export interface Common {
  readonly directory: string;
  readonly files: Files;
  readonly pool: SegmentPool;
  readonly limits: Limits;
  readonly saved: SavedFiles;
  readonly poison: Poison;
  note(note: RecoveryNote): void;
  /** Background work, which closing alone waits for; its failure stops the store or is tried again. */
  background(work: Promise<unknown>): void;
  /** Merges of all devices, one after the other. */
  readonly merging: Serial;
  /** The same for the manifests of devices that were restored from a snapshot: thousands at once would keep the disk busy. */
  readonly settling: Serial;
  /** Restores of snapshots: settling waits while one is under way. */
  readonly restoring: Serial;
  /** Never the same again while the store is open. */
  newRevision(): number;
  isClosing(): boolean;
  readonly rewrite: Rewrite;
  readonly threads: Threads | null;
  /** Whether threads, which have files of their own, find those of the store. */
  readonly threadsFindFiles: boolean;
}

export interface Limits {
  /** Bytes of write-ahead log after which its records move to segments. */
  readonly walBytes: number;
  /** Rows of a segment; larger merges make several. */
  readonly segmentRows: number;
  /** Segment files held open. */
  readonly handles: number;
  /** Bytes of blocks held in memory. */
  readonly blockBytes: number;
  /** Bytes of summaries held in memory. */
  readonly summaryBytes: number;
  /** Closing leaves a write-ahead log of less as it is: the next start reads it as fast as an empty one. */
  readonly keptWalBytes: number;
  /** A log file with records of no more devices moves them to segments as soon as it is full. */
  readonly manyDevices: number;
  /** Of one with more, a device with fewer rows than about so many is carried on in the log. */
  readonly fewRows: number;
  /** So many files with records of many devices wait until they are given up together. */
  readonly roundFiles: number;
  /** Devices whose records move to segments on closing; those of more are carried on in the write-ahead log. */
  readonly flushedOnClose: number;
  /** ms for which closing carries on: a service has five seconds to stop. */
  readonly closingMs: number;
  /** Late runs of a device in memory after which they move to a segment. */
  readonly lateRuns: number;
  /** ms after a deletion until the log is erased, so that several at about the same time cost one; Infinity: on closing. */
  readonly eraseAfterMs: number;
  /** Rows of segments from which on a thread rewrites them; fewer are written sooner than one has started. */
  readonly threadRows: number;
  /** The same for their bytes: few rows with thousands of keys take as long. */
  readonly threadBytes: number;
  /** Bytes of a device up to which its blocks are copied for a thread that does not find the files; of more, this thread reads. */
  readonly copiedBytes: number;
}

export const DEFAULT_LIMITS: Limits = {
  walBytes: 8 << 20,
  segmentRows: 4 << 20,
  handles: 128,
  blockBytes: 6 << 20,
  summaryBytes: 8 << 20,
  keptWalBytes: 64 << 10,
  manyDevices: 64,
  fewRows: 256,
  roundFiles: 8,
  flushedOnClose: 64,
  closingMs: 2000,
  lateRuns: 16,
  eraseAfterMs: 1000,
  threadRows: 1 << 16,
  threadBytes: 1 << 20,
  copiedBytes: 16 << 20,
};

export function createCommon({
  directory,
  files,
  limits,
  background,
  threads,
  note,
}: {
  readonly directory: string;
  readonly files: Files;
  readonly limits: Limits;
  readonly background: Background;
  readonly threads: Threads | null;
  readonly note: (note: RecoveryNote) => void;
}): Common {
  const poison = new Poison();
  const threadsFindFiles = areOnDisk(files);
  const guarded = guardSyncs(files, (cause) => poison.by(cause));
  let revision = 0;
  return {
    directory,
    files: guarded,
    pool: createPool(guarded, limits),
    limits,
    saved: new SavedFiles(guarded, directory),
    poison,
    note,
    background: (work) => background.add(work),
    merging: new Serial(),
    settling: new Serial(),
    restoring: new Serial(),
    newRevision: () => ++revision,
    isClosing: () => background.closing,
    rewrite: createRewrite({
      threads: threadsFindFiles ? threads : null,
      poison,
      leastRows: limits.threadRows,
      leastBytes: limits.threadBytes,
    }),
    threads,
    threadsFindFiles,
  };
}
