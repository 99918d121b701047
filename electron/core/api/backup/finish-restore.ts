import type { BackupRow } from '../../backup/backup-rows.ts';
import { KeyLimitReached } from '../../store/store-errors.ts';
import type { NewRow, WritableTables } from '../../store/metadata/metadata.ts';
import type { TableName } from '../../store/metadata/metadata-schema.ts';
import type { Context } from '../context.ts';
import { noteKept } from '../removal/keeping.ts';
import { fieldsOf } from './plan-restore.ts';
import type { PendingRestore } from './restores.ts';

type Finisher = Pick<Context, 'metadata' | 'records' | 'restores' | 'events' | 'clock'>;

/**
 * Does what a restore has decided; once more is the same as once. What was deleted, or made under the same id, meanwhile stays
 * so.
 */
export async function finishRestore(restore: PendingRestore, context: Finisher): Promise<void> {
  const { metadata, records, restores, events } = context;
  await metadata.change(async (tables) => {
    for (const each of restore.put) await put(tables, each);
    for (const each of restore.replaced) await tables.patch(each.table, each.row.id, fieldsOf(each));
  });
  for (const { device, undo } of restore.devices) {
    const row = await metadata.read((tables) => tables.get('devices', device));
    const project = row && (await metadata.read((tables) => tables.get('projects', row.project_id)));
    if (!row || !project) {
      await records.drop(device);
      continue;
    }
    if (undo !== null) {
      const kept = await records.keep(device, undo, { at: context.clock.now() });
      await noteKept({ id: undo, device_id: device } as Parameters<typeof noteKept>[0], kept, context);
    }
    await restoreRecords(device, restore.id, context);
    const of = { account_id: project.account_id, project_id: project.id, device_id: device };
    if (undo !== null) events.publish('undo.changed', of);
    events.publish('records.removed', { ...of, restored: true });
  }
  for (const { table, row } of [...restore.put, ...restore.replaced])
    if (table === 'projects')
      events.publish('projects.changed', { account_id: row.account_id, project_id: row.id });
  await restores.over();
}

/** Removes what a restore has stored that was not decided. */
export async function takeBackRestore(
  { id, devices }: PendingRestore,
  { records, restores, metadata }: Pick<Finisher, 'records' | 'restores' | 'metadata'>,
): Promise<void> {
  for (const { device } of devices) {
    const isThere = await metadata.read((tables) => tables.get('devices', device));
    if (isThere) await records.discard(device, id);
    else await records.drop(device);
  }
  await restores.over();
}

/** Finishes, or takes back, what a crash or a failing disk cut off. Resolves with notes, for people to read. */
export async function settleRestore(context: Finisher): Promise<readonly string[]> {
  const { pending, notes } = context.restores;
  if (pending === null) return notes;
  if (pending.isDecided) {
    await finishRestore(pending, context);
    return ['The restore of a backup, which was cut off, was finished.'];
  }
  await takeBackRestore(pending, context);
  return ['The restore of a backup, which was cut off before all of the file was there, was taken back.'];
}

async function put(tables: WritableTables, { table, row }: BackupRow): Promise<void> {
  if (await tables.get(table, row.id)) return;
  const { sequence, ...fields } = row;
  void sequence;
  await tables.insert(table, fields as NewRow<TableName>);
}

async function restoreRecords(device: string, name: string, { records }: Finisher): Promise<void> {
  try {
    await records.restore(device, name);
  } catch (error) {
    // Keys came meanwhile: what is there comes first.
    if (!(error instanceof KeyLimitReached)) throw error;
    await records.discard(device, name);
  }
}
