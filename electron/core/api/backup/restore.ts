import type { Restored } from '#shared/operations/service/backup.ts';
import { quote } from '#shared/values/validate.ts';
import { blocksOf, deviceState, ROWS, stateOf } from '../../backup/backup-format.ts';
import { EVERYTHING, isOf, parseRows, type BackupRow, type BackupScope } from '../../backup/backup-rows.ts';
import { parsedAs, parsedOr, readBackup, textOf } from '../../backup/read-backup.ts';
import type { FoundMember } from '../../backup/tar.ts';
import { badRequest } from '../../base/errors.ts';
import { UnconfirmedWrite } from '../../disk/atomic-file.ts';
import type { BackupRecords } from '../../store/backup-records.ts';
import { KeyLimitReached, keyLimitRefusal } from '../../store/store-errors.ts';
import type { Principal } from '../call.ts';
import type { Context } from '../context.ts';
import { preferencesOf } from '../preferences.ts';
import { finishRestore, settleRestore, takeBackRestore } from './finish-restore.ts';
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
  const { isDryRun, principal } = options;
  const { config, metadata, restores } = context;
  await settleRestore(context);
  const { manifest, members } = await readBackup(bytes);
  const rest = members();
  const rows = await readRows(rest, manifest.metadata_version, options.scope);
  const plan = await metadata.read((tables) => planRestore(tables, rows, { manifest, principal, config }));
  const stage = new Stage(plan, backup, options, context.chance.uuid());
  try {
    if (!isDryRun) await restores.note(stage.begun);
    const records = await stage.read(rest);
    const found = { projects: plan.projects, devices: plan.devices, records };
    if (isDryRun) return found;
    await restores.note(await decisionOf(stage, options, context));
    await finishRestore(restores.pending ?? stage.begun, context);
    return found;
  } catch (error) {
    await stage.abort();
    // What is decided, or may be, is finished: before the next restore, or by the next start.
    if (restores.pending?.isDecided === false && !(error instanceof UnconfirmedWrite))
      await takeBackRestore(restores.pending, context);
    throw error instanceof KeyLimitReached ? keyLimitRefusal(error) : error;
  }
}

/** Reads the rows of what is to be restored. Rejects with a 400 Refusal where the backup has nothing of it. */
async function readRows(
  members: AsyncGenerator<FoundMember>,
  version: number,
  { project_id, device_id }: BackupScope,
): Promise<readonly BackupRow[]> {
  const first = await members.next();
  if (first.done || first.value.name !== ROWS)
    throw badRequest(`body must have ${quote(ROWS)} behind its manifest`);
  const all = await parseRows(await textOf(first.value), version);
  if (project_id === null && device_id === null) return all.filter((row) => isOf(EVERYTHING, row));
  const asked = all.find(
    ({ table, row }) =>
      (device_id === null ? table === 'projects' : table === 'devices') &&
      row.id === (device_id ?? project_id) &&
      (project_id === null || device_id === null || Reflect.get(row, 'project_id') === project_id),
  );
  if (!asked)
    throw badRequest(
      `${device_id === null ? 'project_id' : 'device_id'} must be of what the backup holds, got ${quote(device_id ?? project_id)}`,
    );
  const of = asked.table === 'devices' ? asked.row.project_id : asked.row.id;
  return all.filter((row) => isOf({ project_id: of, device_id }, row));
}

/** Members of a backup on their way to where nobody sees them yet. */
class Stage {
  readonly plan: RestorePlan;
  readonly begun: PendingRestore;
  readonly devices: RestoringDevice[] = [];
  readonly #backup: BackupRecords;
  readonly #options: RestoreOptions;
  #open: RestoringDevice | null = null;

  constructor(plan: RestorePlan, backup: BackupRecords, options: RestoreOptions, id: string) {
    this.plan = plan;
    this.#backup = backup;
    this.#options = options;
    const devices = Array.from(plan.projectOf.keys(), (device) => {
      return { device, isAdded: plan.added.has(device), undo: null };
    });
    this.begun = { id, isDecided: false, devices, put: [], replaced: [] };
  }

  /** Reads all of them. Resolves with what became of their records. */
  async read(members: AsyncIterable<FoundMember>): Promise<Restored['records']> {
    const { signal } = this.#options;
    for await (const member of members) {
      signal.throwIfAborted();
      const [, device = ''] = member.name.split('/');
      if (!this.plan.projectOf.has(device)) await skip(member);
      else if (member.name === stateOf(device)) await this.#begin(device, member);
      else if (member.name === blocksOf(device) && this.#open?.device === device)
        await this.#open.take(member, signal);
      else throw badRequest(`body has a member that no backup has: ${quote(member.name)}`);
    }
    await this.#end();
    signal.throwIfAborted();
    const sum = (which: keyof Restored['records']) =>
      this.devices.reduce((total, { split }) => total + split[which], 0);
    return { new: sum('new'), same: sum('same'), differ: sum('differ') };
  }

  async abort(): Promise<void> {
    await this.#open?.abort();
    this.#open = null;
  }

  async #begin(device: string, member: FoundMember): Promise<void> {
    await this.#end();
    const { isDryRun, replaces } = this.#options;
    const state = parsedAs(deviceState, parsedOr(await textOf(member)), member.name);
    const isKnown = !this.plan.added.has(device);
    const parts = { device, state, backup: this.#backup, name: this.begun.id, isDryRun, replaces, isKnown };
    this.#open = new RestoringDevice(parts);
  }

  async #end(): Promise<void> {
    if (this.#open === null) return;
    this.devices.push(await this.#open.end());
    this.#open = null;
  }
}

async function skip({ content }: FoundMember): Promise<void> {
  for await (const piece of content) void piece;
}

const DAY = 86_400_000_000;

/** What is to be done once it is decided; all of it may be done again. */
async function decisionOf(
  { begun, plan, devices: staged }: Stage,
  { replaces, principal: { key_id } }: RestoreOptions,
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
