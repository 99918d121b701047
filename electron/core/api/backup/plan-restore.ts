import { isDeepStrictEqual } from 'node:util';
import { quote } from '#shared/values/validate.ts';
import type { Split } from '#shared/operations/service/backup.ts';
import type { BackupManifest } from '../../backup/backup-format.ts';
import type { BackupRow } from '../../backup/backup-rows.ts';
import { badRequest } from '../../base/errors.ts';
import type { Row, StoredDevice, StoredKey } from '../../store/metadata/metadata-schema.ts';
import type { Tables } from '../../store/metadata/metadata.ts';
import type { Principal } from '../call.ts';
import type { Context } from '../context.ts';
import { requireRoomForNewDevices } from '../devices/most-devices.ts';
import { refuseDeleted, refuseTokenInUse } from '../sync/refuse-taken.ts';

/** What a restore does to the tables, and of which devices it brings records. */
export interface RestorePlan {
  readonly projects: Split;
  readonly devices: Split;
  /** Rows that are not there, in the order of their making. */
  readonly put: readonly BackupRow[];
  /** Rows that are there and differ: replaced where that was asked for. */
  readonly differing: readonly BackupRow[];
  /** The projects of the backup's devices, by device. */
  readonly projectOf: ReadonlyMap<string, string>;
  /** Devices that are not there. */
  readonly added: ReadonlySet<string>;
}

/** Fields that say where a row belongs, when it was made and what went of its records: no restore changes them. */
const KEPT_FIELDS = new Set([
  'id',
  'sequence',
  'created',
  'account_id',
  'project_id',
  'device_id',
  'records_removed',
]);

/** The fields of a row that a restore may replace. */
export function fieldsOf({ row }: BackupRow): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !KEPT_FIELDS.has(name)));
}

/**
 * Compares the rows of a backup with what is there. Throws a 400 Refusal where one of them cannot be: it was deleted and can be had
 * back, belongs elsewhere, or its token is another device's.
 */
export async function planRestore(
  tables: Tables,
  rows: readonly BackupRow[],
  { manifest, principal, config }: Parts,
): Promise<RestorePlan> {
  const { installation_id, default_account_id } = await tables.settings();
  const isElsewhere = installation_id !== manifest.installation_id;
  const account = (id: string) => (id === manifest.default_account_id ? default_account_id : id);
  const put: BackupRow[] = [];
  const differing: BackupRow[] = [];
  const counts = { projects: empty(), devices: empty() };
  const projectOf = new Map<string, string>();
  const added = new Set<string>();
  /** New devices, by project. */
  const more = new Map<string, number>();

  for (const each of rows.map((row) => ofAccount(row, account))) {
    const { table, row } = each;
    const there = await tables.get(table, row.id);
    if (table === 'devices') projectOf.set(row.id, row.project_id);
    if (there === null) {
      if (table === 'accounts' && row.id === manifest.default_account_id) continue;
      if (table === 'api_keys' && !(isElsewhere && (await isUnknown(tables, row)))) continue;
      if (table === 'projects') await refuseDeleted(tables, table, row.id, principal);
      if (table === 'devices') {
        await refuseTaken(tables, row, principal);
        added.add(row.id);
        more.set(row.project_id, (more.get(row.project_id) ?? 0) + 1);
      }
      put.push(each);
    } else if (differs(there, each)) {
      refuseOtherPlace(there, each);
      differing.push(each);
    } else refuseOtherPlace(there, each);
    if (table === 'projects' || table === 'devices') {
      const split = counts[table];
      if (there === null) split.new++;
      else if (differing.at(-1) === each) split.differ++;
      else split.same++;
    }
  }
  for (const [project, count] of more) await requireRoomForNewDevices(tables, project, count, config);
  return { ...counts, put, differing, projectOf, added };
}

interface Parts {
  readonly manifest: BackupManifest;
  readonly principal: Principal;
  readonly config: Context['config'];
}

const empty = () => ({ new: 0, same: 0, differ: 0 });

/** The default account of the backup is that of this installation. */
function ofAccount(each: BackupRow, account: (id: string) => string): BackupRow {
  if (!('account_id' in each.row)) return each;
  return { ...each, row: { ...each.row, account_id: account(each.row.account_id) } } as BackupRow;
}

/** A key comes back to another installation alone: one that is not here any more was revoked. */
async function isUnknown(tables: Tables, { hash }: StoredKey): Promise<boolean> {
  return (await tables.keyByHash(hash)) === null;
}

async function refuseTaken(tables: Tables, device: StoredDevice, principal: Principal): Promise<void> {
  try {
    await refuseDeleted(tables, 'devices', device.id, principal);
    await refuseTokenInUse(tables, device.token_hash);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw badRequest(`The device ${quote(device.name)} cannot be restored: ${error.message}`);
  }
}

function differs(there: Row<BackupRow['table']>, each: BackupRow): boolean {
  const fields = fieldsOf(each);
  const now = fieldsOf({ ...each, row: there } as BackupRow);
  return !isDeepStrictEqual(fields, now);
}

/** What has the id is to be of the same account, project and device. */
function refuseOtherPlace(there: Row<BackupRow['table']>, { table, row }: BackupRow): void {
  for (const field of ['account_id', 'project_id', 'device_id'] as const)
    if (field in row && field in there && Reflect.get(row, field) !== Reflect.get(there, field))
      throw badRequest(
        `${table}: what has the id ${quote(row.id)} is of another ${field.replace('_id', '')} here; nothing was restored`,
      );
}
