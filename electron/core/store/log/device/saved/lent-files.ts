import { linkOrCopy } from '../../../../disk/link-or-copy.ts';
import type { Files } from '../../../../disk/files.ts';
import type { Lender } from '../../segment/lender.ts';
import { EMPTY, type KeptManifest } from '../../segment/manifest.ts';
import type { Segment } from '../../segment/segment.ts';
import type { SegmentMeta } from '../../segment/segment-writer.ts';
import type { DeviceFolder } from '../device-folder.ts';

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

/** Gives a snapshot's files names in the folder of a device, before a manifest that has them. `next`: the number of its next file. */
export async function ownFiles({
  files,
  folder,
  next,
  named,
}: {
  readonly files: Files;
  readonly folder: DeviceFolder;
  readonly next: number;
  readonly named: () => readonly Segment[];
}): Promise<void> {
  const lent = named().filter(({ isLent }) => isLent);
  if (lent.length === 0) return;
  // What the log says of the snapshot is not in it yet: after a crash it is taken up again.
  if (!folder.exists) await folder.prepare({ ...EMPTY, flushed: folder.persisted, next });
  for (const segment of lent) {
    const { id } = segment.meta;
    const path = folder.segmentPath(id);
    folder.unnamed.add(id);
    await linkOrCopy(files, segment.path, path);
    if (named().includes(segment)) {
      segment.own(path);
      continue;
    }
    // Purged, or restored once more meanwhile.
    await files.remove(path);
    folder.unnamed.removed(id);
  }
}
