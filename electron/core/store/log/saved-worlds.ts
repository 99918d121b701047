import { join } from 'node:path';
import { doing, errorCode } from '../../disk/errors.ts';
import type { Files } from '../../disk/files.ts';
import { removeTree } from '../../disk/tree.ts';
import { Serial } from '../../turns/serial.ts';
import { Block, isBlock } from '../blocks/block/block.ts';
import { StoreError } from '../../base/errors.ts';
import type { WorldNow, WorldSnapshot, WorldSnapshots } from '../world-snapshots.ts';
import type { DeviceLog } from './device/device-log.ts';
import { readAbout } from './device/saved/saved-file.ts';
import type { SavedDevice } from './device/saved/snapshot-entries.ts';
import { MARKS, SavedFiles, type Saved } from './device/saved/saved-files.ts';
import type { StoreParts } from './store-parts.ts';
import { holdWorld, writeSnapshot } from './take-snapshot.ts';
import type { NewEntry } from './wal/new-entry.ts';
import { RESTORED, RESTORED_ROWS, writeReference } from './wal/wal-entry.ts';

/** Bytes of a snapshot's file in which it says what it is: names are short. */
const ABOUT_BYTES = 4096;
/** Devices that get files of their own at the same time. */
const AT_ONCE = 8;

/** Snapshots of which it is remembered. */
const MOST_STAMPED = 8;

/** What devices were when snapshots were taken or restored: of one that is the same still there is nothing to restore. */
class Stamps {
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

/** Snapshots of worlds over the append log. */
export class SavedWorlds implements WorldSnapshots {
  readonly #parts: StoreParts;
  readonly #known = new Map<string, WorldSnapshot>();
  readonly #work = new Serial();
  readonly #stamps = new Stamps();

  constructor(parts: StoreParts) {
    this.#parts = parts;
  }

  /** Finds those that there are; removes what a crash left of others. Called once, behind recovery. */
  async open(): Promise<void> {
    const { files, saved, note } = this.#parts.common;
    for (const id of await foldersIn(files, saved.folder)) {
      try {
        this.#known.set(id, readBeginning(files, saved, id));
      } catch (error) {
        if (errorCode(error) === 'ENOENT') {
          await removeTree(files, saved.path(id));
          continue;
        }
        if (!(error instanceof StoreError) || error.code !== 'damaged') throw error;
        note({
          device: null,
          kind: 'damaged',
          message: `A snapshot, ${saved.path(id)}, is damaged and left as it is.`,
        });
      }
    }
  }

  list(): readonly WorldSnapshot[] {
    return [...this.#known.values()].toSorted((a, b) => a.created - b.created || (a.id < b.id ? -1 : 1));
  }

  take(
    about: Pick<WorldSnapshot, 'id' | 'account_id' | 'name' | 'created'>,
    look: () => WorldNow,
  ): Promise<WorldSnapshot> {
    return this.#doing('taking a snapshot', async () => {
      const { common, devices } = this.#parts;
      const world = await holdWorld(devices, look, (log) => this.#stamps.set(about.id, log));
      try {
        const snapshot = await writeSnapshot(common, about, world);
        this.#known.set(snapshot.id, snapshot);
        return snapshot;
      } catch (error) {
        // After a failed sync nobody knows what is on disk: the next start finds out.
        if (common.poison.reason === null) await removeTree(common.files, common.saved.path(about.id));
        throw error;
      } finally {
        for (const { release } of world.devices) await release();
      }
    });
  }

  async rows(id: string): Promise<unknown> {
    return this.#doing('reading a snapshot', async () => this.#read(id).rows);
  }

