import { join } from 'node:path';
import { StoreError } from '../errors.ts';
import { RECORDS_FOLDER } from '../store/records-folder.ts';
import type { RecordStore } from '../store/store.ts';
import type { Context } from './context.ts';
import { idsOf } from './removal/taking.ts';

/**
 * Says, for people to read, whose data lies in the folder without a device that it belongs to: metadata.json was lost, or
 * an older copy of it came back. Such data is kept, because it may be all that is left. What holds no record is taken
 * away without a word: a delete that was cut off left it.
 */
export async function unknownDevices({
  config,
  metadata,
  records,
}: Pick<Context, 'config' | 'metadata' | 'records'>): Promise<readonly string[]> {
  const stored = await records.devices();
  const unknown = await metadata.read(async (tables) => {
    const kept = new Set((await tables.list('kept_deletes')).flatMap(({ rows }) => idsOf(rows, 'devices')));
    const known = new Set(await tables.held('devices', stored));
    return stored.filter((id) => !known.has(id) && !kept.has(id));
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

/** What cannot be read may be records, and is nothing that the service needs to start. */
async function holdsNothing(records: RecordStore, device: string): Promise<boolean> {
  try {
    return await records.isEmpty(device);
  } catch (error) {
    if (error instanceof StoreError) return false;
    throw error;
  }
}
