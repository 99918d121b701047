import type { Micros } from '#shared/values/time.ts';
import { badRequest, notFound } from '../../base/errors.ts';
import type {
  KeptDelete,
  PendingDeletion,
  StoredDevice,
  TableName,
} from '../../store/metadata/metadata-schema.ts';
import type { FormerRow, WritableTables } from '../../store/metadata/metadata.ts';
import { carriedTables, type CarriedTable } from '../../store/metadata/world-contents.ts';
import { endUnwatched } from '../alarms/end-alarms.ts';
import { regained, without } from '../devices/widget-sources.ts';
import { dependantsOf } from './dependants.ts';

/** Rows that a delete took out of the tables. */
export interface Taken extends Pick<KeptDelete, 'trimmed'> {
  readonly rows: Readonly<Partial<Record<TableName, readonly FormerRow[]>>>;
}

type TakenTable = CarriedTable<'undo'>;
/** The tables of which a delete takes rows, in the order in which they are put back. */
const TAKEN = carriedTables('undo');
const OF_PROJECT = TAKEN.filter((name): name is Exclude<TakenTable, 'projects'> => name !== 'projects');

/**
 * Takes a device out of the tables with its functions, notes, alarms, corrections, the settings of its keys and the widgets of it alone;
 * other widgets lose this source. Throws a 404 Refusal where there is none.
 */
export async function takeDevice(tables: WritableTables, id: string): Promise<Taken> {
  const device = await tables.get('devices', id);
  if (!device) throw notFound('Device');
  const { trimmed, ...dependants } = await dependantsOf(tables, id);
  const rows = { devices: [device], ...dependants };
  for (const name of OF_PROJECT) for (const row of rows[name]) await tables.remove(name, row.id);
  for (const each of trimmed) {
    await tables.patch('widgets', each.id, { sources: without(each.sources, id) });
  }
  return { rows, trimmed: trimmed.map(({ id: widget, sources }) => ({ id: widget, sources: [...sources] })) };
}

/** Takes a project and all of its rows. */
export async function takeProject(tables: WritableTables, project_id: string): Promise<Taken> {
  const project = await tables.get('projects', project_id);
  if (!project) throw notFound('Project');
  await tables.remove('projects', project_id);
  const rows: Partial<Record<TableName, readonly FormerRow[]>> = { projects: [project] };
  for (const name of OF_PROJECT) {
    rows[name] = await tables.list(name, { project_id });
    for (const { id } of rows[name]) await tables.remove(name, id);
  }
  return { rows, trimmed: [] };
}

/**
 * Puts back what was taken. Alarms that are open end where their rule watches no more. Widgets that lost a source and are still there have it again, behind those that they have now.
 * Throws a 400 Refusal where a device has the token of one of them by now: a token names one device.
 */
export async function putBack(tables: WritableTables, { rows, trimmed }: Taken, now: Micros): Promise<void> {
  for (const hash of tokenHashesOf(rows)) {
    const other = await tables.deviceByTokenHash(hash);
    if (other)
      throw badRequest(
        `The device with the id ${other.id} has the token of a deleted one: issue it a new token first, then undo this delete.`,
      );
  }
  for (const name of TAKEN) for (const row of rows[name] ?? []) await tables.putBack(name, row);
  await endUnwatched(tables, rows.alarms ?? [], now);
  const back = new Set(idsOf(rows, 'devices'));
  for (const { id, sources } of trimmed) {
    const widget = await tables.get('widgets', id);
    if (widget) await tables.patch('widgets', id, { sources: regained(widget.sources, sources, back) });
  }
}

export const idsOf = (rows: Taken['rows'], table: TableName): string[] =>
  rows[table]?.map(({ id }) => id) ?? [];

/** Returns the hashes of the tokens of the taken devices. */
export const tokenHashesOf = (rows: Taken['rows']): string[] =>
  rows.devices?.map((row) => (row as StoredDevice).token_hash) ?? [];

/**
 * Takes what is kept of something that goes for good out of the tables: what was deleted of a device, or of a project.
 * Returns the devices that go with it.
 */
async function takeKept(
  tables: WritableTables,
  having: { readonly project_id: string } | { readonly device_id: string },
): Promise<string[]> {
  const devices: string[] = [];
  for (const kept of await tables.list('kept_deletes', having)) {
    await tables.remove('kept_deletes', kept.id);
    devices.push(...idsOf(kept.rows, 'devices'));
  }
  return devices;
}

/** Notes a permanent delete as begun, with its soft deletes. */
export async function noteForGood(
  tables: WritableTables,
  deletion: PendingDeletion,
): Promise<PendingDeletion> {
  const { kind, project_id, device_ids } = deletion;
  const [device_id = ''] = device_ids;
  const kept = await takeKept(tables, kind === 'project' ? { project_id } : { device_id });
  const noted = { kind, project_id, device_ids: [...new Set([...device_ids, ...kept])] };
  await tables.noteDeletion(noted);
  return noted;
}
