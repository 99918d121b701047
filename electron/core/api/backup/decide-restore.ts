import { quote } from '#shared/values/validate.ts';
import { badRequest } from '../../base/errors.ts';
import type { BackupRow } from '../../backup/backup-rows.ts';
import type { KeptDelete } from '../../store/metadata/metadata-schema.ts';
import type { WritableTables } from '../../store/metadata/metadata.ts';
import type { Principal } from '../call.ts';
import type { Context } from '../context.ts';
import { preferencesOf } from '../preferences.ts';
import { fieldsOf, type RestorePlan } from './plan-restore.ts';

/** Records of a device that are stored and wait to be seen. */
export interface StagedDevice {
  readonly device: string;
  readonly name: string;
  /** Whether what is there goes. */
  readonly isReplaced: boolean;
}

const DAY = 86_400_000_000;

/**
 * Decides a restore, by one change of the metadata: its rows are there, and each staged device has a soft delete that is being restored,
 * which a start finishes as it does any other (removal/settle-kept.ts). Resolves with these. Rejects with a 400 Refusal where
 * something came in between.
 */
export function decideRestore(
  { plan, staged, replaces }: { plan: RestorePlan; staged: readonly StagedDevice[]; replaces: boolean },
  { key_id }: Principal,
  { metadata, clock, chance }: Pick<Context, 'metadata' | 'clock' | 'chance'>,
): Promise<readonly KeptDelete[]> {
  const created = clock.now();
  const undo = new Map(
    staged.flatMap(({ device, isReplaced }) => (isReplaced ? [[device, chance.uuid()]] : [])),
  );
  return metadata.change(async (tables) => {
    for (const each of plan.put) await put(tables, each);
    if (replaces)
      for (const each of plan.differing) await tables.patch(each.table, each.row.id, fieldsOf(each));
    const { keep_days } = await preferencesOf(tables);
    const key = key_id === null ? null : await tables.get('api_keys', key_id);
    const rows: KeptDelete[] = [];
    for (const { device: device_id, name: id } of staged) {
      const device = await tables.get('devices', device_id);
      const project = device && (await tables.get('projects', device.project_id));
      // It was deleted while the backup was read: what it had can be had back from there.
      if (!device || !project) continue;
      const replaced = undo.get(device_id);
      rows.push(
        await tables.insert('kept_deletes', {
          id,
          account_id: project.account_id,
          project_id: project.id,
          device_id,
          kind: 'purge',
          state: 'restoring',
          ...(replaced !== undefined && { replaces: replaced }),
          name: device.name,
          project_name: project.name,
          author: key?.name ?? 'app',
          created,
          until: created + keep_days * DAY,
          start: null,
          end: null,
          records: null,
          bytes: null,
          rows: {},
          trimmed: [],
        }),
      );
    }
    return rows;
  });
}

/** Adds a row that is not there; what it belongs to is, or it is left out: that was deleted while the backup was read. */
async function put(tables: WritableTables, { table, row }: BackupRow): Promise<void> {
  const isThere = (await tables.get(table, row.id)) !== null;
  if (table === 'devices' && (isThere || (await tables.deviceByTokenHash(row.token_hash))))
    throw badRequest(
      `The device ${quote(row.name)} of the backup, or one with its token, was made here meanwhile: nothing was restored. Try again.`,
    );
  if (isThere) return;
  const { sequence: _, ...fields } = row;
  if ('device_id' in fields && fields.device_id !== undefined) {
    const device = await tables.get('devices', fields.device_id);
    if (device === null) return;
    // It may have been moved since the backup.
    fields.project_id = device.project_id;
  }
  if ('project_id' in fields && !(await tables.get('projects', fields.project_id))) return;
  await tables.insert(table, fields);
}
