import { join } from 'node:path';
import { doing, errorCode } from '../../disk/errors.ts';
import type { Files } from '../../disk/files.ts';
import { removeTree } from '../../disk/tree.ts';
import { Serial } from '../../turns/serial.ts';
import { StoreError } from '../../base/errors.ts';
import type { WorldNow, WorldSnapshot, WorldSnapshots } from '../world-snapshots.ts';
import type { DeviceLog } from './device/device-log.ts';
import { readAbout } from './device/saved/saved-file.ts';
import { MARKS, SavedFiles, type Saved } from './device/saved/saved-files.ts';
import { ofAnother } from './device/saved/snapshot-entries.ts';
import { restoreEntries, Stamps, type Target } from './restore-entries.ts';
import type { StoreParts } from './store-parts.ts';
import { holdWorld, writeSnapshot } from './take-snapshot.ts';

/** Bytes of a snapshot's file in which it says what it is: names are short. */
const ABOUT_BYTES = 4096;
/** Times that a device is flushed before it is given up. */
const MOST_FLUSHES = 5;
/** Devices that get files of their own at the same time. */
const AT_ONCE = 8;

/** Snapshots of worlds over the append log. */
export class SavedWorlds implements WorldSnapshots {
  readonly #parts: StoreParts;
  readonly #known = new Map<string, WorldSnapshot>();
  readonly #work = new Serial();
  readonly #stamps = new Stamps();
  #latest: { readonly id: string; readonly saved: Saved } | null = null;

  constructor(parts: StoreParts) {
    this.#parts = parts;
  }

  /** Finds those that there are; removes what a crash left of others. Called once, behind recovery. */
  async open(): Promise<void> {
    const { common } = this.#parts;
    const { files, saved } = common;
    for (const id of await foldersIn(files, saved.folder)) {
      try {
        this.#known.set(id, readBeginning(files, saved, id));
      } catch (error) {
        if (errorCode(error) === 'ENOENT') {
          await removeTree(files, saved.path(id));
          continue;
        }
        if (!(error instanceof StoreError) || error.code !== 'damaged') throw error;
        common.note({
          device: null,
          kind: 'damaged',
          message: `A snapshot, ${saved.path(id)}, is damaged and left as it is.`,
        });
      }
    }
  }

  list(): readonly WorldSnapshot[] {
    return [...this.#known.values()].toSorted((a, b) => a.number - b.number);
  }

  take(
    about: Pick<WorldSnapshot, 'id' | 'account_id' | 'name' | 'created'>,
    look: () => WorldNow,
  ): Promise<WorldSnapshot> {
    return this.#doing('taking a snapshot', async () => {
      const { common, devices } = this.#parts;
      const number = 1 + Math.max(0, ...[...this.#known.values()].map((each) => each.number));
      const world = await holdWorld(devices, look, (log) => this.#stamps.set(about.id, log));
      try {
        const snapshot = await writeSnapshot(common, { ...about, number }, world);
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
    return this.#doing('reading a snapshot', async () => {
      const saved = this.#read(id);
      this.#latest = { id, saved };
      return saved.rows;
    });
  }

  whileRestoring<T>(work: () => Promise<T>): Promise<T> {
    return this.#parts.common.restoring.run(work);
  }

  restore(id: string, mark: string): Promise<readonly string[]> {
    return this.#doing('restoring a snapshot', async () => {
      const saved = this.#read(id);
      if (this.hasRestored(mark)) return [...saved.devices.keys()];
      return this.#write(
        id,
        mark,
        [...saved.devices].map(([device, of]) => ({ device, source: device, saved: of })),
      );
    });
  }

  plant(id: string, mark: string, sources: ReadonlyMap<string, string>): Promise<void> {
    return this.#doing('restoring a snapshot', async () => {
      const saved = this.#read(id);
      const targets = [...sources].flatMap(([device, source]) => {
        const of = saved.devices.get(source);
        return of === undefined ? [] : [{ device, source, saved: ofAnother(of) }];
      });
      await this.#write(id, mark, targets);
    });
  }

  /** Writes the entries of all devices, which apply together. Resolves with the devices that were other than in the snapshot. */
  async #write(snapshot: string, mark: string, targets: readonly Omit<Target, 'log'>[]): Promise<string[]> {
    const { common, devices, wal } = this.#parts;
    const restored: Target[] = [];
    for (const target of targets) {
      await devices.revive(target.device);
      // At hand from now on: what is applied has to find it at once.
      restored.push({ ...target, log: await devices.get(target.device) });
    }
    const changed: string[] = [];
    const entries = restoreEntries(restored, { snapshot, mark, changed, stamps: this.#stamps });
    // Asked for in one go they are written together.
    await Promise.all(
      entries.map(({ device, kind, write, apply }) => wal.append(device, kind, write, apply, true)),
    );
    common.saved.restored.add(mark);
    return changed;
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
        for (const log of left) await moved(log, id);
      };
      await Promise.all(Array.from({ length: AT_ONCE }, moveAll));
      const { files, saved } = common;
      await files.remove(join(saved.path(id), MARKS));
      await files.syncDirectory(saved.path(id));
      this.#known.delete(id);
      this.#latest = null;
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

  /** Whoever restores asks for the rows before: what was read for them is used once more, and not kept. */
  #read(id: string): Saved {
    const latest = this.#latest;
    this.#latest = null;
    return latest?.id === id ? latest.saved : this.#parts.common.saved.read(id);
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

/** Flushes a device until it needs the snapshot no more: what is purged at the same moment may take a second time. */
async function moved(log: DeviceLog, snapshot: string): Promise<void> {
  for (let attempt = 1; log.needs(snapshot); attempt++) {
    if (attempt > MOST_FLUSHES) throw new StoreError('io', `Records of device ${log.id} could not be moved.`);
    await log.flush();
  }
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
