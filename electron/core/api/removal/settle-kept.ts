import { StoreError } from '../../base/errors.ts';
import type { KeptDelete } from '../../store/metadata/metadata-schema.ts';
import { KeyLimitReached } from '../../store/store-errors.ts';
import type { Context } from '../context.ts';
import { extentOf, noteKept } from './keeping.ts';
import { settleUndoneDecoding } from './undo-decoding.ts';
import { keepingOf } from '../under-way.ts';

type Settler = Pick<Context, 'metadata' | 'records' | 'work' | 'clock'>;

/**
 * Finishes soft deletes that a crash cut off and no service has under way: all of one is there, or none. Resolves with notes
 * on them and on failures, for people to read; the next start retries these.
 */
export async function settleKept(context: Settler): Promise<readonly string[]> {
  return settleRows(await context.metadata.read((tables) => tables.list('kept_deletes')), context);
}

/** Whether a soft delete is not all done, or not all counted. */
export const isUnsettled = ({ state, records }: KeptDelete): boolean => state !== 'kept' || records === null;

/** The same of these rows alone. */
export async function settleRows(rows: readonly KeptDelete[], context: Settler): Promise<readonly string[]> {
  const notes: string[] = [];
  for (const row of rows) {
    if (!isUnsettled(row)) continue;
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
      const what = row.kind === 'decode' ? `Decoding "${name}" again` : `The delete of records of "${name}"`;
      if (kept) {
        await noteKept(row, kept, context);
        return `${what}, which was cut off, had happened; it can be undone.`;
      }
      await remove();
      return `${what}, which was cut off, had not happened.`;
    }
    case 'restoring':
      if (row.kind === 'decode') {
        const isBack = await settleUndoneDecoding(row, context);
        return `The undo of decoding "${name}" again, which was cut off, had ${isBack ? '' : 'not '}happened.`;
      }
      return (await finishRestoring(row, context)) === 'back'
        ? `The restore of records of "${name}", which was cut off, was finished.`
        : null;
    case 'discarding':
      await records.discard(device_id, id);
      await remove();
      return `The delete for good of records of "${name}", which was cut off, was finished.`;
  }
}

/** `full`: the device has no room for their keys; `deleted`: it was deleted meanwhile. Then they stay kept. */
export type Finished = 'back' | 'full' | 'deleted';

/**
 * Puts back records whose restore has begun; where they take the place of others those are soft-deleted before. Again is the same as
 * once.
 */
export async function finishRestoring(row: KeptDelete, context: Settler): Promise<Finished> {
  const { metadata, records } = context;
  const { id, device_id = '', replaces } = row;
  const find = async () => (await records.kept(device_id)).find((each) => each.name === id);
  try {
    if (replaces !== undefined && (await find())) await keepReplaced(row, replaces, context);
    await records.restore(device_id, id);
  } catch (error) {
    const why = whyKept(error);
    if (why === null) throw error;
    const { records: count = 0, bytes = 0 } = (await find()) ?? {};
    const kept = { state: 'kept', records: count, bytes, replaces: undefined } as const;
    await metadata.change((tables) => tables.patch('kept_deletes', id, kept));
    return why;
  }
  await metadata.change((tables) => tables.remove('kept_deletes', id));
  return 'back';
}

function whyKept(error: unknown): Exclude<Finished, 'back'> | null {
  if (error instanceof KeyLimitReached) return 'full';
  return error instanceof StoreError && error.code === 'retired' ? 'deleted' : null;
}

/** Soft-deletes all records of a device, as the delete that a restore in their place names. */
async function keepReplaced(row: KeptDelete, id: string, context: Settler): Promise<void> {
  const { metadata, records } = context;
  const { device_id = '', created } = row;
  const kept = await records.keep(device_id, id, { at: created });
  const { sequence: _, replaces: __, ...about } = row;
  await metadata.change(async (tables) => {
    // It was deleted for good meanwhile, or this was done before.
    if (!(await tables.get('kept_deletes', row.id)) || (await tables.get('kept_deletes', id))) return;
    await tables.insert('kept_deletes', { ...about, id, state: 'keeping' });
  });
  await noteKept({ ...row, id }, kept, context);
}
