import { StoreError } from '../../base/errors.ts';
import type { KeptDelete } from '../../store/metadata/metadata-schema.ts';
import { KeyLimitReached } from '../../store/store-errors.ts';
import type { Context } from '../context.ts';
import { extentOf, noteKept } from './keeping.ts';
import { keepingOf } from '../under-way.ts';

type Settler = Pick<Context, 'metadata' | 'records' | 'work' | 'clock'>;

/**
 * Finishes soft deletes that a crash cut off and no service has under way: all of one is there, or none. Resolves with notes
 * on them and on failures, for people to read; the next start retries these.
 */
export async function settleKept(context: Settler): Promise<readonly string[]> {
  const rows = await context.metadata.read((tables) => tables.list('kept_deletes'));
  const notes: string[] = [];
  for (const row of rows) {
    if (row.state === 'kept' && row.records !== null) continue;
    try {
      const name = keepingOf(row.device_id ?? row.id);
      const note = await context.work.unlessUnderWay(name, () => settleAsItIs(row, context));
      if (note !== null) notes.push(note);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      notes.push(`What was deleted of "${row.name}" could not be looked at: ${error.message}`);
    }
  }
  return notes;
}

/** Another service may have been quicker. */
async function settleAsItIs({ id }: KeptDelete, context: Settler): Promise<string | null> {
  const row = await context.metadata.read((tables) => tables.get('kept_deletes', id));
  return row && settle(row, context);
}

async function settle(row: KeptDelete, context: Settler): Promise<string | null> {
  const { metadata, records } = context;
  const { id, name, device_id = '', state } = row;
  const remove = () => metadata.change((tables) => tables.remove('kept_deletes', id));
  switch (state) {
    case 'kept': {
      if (row.records !== null) return null;
      const counts = await extentOf(row, records);
      await metadata.change((tables) => tables.patch('kept_deletes', id, counts));
      return null;
    }
    case 'keeping': {
      const kept = (await records.kept(device_id)).find((each) => each.name === id);
      if (kept) {
        await noteKept(row, kept, context);
        return `The delete of records of "${name}", which was cut off, had happened; it can be undone.`;
      }
      await remove();
      return `The delete of records of "${name}", which was cut off, had not happened.`;
    }
    case 'restoring':
      return (await finishRestoring(row, context))
        ? `The restore of records of "${name}", which was cut off, was finished.`
        : null;
    case 'discarding':
      await records.discard(device_id, id);
      await remove();
      return `The delete for good of records of "${name}", which was cut off, was finished.`;
  }
}

/**
 * Puts back records whose restore has begun; where they take the place of others those are soft-deleted before. Again is the same as once.
 * Resolves with false where the device has no room for their keys: then they stay kept.
 */
export async function finishRestoring(row: KeptDelete, context: Settler): Promise<boolean> {
  const { metadata, records } = context;
  const { id, device_id = '', replaces } = row;
  const isKept = (await records.kept(device_id)).some((each) => each.name === id);
  if (isKept && replaces !== undefined) await keepReplaced(row, replaces, context);
  try {
    await records.restore(device_id, id);
  } catch (error) {
    if (!(error instanceof KeyLimitReached)) throw error;
    const [kept] = (await records.kept(device_id)).filter((each) => each.name === id);
    const counts = { records: kept?.records ?? 0, bytes: kept?.bytes ?? 0 };
    await metadata.change((tables) => tables.patch('kept_deletes', id, { state: 'kept', ...counts }));
    return false;
  }
  await metadata.change((tables) => tables.remove('kept_deletes', id));
  return true;
}

/** Soft-deletes all records of a device, as the delete that a restore in their place names. */
async function keepReplaced(row: KeptDelete, id: string, context: Settler): Promise<void> {
  const { metadata, records } = context;
  const { device_id = '', created } = row;
  const kept = await records.keep(device_id, id, { at: created });
  const { sequence: _, replaces: __, ...about } = row;
  await metadata.change(async (tables) => {
    if (!(await tables.get('kept_deletes', id)))
      await tables.insert('kept_deletes', { ...about, id, state: 'keeping' });
  });
  await noteKept({ ...row, id }, kept, context);
}
