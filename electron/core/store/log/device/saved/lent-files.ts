import { linkOrCopy } from '../../../../disk/link-or-copy.ts';
import type { Files } from '../../../../disk/files.ts';
import { EMPTY } from '../../segment/manifest.ts';
import type { Segment } from '../../segment/segment.ts';
import type { DeviceFolder } from '../device-folder.ts';

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
