import type { KeptManifest } from './manifest.ts';
import type { Segment } from './segment.ts';

/** Segments that were removed together and may come back. */
export interface KeptSegments extends Omit<KeptManifest, 'segments'> {
  readonly segments: readonly Segment[];
}

export function segmentsOf(bin: readonly KeptSegments[]): readonly Segment[] {
  return bin.flatMap(({ segments }) => segments);
}

/** In order of arrival. */
export function inOrder(segments: readonly Segment[]): readonly Segment[] {
  return segments.toSorted((a, b) => a.meta.age - b.meta.age || a.meta.id - b.meta.id);
}
