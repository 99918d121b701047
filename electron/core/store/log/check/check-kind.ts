import type { TaskKind } from '../../../threads/task-kind.ts';
import type { SegmentMeta } from '../segment/segment-writer.ts';
import type { Found } from './finding.ts';

/** Files of a store that is in use, which stay as they are while they are read. */
export type CheckStart =
  | { readonly kind: 'segments'; readonly folder: string; readonly segments: readonly SegmentMeta[] }
  /** A file of the write-ahead log, up to where its last unit ended. */
  | { readonly kind: 'wal'; readonly path: string; readonly salt: number; readonly end: number };

export interface CheckedFiles {
  readonly records: number;
  readonly bytes: number;
  readonly found: readonly Found[];
  /** Whether a file was not there: it went with the device, or in the middle of it. */
  readonly isGone: boolean;
}

/** Reads files through; posts the bytes that were read. */
export const CHECK: TaskKind<CheckStart, never, number, CheckedFiles> = { name: 'check' };
