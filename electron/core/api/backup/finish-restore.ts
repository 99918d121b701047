import type { BackupRow } from '../../backup/backup-rows.ts';
import { badRequest, StoreError } from '../../base/errors.ts';
import type { KeptDelete } from '../../store/metadata/metadata-schema.ts';
import { MOST_KEYS_OF_DEVICE } from '../../store/store-errors.ts';
import type { Context } from '../context.ts';
import { finishRestoring } from '../removal/settle-kept.ts';
import { touchedIn, type Touched } from '../sync/touched.ts';
import { keepingOf } from '../under-way.ts';
import type { RestorePlan } from './plan-restore.ts';
import { takeBackNowOrLater } from './take-back.ts';

/**
 * Makes all that a restore has decided visible, and tells who shows it. Rejects with StoreError where a disk fails: then the next
 * restore, or the next start, finishes it. Rejects with a 400 Refusal where a device got so many keys meanwhile that there is no room
 * for those of the backup.
 */
export async function finishRestore(
  plan: RestorePlan,
  decided: readonly KeptDelete[],
  replaces: boolean,
  context: Context,
): Promise<void> {
  const { events, work } = context;
  await tellOfRows([...plan.put, ...(replaces ? plan.differing : [])], context);
  await takeBackNowOrLater(context);
  const full: string[] = [];
  let failure: StoreError | null = null;
  for (const row of decided)
    try {
      const { account_id, project_id, device_id = '', name } = row;
      const how = await work.during(keepingOf(device_id), () => finishRestoring(row, context));
      if (how === 'full') full.push(name);
      events.publish('records.removed', { account_id, project_id, device_id, restored: true });
      if (how !== 'back' || row.replaces !== undefined)
        events.publish('undo.changed', { account_id, project_id });
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      failure ??= error;
    }
  if (failure !== null)
    throw new StoreError(
      failure.code,
      `The backup was read whole and comes back, but not all of its records are there yet: ${failure.message} The next restore, or the next start of the service, goes on with it.`,
      { cause: failure },
    );
  if (full.length > 0)
    throw badRequest(
      `The backup was restored, but for records of ${full.map((name) => `"${name}"`).join(', ')}: a device holds at most ${MOST_KEYS_OF_DEVICE} distinct keys, and new ones came meanwhile. They lie among what was deleted, for an undo.`,
    );
}

async function tellOfRows(rows: readonly BackupRow[], context: Context): Promise<void> {
  const projects = new Set<string>();
  const touched = new Map<string, Touched>();
  const there = await context.metadata.read(async (tables) => {
    for (const { table, row } of rows) {
      if (table === 'projects') projects.add(row.id);
      else if (table === 'widgets') touchedIn(touched, row.project_id).hasWidgets = true;
      else if ('project_id' in row) {
        const device_id = table === 'devices' ? row.id : row.device_id;
        const device = device_id === null ? null : await tables.get('devices', device_id);
        // The device may have been moved since the backup, or deleted.
        if (device_id === null || device)
          touchedIn(touched, device?.project_id ?? row.project_id).add(table, device_id);
      }
    }
    return tables.list('projects');
  });
  for (const { id, account_id } of there) {
    if (projects.has(id)) context.events.publish('projects.changed', { account_id, project_id: id });
    touched.get(id)?.announce({ id, account_id }, context);
  }
}
