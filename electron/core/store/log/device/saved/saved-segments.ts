import type { Lender } from '../../segment/lender.ts';
import type { KeptManifest } from '../../segment/manifest.ts';
import type { SegmentMeta } from '../../segment/segment-writer.ts';

/** A segment in a snapshot: its file there, and what the manifest said of it. */
export interface SavedSegment {
  readonly path: string;
  readonly meta: SegmentMeta;
}

/** Segments of a device in a snapshot. */
export interface SavedSegments {
  readonly segments: readonly SavedSegment[];
  readonly kept: readonly (Omit<KeptManifest, 'segments'> & { readonly segments: readonly SavedSegment[] })[];
  readonly lender: Lender;
}

/** Returns the greatest age of the segments; 0 where there is none. */
export function youngestOf({ segments, kept }: Pick<SavedSegments, 'segments' | 'kept'>): number {
  const all = [...segments, ...kept.flatMap((each) => each.segments)];
  return all.reduce((age, { meta }) => Math.max(age, meta.age), 0);
}
