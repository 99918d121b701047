import type { CheckedInput } from '#shared/operations/index.ts';
import type { LookedDevice, LookedProject } from '#shared/operations/sync.ts';
import { formatMicros } from '#shared/time.ts';
import type { KeptDelete, Row } from '../../store/metadata/metadata-schema.ts';
import type { Tables } from '../../store/metadata/metadata.ts';
import type { Removal } from '../../sync/removals.ts';
import { mayTouch } from '../authorize.ts';
import type { Principal } from '../call.ts';
import type { Context } from '../context.ts';
import { idsOf } from '../removal/taking.ts';
import { instantText } from '../resources.ts';

type AskedProject = CheckedInput<'sync.look'>['projects'][number];
type AskedDevice = CheckedInput<'sync.look'>['devices'][number];
type Namesakes = readonly { readonly id: string; readonly name: string }[];

/** Of one name; whoever chooses among more would not read them. */
const MOST_NAMESAKES = 10;

const UNKNOWN = { deleted_at: null, namesakes: [] };

/** What is here of a project that another Fieldbench has. */
export async function lookForProject(
  tables: Tables,
  { id, name }: AskedProject,
  principal: Principal,
): Promise<LookedProject> {
  const project = await tables.get('projects', id);
  if (project) {
    if (!mayTouch(principal, project)) return { id, state: 'elsewhere', ...UNKNOWN, fields: null };
    const fields = { name: project.name, description: project.description };
    return { id, state: 'there', ...UNKNOWN, fields };
  }
  const deleted = await deletedAt(tables, 'projects', id);
  if (deleted) return { id, ...deletedFor(principal, deleted), namesakes: [], fields: null };
  const others = await tables.list('projects', { account_id: principal.account_id });
  const seen = others.filter((other) => mayTouch(principal, other));
  return { id, state: 'new', deleted_at: null, namesakes: namesakesOf(name, seen), fields: null };
}

/** What is here of a device that another Fieldbench has. */
export async function lookForDevice(
  tables: Tables,
  { id, project_id, name }: AskedDevice,
  principal: Principal,
  { records }: Pick<Context, 'records'>,
): Promise<LookedDevice> {
  const nothing = { project_id: null, fields: null, records: 0, removals: [] };
  const device = await tables.get('devices', id);
  if (device) {
    const project = await tables.get('projects', device.project_id);
    if (!project || !mayTouch(principal, project)) return { id, state: 'elsewhere', ...UNKNOWN, ...nothing };
    const { description, tags, brand, model, metadata, interval_s } = device;
    const removals = await removalsOf(tables, id, { records });
    const [extent] = await records.extents([id]);
    return {
      id,
      state: 'there',
      ...UNKNOWN,
      project_id: device.project_id,
      fields: {
        name: device.name,
        description,
        tags: [...tags],
        brand,
        model,
        metadata: { ...metadata },
        interval_s,
      },
      records: extent?.records ?? 0,
      removals: removals.map(({ start, end, at }) => ({
        start: instantText(start),
        end: instantText(end),
        at: formatMicros(at),
      })),
    };
  }
  const deleted = await deletedAt(tables, 'devices', id);
  if (deleted) return { id, ...deletedFor(principal, deleted), namesakes: [], ...nothing };
  const project = await tables.get('projects', project_id);
  const others = project && mayTouch(principal, project) ? await tables.list('devices', { project_id }) : [];
  return { id, state: 'new', deleted_at: null, namesakes: namesakesOf(name, others), ...nothing };
}

/** What was removed from a device and is not forgotten: its last purge, and ranges while they can be had back. */
export async function removalsOf(
  tables: Tables,
  device_id: string,
  { records }: Pick<Context, 'records'>,
): Promise<readonly Removal[]> {
  const kept = await tables.list('kept_deletes', { device_id });
  const ranges = kept.flatMap(({ kind, state, start, end, created }) =>
    kind === 'range' && (state === 'kept' || state === 'keeping') ? { start, end, at: created } : [],
  );
  const { purgedAt } = await records.summary(device_id);
  return purgedAt === null ? ranges : [{ start: null, end: null, at: purgedAt }, ...ranges];
}

/** The delete that took a project or a device along, as long as it can be undone; null where there is none. */
export async function deletedAt(
  tables: Tables,
  table: 'projects' | 'devices',
  id: string,
): Promise<KeptDelete | null> {
  const kept = await tables.list('kept_deletes');
  return kept.find(({ rows }) => idsOf(rows, table).includes(id)) ?? null;
}

function deletedFor(
  principal: Principal,
  { project_id, account_id, created }: KeptDelete,
): Pick<LookedProject, 'state' | 'deleted_at'> {
  return mayTouch(principal, { id: project_id, account_id })
    ? { state: 'deleted', deleted_at: formatMicros(created) }
    : { state: 'elsewhere', deleted_at: null };
}

function namesakesOf(name: string, rows: readonly Row<'projects' | 'devices'>[]): LookedProject['namesakes'] {
  const same: Namesakes = rows.filter((row) => row.name === name);
  return same.slice(0, MOST_NAMESAKES).map(({ id, name: called }) => ({ id, name: called }));
}
