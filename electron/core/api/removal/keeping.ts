import { isOfRecords, type KeptOfRecords } from '#shared/domain/kept-kinds.ts';
import type { DeletedCounts } from '#shared/schema/schemas.ts';
import { formatSeconds, type TimeRange } from '#shared/values/time.ts';
import { notFound, StoreError } from '../../base/errors.ts';
import type { KeptDelete, StoredDevice, StoredProject } from '../../store/metadata/metadata-schema.ts';
import type { NewRow, WritableTables } from '../../store/metadata/metadata.ts';
import type { KeptRecords, RecordStore } from '../../store/store.ts';
import type { Principal } from '../call.ts';
import type { Context } from '../context.ts';
import { announceTaken } from '../../functions/announce.ts';
import { preferencesOf } from '../preferences.ts';
import { idsOf, takeDevice, takeProject, type Taken } from './taking.ts';
import { keepingOf } from '../under-way.ts';

/*
 * Deletes that can be undone (docs/api.md, "Deleting"). What a delete takes out of the tables goes into one row of
 * `kept_deletes` by the same change; records of devices stay in the record store as they are, retired. Records that are
 * removed from a device that stays are kept by the record store under the row's id: the row is there before it does so
 * and says that it is, so that a start after a crash knows what became of it.
 */

/** Context of a soft delete. */
export type Keeper = Pick<Context, 'metadata' | 'records' | 'jobs' | 'events' | 'clock' | 'chance' | 'work'>;

/** Answer of a soft delete: the counts, and the id to undo it. */
export interface KeptAnswer {
  readonly deleted: DeletedCounts;
  readonly undo: { readonly id: string; readonly until: string };
}

const DAY = 86_400_000_000;

/** Soft delete of a device with all of its rows and records. */
export async function keepDevice(
  { account_id }: StoredProject,
  { id, project_id }: StoredDevice,
  principal: Principal,
  context: Keeper,
): Promise<KeptAnswer> {
  const row = await context.metadata.change(async (tables) => {
    const of = await describe(tables, { account_id, project_id, device_id: id });
    const taken = await takeDevice(tables, id);
    return insertKept(tables, { ...of, kind: 'device', state: 'kept', ...taken }, principal, context);
  });
  return answerOf(await countKept(row, context));
}

/** Soft delete of a project with all of its rows, devices and records. */
export async function keepProject(
  { id: project_id, account_id }: StoredProject,
  principal: Principal,
  context: Keeper,
): Promise<KeptAnswer> {
  const row = await context.metadata.change(async (tables) => {
    const of = await describe(tables, { account_id, project_id });
    const taken = await takeProject(tables, project_id);
    return insertKept(tables, { ...of, kind: 'project', state: 'kept', ...taken }, principal, context);
  });
  return answerOf(await countKept(row, context));
}

/** Soft delete of all records of a device, or of a range, as a job. */
export function keepRecords(
  project: StoredProject,
  device: StoredDevice,
  range: TimeRange | null,
  principal: Principal,
  context: Keeper,
): Promise<KeptAnswer> {
  const keep = () => keepRecordsNow(project, device, range, principal, context);
  return context.work.during(keepingOf(device.id), keep);
}

async function keepRecordsNow(
  { account_id }: StoredProject,
  { id: device_id, project_id }: StoredDevice,
  range: TimeRange | null,
  principal: Principal,
  context: Keeper,
): Promise<KeptAnswer> {
  const { records, jobs, events, clock } = context;
  const of = { account_id, project_id, device_id };
  const kind = range === null ? 'purge' : 'range';
  const begun = await beginKeeping({ ...of, kind }, range ?? {}, principal, context);
  const { id } = begun;
  const job = {
    kind: range === null ? 'purge' : 'delete-range',
    ...of,
    unit: 'records',
    total: null,
  } as const;
  try {
    const removal = range === null ? { at: clock.now() } : { range };
    const kept = await jobs.run(job, () => records.keep(device_id, id, removal));
    const row = await noteKept(begun, kept, context);
    // It was deleted for good meanwhile, and with it all that was kept.
    if (!row) throw notFound('Device');
    // A range in which nothing was has changed nothing of the device.
    if (range === null || kept.records > 0) events.publish('records.removed', of);
    events.publish('undo.changed', { account_id, project_id });
    return answerOf(row);
  } catch (error) {
    await takeBack(begun, context);
    throw error;
  }
}

/** Notes that records of a device are about to be kept, so that a start after a crash finds out what became of it. */
export function beginKeeping(
  {
    kind,
    ...of
  }: Required<Pick<KeptDelete, 'account_id' | 'project_id' | 'device_id'>> & {
    readonly kind: KeptOfRecords;
  },
  range: TimeRange,
  principal: Principal,
  context: Pick<Context, 'metadata' | 'clock' | 'chance'>,
): Promise<KeptDelete> {
  return context.metadata.change(async (tables) => {
    const described = await describe(tables, of);
    const nothing: Taken = { rows: {}, trimmed: [] };
    const about = { ...described, kind, state: 'keeping', ...nothing } as const;
    return insertKept(tables, about, principal, context, range);
  });
}

