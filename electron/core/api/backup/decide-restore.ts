import type { Micros } from '#shared/values/time.ts';
import { quote } from '#shared/values/validate.ts';
import { badRequest } from '../../base/errors.ts';
import type { BackupRow } from '../../backup/backup-rows.ts';
import type { KeptDelete, StoredCorrection } from '../../store/metadata/metadata-schema.ts';
import type { Tables, WritableTables } from '../../store/metadata/metadata.ts';
import { anchorFacts } from '../../store/trail/anchors.ts';
import type { FormerTrail } from '../../store/trail/trail.ts';
import { endUnwatched } from '../alarms/end-alarms.ts';
import type { Principal } from '../call.ts';
import type { Context } from '../context.ts';
import {
  changeCorrection,
  createCorrection,
  writerOf,
  type Writer,
} from '../corrections/write-corrections.ts';
import { noteDecodes } from '../functions/decoding.ts';
import { replaceFunction } from '../functions/write-functions.ts';
import { insertKept } from '../removal/keeping.ts';
import { fieldsOf, type RestorePlan } from './plan-restore.ts';

/** Records of a device that are stored and wait to be seen. */
export interface StagedDevice {
  readonly device: string;
  readonly name: string;
  /** Whether what is there goes. */
  readonly isReplaced: boolean;
}

interface Decision {
  readonly plan: RestorePlan;
  readonly staged: readonly StagedDevice[];
  readonly replaces: boolean;
  /** Former audit trails that it brings. */
  readonly trails: readonly FormerTrail[];
}

/**
 * Decides a restore, by one change of the metadata: its rows are there, and each staged device has a soft delete that is being restored,
 * which a start finishes as it does any other (removal/settle-kept.ts). Resolves with these. Rejects with a 400 Refusal where
 * something came in between.
 */
export function decideRestore(
  { plan, staged, replaces, trails }: Decision,
  principal: Principal,
  context: Pick<Context, 'metadata' | 'clock' | 'chance'>,
): Promise<readonly KeptDelete[]> {
  return context.metadata.change(async (tables) => {
    const writer = async () => ({
      ...(await writerOf(principal, principal.account_id, tables, context)),
      principal: null,
    });
    const removed = await removedCorrections(tables, plan);
    for (const each of plan.put)
      if (each.table === 'corrections' && removed.has(each.row.id))
        await putCorrection(tables, each.row, await writer());
      else await put(tables, each);
    if (replaces) for (const each of plan.differing) await replace(tables, each, writer, context.clock.now());
    for (const id of decodingAnew(plan, replaces)) await noteDecodes(tables, id);
    // A backup of one device has no rule by tag.
    const alarms = plan.put.flatMap(({ table, row }) => (table === 'alarms' ? row : []));
    await endUnwatched(tables, alarms, context.clock.now());
    const rows: KeptDelete[] = [];
    for (const { device: device_id, name: id, isReplaced } of staged) {
      const device = await tables.get('devices', device_id);
      const project = device && (await tables.get('projects', device.project_id));
      // It was deleted while the backup was read: what it had can be had back from there.
      if (!device || !project) continue;
      const about = {
        id,
        account_id: project.account_id,
        project_id: project.id,
        device_id,
        kind: 'purge',
        state: 'restoring',
        ...(isReplaced && { replaces: context.chance.of(project.account_id).uuid() }),
        name: device.name,
        project_name: project.name,
        rows: {},
        trimmed: [],
      } as const;
      rows.push(await insertKept(tables, about, principal, context));
    }
    if (trails.length > 0) await tables.tell({ outcome: 'done', facts: anchorFacts(trails) });
    return rows;
  });
}

/** Devices of which another function may decode than before: what is here beside the backup's stays. */
const decodingAnew = ({ put: rows, differing }: RestorePlan, replaces: boolean): ReadonlySet<string> => {
  const replaced = replaces ? differing : [];
  return new Set([
    ...[...rows, ...replaced].flatMap(({ table, row }) =>
      table === 'functions' ? (row.device_id ?? []) : [],
    ),
    ...replaced.flatMap(({ table, row }) => (table === 'devices' ? row.id : [])),
  ]);
};

/** Ids of corrections that were removed here, of which the history tells: what comes back of them is a new version. */
async function removedCorrections(tables: Tables, { put: rows }: RestorePlan): Promise<ReadonlySet<string>> {
  const devices = new Set(rows.flatMap(({ table, row }) => (table === 'corrections' ? row.device_id : [])));
  const found = new Set<string>();
  for (const device_id of devices)
    for (const { correction_id } of await tables.list('correction_history', { device_id }))
      found.add(correction_id);
  return found;
}

async function putCorrection(tables: WritableTables, row: StoredCorrection, writer: Writer): Promise<void> {
  const device = await tables.get('devices', row.device_id);
  if (device && !(await tables.get('corrections', row.id)))
    await createCorrection(tables, device, row, writer);
}

/** Replaces fields of a row; of a correction by a new version, so that the history has both; a rule that is another then begins anew. */
async function replace(
  tables: WritableTables,
  each: BackupRow,
  writer: () => Promise<Writer>,
  now: Micros,
): Promise<void> {
  if (each.table === 'functions') return replaceFunction(tables, each.row.id, fieldsOf(each), now);
  const there = each.table === 'corrections' ? await tables.get('corrections', each.row.id) : null;
  if (each.table === 'corrections' && there) await changeCorrection(tables, there, each.row, await writer());
  else await tables.patch(each.table, each.row.id, fieldsOf(each));
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
  if ('device_id' in fields && typeof fields.device_id === 'string') {
    const device = await tables.get('devices', fields.device_id);
    if (device === null) return;
    // The device may have been moved since the backup.
    fields.project_id = device.project_id;
  }
  if ('project_id' in fields && !(await tables.get('projects', fields.project_id))) return;
  await tables.insert(table, fields);
}
