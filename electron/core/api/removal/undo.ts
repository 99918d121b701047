import { isOfRecords } from '#shared/domain/kept-kinds.ts';
import type { DeletedCounts } from '#shared/schema/schemas.ts';
import { badRequest, notFound, Refusal } from '../../base/errors.ts';
import type { KeptDelete } from '../../store/metadata/metadata-schema.ts';
import type { Tables } from '../../store/metadata/metadata.ts';
import { KeyLimitReached } from '../../store/store-errors.ts';
import type { Context } from '../context.ts';
import { announceTaken } from '../../functions/announce.ts';
import { deletedBy, isPoisoned } from './keeping.ts';
import { runDeletion, type Remover } from './pending.ts';
import { noteSwitched, switchBack } from './undo-decoding.ts';
import { idsOf, noteForGood, putBack } from './taking.ts';
import { keepingOf, workOf } from '../under-way.ts';

type Undoer = Pick<Context, 'metadata' | 'records' | 'events' | 'work' | 'chance' | 'clock'>;

interface Undone {
  readonly restored: DeletedCounts;
  /** Of what was there in the place of what is back; null where nothing was. */
  readonly replaced: KeptDelete | null;
}

/**
 * Undoes a soft delete. Throws a Refusal where its project or device is deleted, too, or has no room for it; then it stays
 * kept.
 */
export async function restoreDelete(kept: KeptDelete, context: Undoer): Promise<Undone> {
  const { account_id, project_id, device_id } = kept;
  const { events, work } = context;
  const replaced = await (isOfRecords(kept.kind)
    ? work.during(keepingOf(device_id ?? ''), () => restoreRecords(kept, context))
    : restoreRows(kept, context));
  announceTaken(kept, kept.rows, context);
  // Whoever shows a device reads it anew.
  if (device_id !== undefined && isOfRecords(kept.kind))
    events.publish('records.removed', { account_id, project_id, device_id, restored: true });
  else if (device_id !== undefined) events.publish('devices.changed', { account_id, project_id, device_id });
  else events.publish('projects.changed', { account_id, project_id });
  events.publish('undo.changed', { account_id, project_id });
  return { restored: deletedBy(kept), replaced };
}

/**
 * A project or a device: one change, before which its devices take records again, since nobody finds them yet; and once more
 * behind it, for who deleted them may have been slow to end what was written (keeping.ts).
 */
async function restoreRows(kept: KeptDelete, { metadata, records, clock }: Undoer): Promise<null> {
  const devices = idsOf(kept.rows, 'devices');
  for (const id of devices) await records.revive(id);
  try {
    await metadata.change(async (tables) => {
      const row = await stillKept(tables, kept);
      if (row.kind === 'device' && !(await tables.get('projects', row.project_id)))
        throw badRequest(
          `The project "${row.project_name}" of the device "${row.name}" is deleted, too: restore it first.`,
        );
      await putBack(tables, row, clock.now());
      await tables.remove('kept_deletes', row.id);
    });
    for (const id of devices) await records.revive(id);
    return null;
  } catch (error) {
    const isThere = await metadata.read((tables) => tables.get('kept_deletes', kept.id));
    if (isThere) for (const id of devices) await records.retire(id);
    throw error;
  }
}

async function restoreRecords(
  kept: KeptDelete,
  { metadata, records, chance }: Pick<Undoer, 'metadata' | 'records' | 'chance'>,
): Promise<KeptDelete | null> {
  const { id, account_id, device_id = '' } = kept;
  /** Of a delete by which what has taken their place can be had back in turn. */
  const replaces = kept.kind === 'decode' ? chance.of(account_id).uuid() : undefined;
  await metadata.change(async (tables) => {
    const row = await stillKept(tables, kept);
    if (!(await tables.get('devices', device_id)))
      throw badRequest(`The device "${row.name}" is deleted, too: restore it first.`);
    await tables.patch('kept_deletes', id, { state: 'restoring', replaces });
  });
  let isBack: boolean;
  try {
    isBack = await (replaces === undefined
      ? records.restore(device_id, id)
      : switchBack(kept, replaces, records));
  } catch (error) {
    await keepOn(kept, error, { metadata });
    if (error instanceof KeyLimitReached)
      throw badRequest(`Nothing was restored, and nothing is lost: ${error.message}.`);
    throw error;
  }
  if (replaces !== undefined) return noteSwitched({ ...kept, replaces }, { metadata, records });
  await metadata.change((tables) => tables.remove('kept_deletes', id));
  // Nothing is kept under the name of a delete that found nothing.
  if (!isBack && kept.records !== 0)
    throw new Refusal(
      404,
      'What was deleted is not kept any more: the list of files of the device was damaged. What could be read is in the device again.',
    );
  return null;
}

/** Discards a soft delete: removes permanently what it kept. */
export async function discardDelete(kept: KeptDelete, context: Remover): Promise<DeletedCounts> {
  const { account_id, project_id, device_id = '' } = kept;
  if (isOfRecords(kept.kind))
    await context.work.during(keepingOf(device_id), () => discardRecords(kept, context));
  else {
    const { kind } = kept;
    const asked = { kind, project_id, device_ids: idsOf(kept.rows, 'devices') };
    await context.work.during(workOf(asked), async () => {
      const deletion = await context.metadata.change(async (tables) => {
        const { id, rows } = await stillKept(tables, kept);
        await tables.remove('kept_deletes', id);
        return noteForGood(tables, { kind, project_id, device_ids: idsOf(rows, 'devices') });
      });
      await runDeletion(account_id, deletion, context);
    });
  }
  context.events.publish('undo.changed', { account_id, project_id });
  return deletedBy(kept);
}

async function discardRecords(
  kept: KeptDelete,
  { metadata, records }: Pick<Remover, 'metadata' | 'records'>,
): Promise<void> {
  const { id, device_id = '' } = kept;
  await metadata.change(async (tables) => {
    await stillKept(tables, kept);
    await tables.patch('kept_deletes', id, { state: 'discarding' });
  });
  try {
    await records.discard(device_id, id);
  } catch (error) {
    await keepOn(kept, error, { metadata });
    throw error;
  }
  await metadata.change((tables) => tables.remove('kept_deletes', id));
}

/** The delete stays kept, unless the state of the disk is unknown: then the next start finds out. */
async function keepOn(
  { id }: KeptDelete,
  error: unknown,
  { metadata }: Pick<Context, 'metadata'>,
): Promise<void> {
  if (isPoisoned(error)) return;
  await metadata.change((tables) => tables.patch('kept_deletes', id, { state: 'kept' }));
}

/** Resolves with a soft delete that is still kept; throws a 404 Refusal otherwise. */
async function stillKept(tables: Tables, { id }: KeptDelete): Promise<KeptDelete> {
  const row = await tables.get('kept_deletes', id);
  if (row?.state !== 'kept') throw notFound('Delete');
  return row;
}
