import { join } from 'node:path';
import { StoreError } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import { RECORDS_FOLDER } from '../store/records-folder.ts';
import type { RecordStore } from '../store/store.ts';
import type { Context } from './context.ts';
import { idsOf } from './removal/taking.ts';

type Looked = Pick<Context, 'config' | 'metadata' | 'records'>;

export interface UnknownDevices {
  /** For people to read; each is logged as well. */
  readonly notes: readonly string[];
  /** Resolves when all was looked at. */
  close(): Promise<void>;
}

/** Looks for data of unknown devices in the background: of ten thousand it would hold up a start, which needs none of it. */
export function lookForUnknownDevices(context: Looked, log: Logger): UnknownDevices {
  const notes: string[] = [];
  const look = async () => {
    try {
      notes.push(...(await unknownDevices(context)));
      for (const note of notes) log.warn(note);
    } catch (error) {
      log.error('Looking for data of unknown devices failed', error);
    }
  };
  const looked = look();
  return { notes, close: () => looked };
}

/**
 * Says whose data lies in the folder without a device that it belongs to: metadata.json was lost, or an older copy of it came
 * back. Such data is kept, because it may be all that is left. What holds no record is taken away without a word: a delete
 * that was cut off left it.
 */
async function unknownDevices({ config, metadata, records }: Looked): Promise<readonly string[]> {
  // Before the metadata: a device is there before its records, and is gone from there before they are.
  const stored = await records.devices();
  const unknown = await metadata.read(async (tables) => {
    const held = new Set(await tables.held('devices', stored));
    const unheld = stored.filter((id) => !held.has(id));
    if (unheld.length === 0) return [];
    const kept = (await tables.list('kept_deletes')).flatMap(({ rows }) => idsOf(rows, 'devices'));
    const going = (await tables.deletions()).flatMap(({ device_ids }) => device_ids);
    const accounted = new Set([...kept, ...going]);
    return unheld.filter((id) => !accounted.has(id));
  });
  const kept: string[] = [];
  const empty: string[] = [];
  for (const id of unknown) ((await holdsNothing(records, id)) ? empty : kept).push(id);
  const folder = join(config.directory, RECORDS_FOLDER);
  const notes: string[] = [];
  if (kept.length > 0)
    notes.push(
      `${folder} holds data of devices that metadata.json does not know: ${kept.length}, ${kept[0]} among them. It is kept.`,
    );
  try {
    // Together, so that they share a write.
    await Promise.all(empty.map((id) => records.drop(id)));
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    notes.push(`Folders without a record in ${folder} could not be removed: ${error.message}`);
  }
  return notes;
}

/** Whether a device has no records; false where they cannot be read, which keeps no service from starting. */
async function holdsNothing(records: RecordStore, device: string): Promise<boolean> {
  try {
    return await records.isEmpty(device);
  } catch (error) {
    if (error instanceof StoreError) return false;
    throw error;
  }
}
