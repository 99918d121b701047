import { Block, isBlock } from '../blocks/block/block.ts';
import type { DeviceLog } from './device/device-log.ts';
import type { Saved } from './device/saved/saved-files.ts';
import type { SavedDevice } from './device/saved/snapshot-entries.ts';
import type { NewEntry } from './wal/new-entry.ts';
import { RESTORED, RESTORED_ROWS, writeReference } from './wal/wal-entry.ts';

/** Snapshots of which it is remembered. */
const MOST_STAMPED = 8;

/** What devices were when snapshots were taken or restored: of one that is the same still there is nothing to restore. */
export class Stamps {
  /** The latest last. */
  readonly #ofSnapshots = new Map<string, Map<string, string>>();

  set(snapshot: string, { id, stamp }: DeviceLog): void {
    const known = this.#ofSnapshots.get(snapshot) ?? new Map<string, string>();
    this.#ofSnapshots.delete(snapshot);
    this.#ofSnapshots.set(snapshot, known.set(id, stamp));
    const [oldest = ''] = this.#ofSnapshots.keys();
    if (this.#ofSnapshots.size > MOST_STAMPED) this.#ofSnapshots.delete(oldest);
  }

  isSame(snapshot: string, { id, stamp }: DeviceLog): boolean {
    return this.#ofSnapshots.get(snapshot)?.get(id) === stamp;
  }

  forget(snapshot: string): void {
    this.#ofSnapshots.delete(snapshot);
  }
}

/** A device that becomes what one is in a snapshot. */
export interface Target {
  readonly device: string;
  readonly log: DeviceLog;
  /** The device in the snapshot. */
  readonly source: string;
  readonly saved: Saved['devices'] extends ReadonlyMap<string, infer Each> ? Each : never;
}

/** Returns the entries of a restore, device by device; what was other than in the snapshot is added to `changed` as they apply. */
export function restoreEntries(
  targets: readonly Target[],
  {
    snapshot,
    mark,
    changed,
    stamps,
  }: {
    readonly snapshot: string;
    readonly mark: string;
    readonly changed: string[];
    readonly stamps: Stamps;
  },
): NewEntry[] {
  return targets.flatMap(({ device, log, source, saved }, i) => {
    // The first one always, since the log has to say that it was done.
    if (i > 0 && stamps.isSame(snapshot, log)) return [];
    const isLast = saved.blocks.length === 0;
    const write: NewEntry['write'] = (out) =>
      writeReference({ snapshot, device: source, mark, isEmpty: saved.isEmpty }, out);
    const restored: NewEntry = {
      device,
      kind: RESTORED,
      write,
      apply(sequence) {
        if (!isAsSaved(log, saved)) changed.push(device);
        log.applySnapshot(sequence, snapshot, saved);
        if (isLast) stamps.set(snapshot, log);
      },
    };
    if (isLast) return [restored];
    const blocks = saved.blocks.filter(isBlock).map((bytes) => Block.atRest(bytes));
    const rows: NewEntry = {
      device,
      kind: RESTORED_ROWS,
      write,
      apply(sequence) {
        log.applySnapshotRows(sequence, blocks);
        stamps.set(snapshot, log);
      },
    };
    return [restored, rows];
  });
}

/** Whether nothing was stored or removed since, as far as counts and times tell. */
function isAsSaved(log: DeviceLog, { state, rows }: SavedDevice): boolean {
  return log.rows === rows && log.lastSeen === state.lastSeen && log.purgedAt === state.purgedAt;
}
