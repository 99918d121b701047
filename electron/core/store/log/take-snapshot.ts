import { join } from 'node:path';
import { linkOrCopy } from '../../disk/link-or-copy.ts';
import { writeWhole } from '../../disk/whole-file.ts';
import { Pace } from '../../turns/pace.ts';
import type { WorldNow, WorldSnapshot } from '../world-snapshots.ts';
import type { DeviceLog } from './device/device-log.ts';
import type { Devices } from './device/devices.ts';
import type { Common } from './device/common.ts';
import { blocksIn } from './device/snapshot/snapshot.ts';
import { encodeSaved, type SavedBytes, type SavedEntry, type SavedMeta } from './device/saved/saved-file.ts';
import { MARKS, MARKS_TEMPORARY } from './device/saved/saved-files.ts';
import { segmentPath } from './segment/manifest.ts';
import type { Segment } from './segment/segment.ts';
import { packed } from './wal/receipt-digest.ts';

/** A device as it is at one moment; its files stay until `release`. */
interface Held extends Pick<DeviceLog, 'id' | 'segments' | 'bin' | 'lastSeen' | 'purgedAt' | 'rows'> {
  readonly receipts: Buffer;
  readonly unsaved: ReturnType<DeviceLog['hold']>['unsaved'];
  readonly release: () => Promise<void>;
}

/** Every device of a world, and what else it has, at one and the same moment. */
interface HeldWorld {
  readonly now: WorldNow;
  readonly devices: readonly Held[];
}

/** Takes hold of a world. What devices have in no segment is packed before, in slices of time, so that the moment is short. `held` is called with each. */
export async function holdWorld(
  devices: Devices,
  look: () => WorldNow,
  held: (log: DeviceLog) => void,
): Promise<HeldWorld> {
  const pace = new Pace();
  for (;;) {
    for (const id of look().devices) {
      const log = devices.atHand(id) ?? (await devices.get(id));
      log.receipts.load();
      log.pack();
      if (pace.isOver) await pace.pause();
    }
    const now = look();
    const logs = now.devices.map((id) => devices.atHand(id));
    // One came while the others were looked at.
    if (!logs.every((log) => log !== undefined)) continue;
    for (const log of logs) held(log);
    return { now, devices: logs.map((log) => hold(log, now.kept)) };
  }
}

function hold(log: DeviceLog, names: ReadonlySet<string>): Held {
  const { id, segments, bin, lastSeen, purgedAt, rows, receipts } = log;
  const list = receipts.load();
  return {
    ...log.hold(),
    id,
    segments,
    bin: bin.filter(({ name }) => names.has(name)),
    lastSeen,
    purgedAt,
    rows,
    receipts: packed(list.last(list.size)),
  };
}

/**
 * Writes a snapshot: further names of segments, one file of all else, and at last that file's name, which makes it one. Three
 * syncs, however many devices there are. Rejects as files do; what is there then is no snapshot.
 */
export async function writeSnapshot(
  { files, saved, directory }: Common,
  about: Omit<WorldSnapshot, 'projects' | 'devices' | 'records'>,
  { now, devices }: HeldWorld,
): Promise<WorldSnapshot> {
  const folder = saved.path(about.id);
  if (!saved.isLasting) {
    await files.makeDirectory(saved.folder);
    await files.syncDirectory(directory);
    saved.isLasting = true;
  }
  await files.makeDirectory(folder);
  const links: { readonly from: Segment; readonly to: string }[] = [];
  const linked = (segment: Segment): SavedMeta => {
    const file = links.length + 1;
    links.push({ from: segment, to: segmentPath(folder, file) });
    return { ...segment.meta, file };
  };
  const pace = new Pace();
  const entries: (SavedEntry & { readonly bytes: SavedBytes })[] = [];
  for (const { id, rows, segments, bin, lastSeen, purgedAt, receipts, unsaved } of devices) {
    const blocks = unsaved.flatMap(blocksIn);
    const kept = bin.map((each) => ({ ...each, segments: each.segments.map(linked) }));
    entries.push({
      id,
      rows,
      lastSeen,
      purgedAt,
      segments: segments.map(linked),
      kept,
      receipts: receipts.length,
      blocks: blocks.map(({ length }) => length),
      bytes: { receipts, blocks },
    });
    if (pace.isOver) await pace.pause();
  }
  for (const { from, to } of links) {
    await linkOrCopy(files, from.path, to);
    if (pace.isOver) await pace.pause();
  }
  const records = devices.reduce((sum, { id, rows }) => (now.live.has(id) ? sum + rows : sum), 0);
  const snapshot = { ...about, projects: now.projects, devices: now.live.size, records };
  const temporary = join(folder, MARKS_TEMPORARY);
  await writeWhole(files, temporary, encodeSaved(snapshot, now.rows, entries));
  // The names of segments before that of the file which tells of them.
  await files.syncDirectory(folder);
  await files.rename(temporary, join(folder, MARKS));
  await files.syncDirectory(folder);
  await files.syncDirectory(saved.folder);
  return snapshot;
}
