import { isDeepStrictEqual } from 'node:util';
import { quote } from '#shared/values/validate.ts';
import type { Split } from '#shared/operations/service/backup.ts';
import type { BackupManifest } from '../../backup/backup-format.ts';
import type { BackupRow, BackupScope } from '../../backup/backup-rows.ts';
import { badRequest, Refusal } from '../../base/errors.ts';
import type { StoredDevice } from '../../store/metadata/metadata-schema.ts';
import type { Tables } from '../../store/metadata/metadata.ts';
import type { Principal } from '../call.ts';
import type { Context } from '../context.ts';
import { requireRoomForNewDevices } from '../devices/most-devices.ts';
import { Pace } from '../../turns/pace.ts';
import { ReadOnce } from '../sync/look.ts';
import { refuseDeleted, refuseTokenInUse } from '../sync/refuse-taken.ts';

/** What a restore does to the tables, and of which devices it brings records. */
export interface RestorePlan {
  readonly projects: Split;
  readonly devices: Split;
  /** Rows that are not there, in the order of their making. */
  readonly put: readonly BackupRow[];
  /** Rows that are there and differ: replaced where that was asked for. */
  readonly differing: readonly BackupRow[];
  /** The names of the backup's devices, by their ids. */
  readonly nameOf: ReadonlyMap<string, string>;
  /** Devices that are not there. */
  readonly added: ReadonlySet<string>;
}

/** Fields that no restore changes: where a row belongs, when it was made, its secret, what went of its records, what was told of it elsewhere, and since when a rule watches. */
const KEPT_FIELDS = new Set([
  'id',
  'sequence',
  'created',
  'account_id',
  'project_id',
  'device_id',
  'token_hash',
  'records_removed',
  'told',
  'since',
]);

/** The fields of a row that a restore may replace. */
export function fieldsOf({ row }: Pick<BackupRow, 'row'>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !KEPT_FIELDS.has(name)));
}

interface Parts {
  readonly manifest: BackupManifest;
  readonly scope: BackupScope;
  readonly principal: Principal;
  readonly config: Context['config'];
}

/**
 * Compares the rows of a backup with what is there. Throws a 400 Refusal where one of them cannot be: it was deleted and can be had
 * back, is being deleted, belongs to nothing, or its token is another device's.
 */
export async function planRestore(
  tables: Tables,
  rows: readonly BackupRow[],
  { manifest, scope, principal, config }: Parts,
): Promise<RestorePlan> {
  const accountOf = await accountsOf(tables, rows, manifest);
  // An installation without projects is a new one, and takes the keys; elsewhere a key that is missing was revoked, or is of others.
  const isFresh = (await tables.count('projects')) === 0;
  const once = new ReadOnce(tables);
  const deleting = new Set((await tables.deletions()).flatMap(({ device_ids }) => device_ids));
  const restoring = new Set(
    (await tables.list('kept_deletes')).flatMap(({ state, device_id }) =>
      state === 'restoring' ? [device_id] : [],
    ),
  );
  const pace = new Pace();
  const put: BackupRow[] = [];
  const differing: BackupRow[] = [];
  const counts = { projects: empty(), devices: empty() };
  const nameOf = new Map<string, string>();
  const added = new Set<string>();
  /** New devices, by project. */
  const more = new Map<string, number>();
  /** Projects and devices that are there, or will be. */
  const known = new Set<string>();

  // The device that is asked for is there: it may be in another project by now.
  const isMoved = scope.device_id !== null && (await tables.get('devices', scope.device_id)) !== null;
  // A project comes along with its device, which alone is meant; a key has the rights that it has here, and an alarm went on.
  const isMeant = ({ table }: BackupRow) =>
    table !== 'api_keys' && table !== 'alarms' && (table !== 'projects' || scope.device_id === null);
  for (const each of rows.map((row) => ofAccount(row, accountOf))) {
    await pace.pause();
    const { table, row } = each;
    const there = await tables.get(table, row.id);
    if (table === 'projects' && there === null && isMoved) continue;
    const isSame = there !== null && isDeepStrictEqual(fieldsOf(each), fieldsOf({ row: there }));
    if (table === 'projects' || table === 'devices') {
      known.add(row.id);
      counts[table][there === null ? 'new' : isSame || !isMeant(each) ? 'same' : 'differ']++;
    }
    if (table === 'devices') {
      if (restoring.has(row.id))
        throw badRequest(
          `Records of the device ${quote(row.name)} are being put back; restore the backup when that is done`,
        );
      nameOf.set(row.id, row.name);
    }
    if (there !== null) {
      if (!isSame && isMeant(each)) differing.push(each);
      continue;
    }
    if (table === 'accounts' && row.id === manifest.default_account_id) continue;
    if (table === 'api_keys' && !(isFresh && (await tables.keyByHash(row.hash)) === null)) continue;
    if (!(await belongs(tables, each, known))) throw orphan(each);
    if (table === 'projects') await refuseDeleted(tables, table, row.id, principal, once);
    if (table === 'devices') {
      if (deleting.has(row.id))
        throw badRequest(
          `The device ${quote(row.name)} is being deleted for good; restore the backup when that is done`,
        );
      await refuseTaken(tables, row, principal, once);
      added.add(row.id);
      more.set(row.project_id, (more.get(row.project_id) ?? 0) + 1);
    }
    put.push(each);
  }
  for (const [project, count] of more) await requireRoomForNewDevices(tables, project, count, config);
  return { ...counts, put, differing, nameOf, added };
}

const empty = () => ({ new: 0, same: 0, differ: 0 });

/** The accounts of a backup as they are here: its default account is that of this installation, as is one that does not come along. */
async function accountsOf(
  tables: Tables,
  rows: readonly BackupRow[],
  manifest: BackupManifest,
): Promise<(id: string) => string> {
  const { default_account_id } = await tables.settings();
  const known = new Set((await tables.list('accounts')).map(({ id }) => id));
  for (const { table, row } of rows) if (table === 'accounts') known.add(row.id);
  return (id) => (id !== manifest.default_account_id && known.has(id) ? id : default_account_id);
}

function ofAccount(each: BackupRow, account: (id: string) => string): BackupRow {
  if (!('account_id' in each.row)) return each;
  return { ...each, row: { ...each.row, account_id: account(each.row.account_id) } } as BackupRow;
}

/** Whether what a row belongs to is there, or comes before it. */
async function belongs(tables: Tables, { row }: BackupRow, known: ReadonlySet<string>): Promise<boolean> {
  const isThere = async (table: 'projects' | 'devices', id: string) =>
    known.has(id) || (await tables.get(table, id)) !== null;
  // Functions, notes, alarms, corrections and key settings go where their device is; a rule by tag is of its project.
  if ('device_id' in row && typeof row.device_id === 'string') return isThere('devices', row.device_id);
  return !('project_id' in row) || isThere('projects', row.project_id);
}

const orphan = ({ table, row }: BackupRow) =>
  badRequest(`The backup cannot be read: ${table} ${quote(row.id)} belongs to nothing that is in it or here`);

async function refuseTaken(
  tables: Tables,
  device: StoredDevice,
  principal: Principal,
  once: ReadOnce,
): Promise<void> {
  try {
    await refuseDeleted(tables, 'devices', device.id, principal, once);
    await refuseTokenInUse(tables, device.token_hash, once);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw badRequest(`The device ${quote(device.name)} cannot be restored: ${error.message}`);
  }
}
