import { Refusal } from '../../base/errors.ts';
import { comeSince } from '../../functions/come-since.ts';
import type { KeptDelete } from '../../store/metadata/metadata-schema.ts';
import type { Context } from '../context.ts';

type Undoer = Pick<Context, 'metadata' | 'records'>;

/** How often the records are read anew because others came in between. */
const MOST_TRIES = 5;

/**
 * Puts back the records that others took the place of when they were decoded again, in one switch; records that came since stay. The others
 * are kept under `name` in turn, so that this can be undone, too. Resolves with true; rejects with a 503 Refusal where records of the range
 * come again and again.
 */
export async function switchBack(kept: KeptDelete, name: string, records: Undoer['records']): Promise<true> {
  for (let tries = 0; tries < MOST_TRIES; tries++) if (await switchOnce(kept, name, records)) return true;
  throw new Refusal(
    503,
    'Records of the range come again and again. Nothing was restored: try again in a while.',
  );
}

/** Resolves with false where others came in between: nothing was changed. */
async function switchOnce(
  { id, device_id = '', start, end }: KeptDelete,
  name: string,
  records: Undoer['records'],
): Promise<boolean> {
  const range = { ...(start !== null && { start }), ...(end !== null && { end }) };
  const revision = await records.revision(device_id);
  const expected = await records.count(device_id, range);
  const batch = await records.batch(device_id);
  try {
    const since = comeSince(records.scan(device_id, range), records.scanKept(device_id, id));
    for await (const some of since) await batch.add(some);
    return await batch.replace({ name, range, revision, expected, back: id });
  } catch (error) {
    await batch.abort();
    throw error;
  }
}

/** Finishes an undo that a crash cut off: it had happened, or it had not. Resolves with whether it had. */
export async function settleUndoneDecoding(row: KeptDelete, context: Undoer): Promise<boolean> {
  const { id, device_id = '' } = row;
  const isBack = !(await context.records.kept(device_id)).some(({ name }) => name === id);
  if (isBack) await noteSwitched(row, context);
  else await context.metadata.change((tables) => tables.patch('kept_deletes', id, { state: 'kept' }));
  return isBack;
}

/** Notes that the records are back, and keeps those that had taken their place; resolves with their row, null where there were none. */
export async function noteSwitched(
  { replaces: name = '', ...row }: KeptDelete,
  { metadata, records }: Undoer,
): Promise<KeptDelete | null> {
  const { id, device_id = '', sequence: _, ...about } = row;
  const kept = (await records.kept(device_id)).find((each) => each.name === name);
  return metadata.change(async (tables) => {
    await tables.remove('kept_deletes', id);
    if (!kept) return null;
    const noted = await tables.get('kept_deletes', name);
    if (noted) return noted;
    const { records: count, bytes } = kept;
    return tables.insert('kept_deletes', {
      ...about,
      device_id,
      id: name,
      state: 'kept',
      records: count,
      bytes,
    });
  });
}
