import type { Restored } from '#shared/operations/service/backup.ts';
import { quote } from '#shared/values/validate.ts';
import { blocksOf, deviceState, ROWS, stateOf } from '../../backup/backup-format.ts';
import { EVERYTHING, isOf, parseRows, type BackupRow, type BackupScope } from '../../backup/backup-rows.ts';
import { parsedAs, parsedOr, readBackup, textOf } from '../../backup/read-backup.ts';
import type { FoundMember } from '../../backup/tar.ts';
import { badRequest } from '../../base/errors.ts';
import type { BackupRecords } from '../../store/backup-records.ts';
import { KeyLimitReached, keyLimitRefusal } from '../../store/store-errors.ts';
import type { Principal } from '../call.ts';
import type { Context } from '../context.ts';
import { preferencesOf } from '../preferences.ts';
import { finishRestore, takeBackRestore } from './finish-restore.ts';
import { fieldsOf, planRestore, type RestorePlan } from './plan-restore.ts';
import { RestoringDevice } from './restoring-device.ts';
import type { PendingRestore } from './restores.ts';

export interface RestoreOptions {
  readonly scope: BackupScope;
  /** Whether only the counts are wanted: nothing is changed. */
  readonly isDryRun: boolean;
  /** Whether what is there and differs is replaced; what goes by that can be undone. */
  readonly replaces: boolean;
  readonly principal: Principal;
  readonly signal: AbortSignal;
}

/**
 * Restores a backup: all of it, or nothing, whatever ends it. Its records are stored where nobody sees them; once all of the
 * file was read and is as it was written, one line on disk decides, and from then on they are there or will be. Rejects with
 * a 400 Refusal that says what cannot be restored, with StoreError, or as the signal's reason.
 */
export async function restoreBackup(
  bytes: AsyncIterable<Uint8Array>,
  backup: BackupRecords,
  options: RestoreOptions,
  context: Context,
): Promise<Restored> {
  const { scope, isDryRun, replaces, principal, signal } = options;
  const { manifest, members } = await readBackup(bytes);
  const rest = members();
  const first = await rest.next();
  if (first.done || first.value.name !== ROWS)
    throw badRequest(`body must have ${quote(ROWS)} behind its manifest`);
  const all = await parseRows(await textOf(first.value), manifest.metadata_version);
  const rows = all.filter((row) => isOf(scope, row));
  requireAny(rows, scope);
  const { config, metadata, restores, chance } = context;
  const plan = await metadata.read((tables) => planRestore(tables, rows, { manifest, principal, config }));

  const id = chance.uuid();
  const isKnown = (device: string) => !plan.added.has(device);
  const devices = [...plan.projectOf.keys()];
  const begun: PendingRestore = {
    id,
    isDecided: false,
    devices: devices.map((device) => ({ device, isAdded: !isKnown(device), undo: null })),
    put: [],
    replaced: [],
  };
  const records = { new: 0, same: 0, differ: 0 };
  const staged: RestoringDevice[] = [];
  let open: RestoringDevice | null = null;
  const end = async () => {
    if (open === null) return;
    const { split } = await open.end();
    records.new += split.new;
    records.same += split.same;
    records.differ += split.differ;
    staged.push(open);
    open = null;
  };
  try {
    if (!isDryRun) await restores.note(begun);
    for await (const member of rest) {
      signal.throwIfAborted();
      const [, device = ''] = member.name.split('/');
      if (!plan.projectOf.has(device)) await skip(member);
      else if (member.name === stateOf(device)) {
        await end();
        const state = parsedAs(deviceState, parsedOr(await textOf(member)), member.name);
        open = new RestoringDevice({
          device,
          state,
          backup,
          name: id,
          isDryRun,
          replaces,
          isKnown: isKnown(device),
        });
      } else if (member.name === blocksOf(device) && open?.device === device) await open.take(member, signal);
      else throw badRequest(`body has a member that no backup has: ${quote(member.name)}`);
    }
    await end();
    signal.throwIfAborted();
    const found = { projects: plan.projects, devices: plan.devices, records };
    if (isDryRun) return found;
    const decided = await decisionOf({ begun, plan, staged, replaces }, principal, context);
    await restores.note(decided);
    await finishRestore(decided, context);
    return found;
  } catch (error) {
    await open?.abort();
    if (!isDryRun) await takeBackRestore(begun, context);
    throw error instanceof KeyLimitReached ? keyLimitRefusal(error) : error;
  }
}

async function skip({ content }: FoundMember): Promise<void> {
  for await (const piece of content) void piece;
}

function requireAny(rows: readonly BackupRow[], scope: BackupScope): void {
  const { project_id, device_id } = scope;
  if (scope === EVERYTHING || project_id === null) return;
  if (
    !rows.some(
      ({ table, row }) =>
        table === (device_id === null ? 'projects' : 'devices') && row.id === (device_id ?? project_id),
    )
  )
    throw badRequest(
      `${device_id === null ? 'project_id' : 'device_id'} must be of what the backup holds, got ${quote(device_id ?? project_id)}`,
    );
}

interface Deciding {
  readonly begun: PendingRestore;
  readonly plan: RestorePlan;
  readonly staged: readonly RestoringDevice[];
  readonly replaces: boolean;
}

const DAY = 86_400_000_000;

/** What is to be done once it is decided; all of it may be done again. */
async function decisionOf(
  { begun, plan, staged, replaces }: Deciding,
  { key_id }: Principal,
  { metadata, clock, chance }: Context,
): Promise<PendingRestore> {
  const now = clock.now();
  return metadata.read(async (tables) => {
    const { keep_days } = await preferencesOf(tables);
    const key = key_id === null ? null : await tables.get('api_keys', key_id);
    const put = [...plan.put];
    const devices = [];
    for (const { device, isStaged, isReplaced } of staged) {
      if (!isStaged) continue;
      const row = isReplaced ? await tables.get('devices', device) : null;
      const project = row && (await tables.get('projects', row.project_id));
      const undo = project ? chance.uuid() : null;
      devices.push({ device, isAdded: plan.added.has(device), undo });
      if (!row || !project || undo === null) continue;
      const about = { name: row.name, project_name: project.name, author: key?.name ?? 'app' };
      const of = { account_id: project.account_id, project_id: project.id, device_id: device };
      const span = { created: now, until: now + keep_days * DAY, start: null, end: null };
      const counts = { records: null, bytes: null, rows: {}, trimmed: [] };
      const kept = {
        ...of,
        ...about,
        ...span,
        ...counts,
        id: undo,
        kind: 'purge',
        state: 'keeping',
      } as const;
      put.push({ table: 'kept_deletes', row: { ...kept, sequence: 0 } });
    }
    const replaced = replaces ? plan.differing.filter((each) => Object.keys(fieldsOf(each)).length > 0) : [];
    return { ...begun, isDecided: true, devices, put, replaced };
  });
}