/** Notes what was found, and of the device, where that outlives the row, that something went. */
export function noteKept(
  { id, kind, device_id = '' }: KeptDelete,
  { records, bytes }: Pick<KeptRecords, 'records' | 'bytes'>,
  { metadata, clock }: Pick<Context, 'metadata' | 'clock'>,
): Promise<KeptDelete | null> {
  return metadata.change(async (tables) => {
    const row = await tables.patch('kept_deletes', id, { state: 'kept', records, bytes });
    // Records that were decoded again are there still.
    if (records > 0 && kind !== 'decode')
      await tables.patch('devices', device_id, { records_removed: clock.now() });
    return row;
  });
}

/** Rolls back a failed soft delete; after a disk failure the next start does so. */
async function takeBack({ id, device_id = '' }: KeptDelete, { metadata, records }: Keeper): Promise<void> {
  try {
    await records.restore(device_id, id);
    await metadata.change((tables) => tables.remove('kept_deletes', id));
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
  }
}

/** Whether nobody knows what is on the disk: the next start finds out what became of what was begun. */
export const isPoisoned = (error: unknown): boolean =>
  error instanceof StoreError && error.code === 'poisoned';

/** The names of what a delete is about, as they are now. */
async function describe(
  tables: WritableTables,
  of: Pick<KeptDelete, 'account_id' | 'project_id' | 'device_id'>,
) {
  const project = await tables.get('projects', of.project_id);
  if (!project) throw notFound('Project');
  const device = of.device_id === undefined ? null : await tables.get('devices', of.device_id);
  if (!device && of.device_id !== undefined) throw notFound('Device');
  return { ...of, name: (device ?? project).name, project_name: project.name };
}

/** Inserts the row of a soft delete; `id` where something has its name already. */
export async function insertKept(
  tables: WritableTables,
  about: Omit<
    NewRow<'kept_deletes'>,
    'id' | 'author' | 'created' | 'until' | 'start' | 'end' | 'records' | 'bytes' | 'rows' | 'trimmed'
  > &
    Taken & { readonly id?: string },
  { key_id }: Principal,
  { clock, chance }: Pick<Context, 'clock' | 'chance'>,
  { start, end }: TimeRange = {},
): Promise<KeptDelete> {
  const created = clock.now();
  const { keep_days } = await preferencesOf(tables);
  const key = key_id === null ? null : await tables.get('api_keys', key_id);
  const rows: Record<string, { id: string; sequence: number }[]> = {};
  for (const [table, taken] of Object.entries(about.rows)) rows[table] = taken.map((row) => ({ ...row }));
  return tables.insert('kept_deletes', {
    ...about,
    id: about.id ?? chance.of(about.account_id).uuid(),
    author: key?.name ?? 'app',
    created,
    until: created + keep_days * DAY,
    start: start ?? null,
    end: end ?? null,
    records: null,
    bytes: null,
    rows,
  });
}

/** Ends what is still being written to the devices of a delete, and notes what they hold. */
async function countKept(
  row: KeptDelete,
  { metadata, records, events }: Pick<Context, 'metadata' | 'records' | 'events'>,
): Promise<KeptDelete> {
  const devices = idsOf(row.rows, 'devices');
  for (const id of devices) await records.retire(id);
  // Whoever was slow to come here may find that it was put back meanwhile, by another service.
  const isBack = await metadata.read(async (tables) => {
    for (const id of devices) if (await tables.get('devices', id)) return true;
    return false;
  });
  if (isBack) for (const id of devices) await records.revive(id);
  const counts = await extentOf(row, records);
  const counted = await metadata.change((tables) => tables.patch('kept_deletes', row.id, counts));
  const { account_id, project_id, device_id } = row;
  announceTaken(row, row.rows, { events });
  if (device_id === undefined) events.publish('projects.changed', { account_id, project_id });
  else events.publish('devices.changed', { account_id, project_id, device_id });
  events.publish('undo.changed', { account_id, project_id });
  return counted ?? { ...row, ...counts };
}

/** Resolves with the extent of the records of a soft delete. */
export async function extentOf({ rows }: KeptDelete, store: RecordStore) {
  let [records, bytes] = [0, 0];
  for (const extent of await store.extents(idsOf(rows, 'devices'))) {
    records += extent.records;
    bytes += extent.bytes;
  }
  return { records, bytes };
}

/** Returns the counts of a soft delete. */
export function deletedBy({ kind, rows, records }: KeptDelete): DeletedCounts {
  if (isOfRecords(kind)) return { records: records ?? 0 };
  return {
    devices: idsOf(rows, 'devices').length,
    records: records ?? 0,
    functions: idsOf(rows, 'functions').length,
    widgets: idsOf(rows, 'widgets').length,
  };
}

function answerOf(row: KeptDelete): KeptAnswer {
  return { deleted: deletedBy(row), undo: { id: row.id, until: formatSeconds(row.until) } };
}
