import type { TaskKind } from '../../../threads/task-kind.ts';
import type { Damage, SegmentReference } from './segment-reference.ts';
import type { SegmentMeta, SegmentOrigin } from './segment-writer.ts';

/** Rows [from, to) of a segment; its place in the list is its place in order of arrival. */
export interface RewritePart extends SegmentReference {
  readonly from: number;
  readonly to: number;
}

export interface RewriteStart {
  /** Of the device. */
  readonly folder: string;
  readonly parts: readonly RewritePart[];
  /** One for each new segment, and to spare. */
  readonly origins: readonly SegmentOrigin[];
  readonly segmentRows: number;
}

export type RewriteEnd =
  | { readonly kind: 'made'; readonly made: readonly SegmentMeta[] }
  | { readonly kind: 'abandoned' }
  | { readonly kind: 'damaged'; readonly damage: Damage }
  /** The disk did not confirm what was written. */
  | { readonly kind: 'unsynced'; readonly cause: unknown };

/** New segments from older ones: it needs nothing but their files. A message gives it up; whatever ends it leaves no new files. */
export const REWRITE: TaskKind<RewriteStart, 'give-up', never, RewriteEnd> = { name: 'rewrite' };