  restore(id: string, mark: string): Promise<readonly string[]> {
    return this.#doing('restoring a snapshot', async () => {
      const { common, devices, wal } = this.#parts;
      const saved = this.#read(id);
      if (this.hasRestored(mark)) return [...saved.devices.keys()];
      // At hand from now on: what is applied has to find them at once.
      const logs = new Map<string, DeviceLog>();
      for (const device of saved.devices.keys()) {
        await devices.revive(device);
        logs.set(device, await devices.get(device));
      }
      // Asked for in one go they are written, and apply, together.
      const changed: string[] = [];
      const restore = { snapshot: id, mark, logs, changed, stamps: this.#stamps };
      const written = entriesOf(saved, restore).map(({ device, kind, write, apply }) =>
        wal.append(device, kind, write, apply, true),
      );
      await Promise.all(written);
      common.saved.restored.add(mark);
      return changed;
    });
  }

  hasRestored(mark: string): boolean {
    return this.#parts.common.saved.restored.has(mark);
  }

  restored(): void {
    this.#parts.erasure.want();
  }

  remove(id: string): Promise<void> {
    return this.#doing('removing a snapshot', async () => {
      const { common, devices } = this.#parts;
      if (common.poison.reason !== null) throw common.poison.reason;
      const left = [...devices.loaded.values()].filter((log) => log.needs(id)).values();
      const moveAll = async () => {
        for (const log of left) await log.flush();
      };
      await Promise.all(Array.from({ length: AT_ONCE }, moveAll));
      const { files, saved } = common;
      await files.remove(join(saved.path(id), MARKS));
      await files.syncDirectory(saved.path(id));
      this.#known.delete(id);
      this.#stamps.forget(id);
      // A reader that began while a device had its files from here goes on; a start removes what it left.
      saved.lender(id).whenFree(() => common.background(this.#removeFolder(id)));
    });
  }

  async #removeFolder(id: string): Promise<void> {
    const { files, saved } = this.#parts.common;
    saved.forget(id);
    await removeTree(files, saved.path(id));
    await files.syncDirectory(saved.folder);
  }

  #read(id: string): Saved {
    return this.#parts.common.saved.read(id);
  }

  #doing<T>(what: string, work: () => Promise<T>): Promise<T> {
    return this.#work.run(() => doing(what, work));
  }
}

/** The snapshots in a folder of records that no service uses; those that cannot be read are left out. */
export async function snapshotsIn(
  files: Files,
  directory: string,
): Promise<Pick<WorldSnapshots, 'list' | 'rows'>> {
  const saved = new SavedFiles(files, directory);
  const ids = await foldersIn(files, saved.folder);
  const found = ids.filter((id) => saved.find(id) !== null).map((id) => readBeginning(files, saved, id));
  return { list: () => found, rows: async (id) => saved.read(id).rows };
}

/** The entries of a restore, device by device. */
function entriesOf(
  { devices }: Saved,
  {
    snapshot,
    mark,
    logs,
    changed,
    stamps,
  }: {
    readonly snapshot: string;
    readonly mark: string;
    readonly logs: ReadonlyMap<string, DeviceLog>;
    readonly changed: string[];
    readonly stamps: Stamps;
  },
): NewEntry[] {
  // The first one always, since the log has to say that it was done.
  const [first] = devices.keys();
  return [...devices].flatMap(([device, saved]) => {
    const log = logs.get(device)!;
    if (device !== first && stamps.isSame(snapshot, log)) return [];
    const isLast = saved.blocks.length === 0;
    const write: NewEntry['write'] = (out) => writeReference({ snapshot, device, mark }, out);
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

async function foldersIn(files: Files, folder: string): Promise<readonly string[]> {
  try {
    return (await files.list(folder)).filter(({ isDirectory }) => isDirectory).map(({ name }) => name);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** Throws `damaged`, `newer-format`, and Node's errors. */
function readBeginning(files: Files, saved: SavedFiles, id: string): WorldSnapshot {
  const file = files.openForReading(join(saved.path(id), MARKS));
  try {
    const bytes = Buffer.alloc(Math.min(file.size, ABOUT_BYTES));
    file.readNow(bytes, 0);
    return readAbout(bytes);
  } finally {
    file.close();
  }
}
