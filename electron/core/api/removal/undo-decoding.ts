import { badRequest, Refusal, StoreError } from '../../base/errors.ts';
import { comeSince } from '../../functions/come-since.ts';
import type { KeptDelete } from '../../store/metadata/metadata-schema.ts';
import type { Tables } from '../../store/metadata/metadata.ts';
import { KeyLimitReached } from '../../store/store-errors.ts';
import type { Context } from '../context.ts';

type Undoer = Pick<Context, 'metadata' | 'records' | 'chance'>;

/** How often the records are read anew because others came in between. */
const MOST_TRIES = 5;

/**
 * Puts back the records that others took the place of when they were decoded again, in one switch; what came since stays. The others are kept in
 * turn, so that this can be undone, too. `still`: resolves with the row where it is still kept.
 */
export async function undoDecoding(
  kept: KeptDelete,
  still: (tables: Tables) => Promise<KeptDelete>,
  { metadata, records, chance }: Undoer,
): Promise<void> {
  const { id, account_id, device_id = '' } = kept;
  const name = chance.of(account_id).uuid();
  await metadata.change(async (tables) => {
    const row = await still(tables);
    if (!(await tables.get('devices', device_id)))
      throw badRequest(`The device "${row.name}" is deleted, too: restore it first.`);
    await tables.patch('kept_deletes', id, { state: 'restoring', replaces: name });
  });
  try {
    for (let tries = 1; !(await switchBack(kept, name, records)); tries++)
      if (tries === MOST_TRIES)
        throw new Refusal(
          503,
          'Records of the range come again and again. Nothing was restored: try again in a while.',
        );
  } catch (error) {
    // Where the state of the disk is unknown the next start finds out.
    if (!(error instanceof StoreError && error.code === 'poisoned'))
      await metadata.change((tables) =>
        tables.patch('kept_deletes', id, { state: 'kept', replaces: undefined }),
      );
    if (error instanceof KeyLimitReached)
      throw badRequest(`Nothing was restored, and nothing is lost: ${error.message}.`);
    throw error;
  }
  await noteSwitched({ ...kept, replaces: name }, { metadata, records });
}

/** Resolves with false where others came in between: nothing was changed. */
async function switchBack(
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
export async function settleUndoneDecoding(
  row: KeptDelete,
  context: Pick<Context, 'metadata' | 'records'>,
): Promise<boolean> {
  const { id, device_id = '' } = row;
  const isBack = !(await context.records.kept(device_id)).some(({ name }) => name === id);
  if (isBack) await noteSwitched(row, context);
  else
    await context.metadata.change((tables) =>
      tables.patch('kept_deletes', id, { state: 'kept', replaces: undefined }),
    );
  return isBack;
}

/** What was kept is back; what had taken its place is kept, where anything had. */
async function noteSwitched(
  { replaces: name = '', ...row }: KeptDelete,
  { metadata, records }: Pick<Context, 'metadata' | 'records'>,
): Promise<void> {
  const { id, device_id = '', sequence: _, ...about } = row;
  const kept = (await records.kept(device_id)).find((each) => each.name === name);
  await metadata.change(async (tables) => {
    await tables.remove('kept_deletes', id);
    if (!kept || (await tables.get('kept_deletes', name))) return;
    const { records: count, bytes } = kept;
    await tables.insert('kept_deletes', {
      ...about,
      device_id,
      id: name,
      state: 'kept',
      records: count,
      bytes,
    });
  });
}
