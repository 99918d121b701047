import { basename, dirname, join } from 'node:path';
import { StoreError } from '#core/base/errors.ts';
import { errorCode } from '../disk/errors.ts';
import { filesOnly, type Contents } from '../disk/contents.ts';
import type { Files } from '../disk/files.ts';
import { removeTree } from '../disk/tree.ts';
import { isDeviceFolder } from './log/device/device-folder.ts';
import { isPlainFile } from './plain-log/device-state.ts';
import { readPlainDevice, type PlainDevice } from './plain-log/read-device.ts';
import type { RecordStore, RecoveryNote, StoredRecord } from './store.ts';

/*
 * The first versions kept one frame a record (plain-log/). Their data moves as a whole, by way of names beside the
 * data folder, each of which tells the next start how far a crash let it come:
 *
 *   data.migrating   being written; removed and begun anew
 *   data.migrated    whole and durable; takes the place of `data` once that is called data.plain
 *   data.plain       the old data, no longer needed; removed
 *   data.damaged-N   the old data where not all of it could be read; left for whoever may want to try
 */

const MIGRATING = '.migrating';
const MIGRATED = '.migrated';
const PLAIN = '.plain';
const DAMAGED = '.damaged-';

/** Whether a folder of this name is one that a migration of the data folder makes beside it. */
export function isOfMigration(name: string, dataFolder: string): boolean {
  const suffix = name.startsWith(dataFolder) ? name.slice(dataFolder.length) : '';
  return (
    [MIGRATING, MIGRATED, PLAIN].includes(suffix) || (suffix.startsWith(DAMAGED) && /-\d+$/.test(suffix))
  );
}

/** Deleted devices that the plain log had not yet removed. */
const DROPPED = /^~dropped-/;
/** What the plain log wrote into the data folder. */
export const PLAIN_CONTENTS: Contents = {
  isFile: () => false,
  folder: (name) => (DROPPED.test(name) || isDeviceFolder(name) ? filesOnly(isPlainFile) : null),
};
/** A data folder with such a file belongs to the append log. */
const WRITE_AHEAD_LOG = /^wal-/;

export interface Migration {
  /** The service's data folder. */
  readonly directory: string;
  readonly files: Files;
  /** Opens a store of the new format in a folder. */
  readonly openStore: (directory: string) => Promise<RecordStore>;
}

/**
 * Moves data of the plain log to a new store, and finishes a move that a crash interrupted. Does nothing, quickly, where
 * there is none. Throws StoreError, and then leaves the old data as it was.
 */
export async function migratePlainLog(migration: Migration): Promise<RecoveryNote[]> {
  const { directory, files } = migration;
  await finishSwap(migration);
  const found = await plainDevices(files, directory);
  if (found === null) return [];
  const notes = await writeAnew(migration, found);
  await files.rename(`${directory}${MIGRATING}`, `${directory}${MIGRATED}`);
  await files.syncDirectory(dirname(directory));
  const wasDamaged = notes.some(({ kind }) => kind === 'damaged');
  const aside = wasDamaged ? await freeName(files, directory) : `${directory}${PLAIN}`;
  await files.rename(directory, aside);
  await files.syncDirectory(dirname(directory));
  await finishSwap(migration);
  if (wasDamaged)
    notes.push({
      device: null,
      kind: 'migrated',
      message: `The damaged files themselves were kept in ${aside}.`,
    });
  return notes;
}

async function finishSwap({ directory, files }: Migration): Promise<void> {
  const parent = dirname(directory);
  const names = await namesIn(files, parent);
  const leftovers = [PLAIN, MIGRATING, MIGRATED].filter((suffix) => names.has(basename(directory) + suffix));
  if (leftovers.includes(MIGRATED) && !names.has(basename(directory))) {
    await files.rename(`${directory}${MIGRATED}`, directory);
    await files.syncDirectory(parent);
    leftovers.splice(leftovers.indexOf(MIGRATED), 1);
  }
  for (const suffix of leftovers) await removeTree(files, `${directory}${suffix}`);
}

/** Whether a data folder still holds a plain log. */
export async function isPlainLog(files: Files, directory: string): Promise<boolean> {
  return (await plainDevices(files, directory)) !== null;
}

type Found = ReadonlyMap<string, PlainDevice>;

/** The devices of a plain log; null when the folder is not one. */
async function plainDevices(files: Files, directory: string): Promise<Found | null> {
  const entries = await entriesIn(files, directory);
  if (entries.some(({ name }) => WRITE_AHEAD_LOG.test(name))) return null;
  const found = new Map<string, PlainDevice>();
  for (const { name, isDirectory } of entries) {
    if (!isDirectory || DROPPED.test(name)) continue;
    const device = await readPlainDevice(files, join(directory, name));
    if (device) found.set(name, device);
  }
  return found.size > 0 || entries.some(({ name }) => DROPPED.test(name)) ? found : null;
}

/** Writes everything to the folder `.migrating`; durable when it resolves. */
async function writeAnew({ directory, openStore }: Migration, devices: Found): Promise<RecoveryNote[]> {
  const notes: RecoveryNote[] = [];
  const store = await openStore(`${directory}${MIGRATING}`);
  let records = 0;
  try {
    for (const [id, device] of devices)
      records += await moveDevice(store, id, device, (kind, message) =>
        notes.push({ device: id, kind, message }),
      );
  } finally {
    await store.close();
  }
  const message = `${records} records of ${devices.size} devices were moved to the format of this version.`;
  return [...notes, { device: null, kind: 'migrated', message }];
}

/** Resolves with how many records it moved. */
async function moveDevice(
  store: RecordStore,
  id: string,
  { state, records }: PlainDevice,
  note: (kind: RecoveryNote['kind'], message: string) => void,
): Promise<number> {
  const batch = await store.batch(id);
  let moved = 0;
  let { lastSeen } = state;
  for await (const some of records(note)) {
    await batch.add(some);
    moved += some.length;
    for (const { received } of some) lastSeen = Math.max(lastSeen ?? received, received);
  }
  // A batch is no sign of life, and the latest record may be gone: a record that goes again says when the device was
  // last seen. What the batch holds is not there yet.
  if (lastSeen !== null) await store.append(id, [seenAt(lastSeen)]);
  if (state.purgedAt !== null) await store.purge(id, state.purgedAt);
  else if (lastSeen !== null) await store.deleteRange(id, {});
  await batch.commit();
  const stored = await store.count(id);
  if (stored !== moved)
    throw new StoreError(
      'io',
      `Moving device ${id} to the format of this version failed: ${stored} of ${moved} records arrived. The old data was left as it was.`,
    );
  return moved;
}

/** A record for its time of receipt alone. */
const seenAt = (received: number): StoredRecord => ({
  timestamp: 0,
  received,
  keys: ['seen'],
  values: [true],
});

async function freeName(files: Files, directory: string): Promise<string> {
  const names = await namesIn(files, dirname(directory));
  for (let n = 1; ; n++) {
    const path = `${directory}${DAMAGED}${n}`;
    if (!names.has(basename(path))) return path;
  }
}

async function namesIn(files: Files, folder: string): Promise<ReadonlySet<string>> {
  return new Set((await entriesIn(files, folder)).map(({ name }) => name));
}

/** What is in a folder; nothing when there is no folder. */
async function entriesIn(files: Files, folder: string): ReturnType<Files['list']> {
  try {
    return await files.list(folder);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}
