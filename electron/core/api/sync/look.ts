import type { CheckedInput } from '#shared/operations/index.ts';
import type { LookedDevice, LookedProject } from '#shared/operations/records/sync.ts';
import { formatMicros } from '#shared/values/time.ts';
import type { Awaitable } from '../../base/awaitable.ts';
import type { KeptDelete, Row } from '../../store/metadata/metadata-schema.ts';
import type { Tables } from '../../store/metadata/metadata.ts';
import { digestOfVersions, versionsOf } from '../../sync/correction-versions.ts';
import type { Removal } from '../../sync/removals.ts';
import { mayTouch } from '../authorize.ts';
import type { Principal } from '../call.ts';
import type { Context } from '../context.ts';
import { idsOf, tokenHashesOf } from '../removal/taking.ts';
import { instantText } from '../resources.ts';
import { asksForReason } from '../trail/require-reason.ts';

type AskedProject = CheckedInput<'sync.look'>['projects'][number];
type AskedDevice = CheckedInput<'sync.look'>['devices'][number];

/** Namesakes that are listed at most. */
const MOST_NAMESAKES = 10;

const UNKNOWN = { deleted_at: null, namesakes: [] };

/** Memo of reads for a thousand look-ups: else each would read all devices of its project, and all deletes. */
export class ReadOnce {
  readonly tables: Tables;
  #projects: Promise<ReadonlyMap<string, readonly Row<'projects'>[]>> | null = null;
  readonly #devices = new Map<string, Promise<ReadonlyMap<string, readonly Row<'devices'>[]>>>();
  readonly #corrections = new Map<string, Promise<ReadonlyMap<string, string>>>();
  #deletes: Promise<ReadonlyMap<string, KeptDelete>> | null = null;
  #tokens: Promise<ReadonlyMap<string, KeptDelete>> | null = null;

  constructor(tables: Tables) {
    this.tables = tables;
  }

  projectsNamed(name: string, account_id: string): Promise<readonly Row<'projects'>[]> {
    this.#projects ??= byName(this.tables.list('projects', { account_id }));
    return this.#projects.then((named) => named.get(name) ?? []);
  }

  devicesNamed(name: string, project_id: string): Promise<readonly Row<'devices'>[]> {
    const named = this.#devices.get(project_id) ?? byName(this.tables.list('devices', { project_id }));
    this.#devices.set(project_id, named);
    return named.then((rows) => rows.get(name) ?? []);
  }

  /** A digest of the corrections of a device of a project; "" for none. */
  async correctionsOf(device_id: string, project_id: string): Promise<string> {
    const digests = this.#corrections.get(project_id) ?? digestsIn(this.tables, project_id);
    this.#corrections.set(project_id, digests);
    return (await digests).get(device_id) ?? '';
  }

  /** The delete that took a project or a device along, as long as it can be undone; null where there is none. */
  async deletedAt(table: 'projects' | 'devices', id: string): Promise<KeptDelete | null> {
    this.#deletes ??= deletesIn(this.tables);
    return (await this.#deletes).get(`${table} ${id}`) ?? null;
  }

  /** The delete that took the device with this hash of its token along, as long as it can be undone. */
  async deletedWithToken(hash: string): Promise<KeptDelete | null> {
    this.#tokens ??= tokensIn(this.tables);
    return (await this.#tokens).get(hash) ?? null;
  }
}

async function byName<T extends { readonly name: string }>(
  rows: Awaitable<readonly T[]>,
): Promise<ReadonlyMap<string, readonly T[]>> {
  return Map.groupBy(await rows, ({ name }) => name);
}

/** Resolves with digests of corrections, by device. */
async function digestsIn(tables: Tables, project_id: string): Promise<ReadonlyMap<string, string>> {
  const rows = Map.groupBy(await tables.list('corrections', { project_id }), (row) => row.device_id);
  const former = Map.groupBy(await tables.list('correction_history', { project_id }), (row) => row.device_id);
  const devices = new Set([...rows.keys(), ...former.keys()]);
  return new Map(
    Array.from(devices, (id) => [id, digestOfVersions(versionsOf(rows.get(id) ?? [], former.get(id) ?? []))]),
  );
}

/** Resolves with soft deletes, by the hashes of the tokens of their devices. */
async function tokensIn(tables: Tables): Promise<ReadonlyMap<string, KeptDelete>> {
  const found = new Map<string, KeptDelete>();
  for (const kept of await tables.list('kept_deletes'))
    for (const hash of tokenHashesOf(kept.rows)) if (!found.has(hash)) found.set(hash, kept);
  return found;
}

/** Resolves with soft deletes, by table and id. */
async function deletesIn(tables: Tables): Promise<ReadonlyMap<string, KeptDelete>> {
  const found = new Map<string, KeptDelete>();
  for (const kept of await tables.list('kept_deletes'))
    for (const table of ['projects', 'devices'] as const)
      for (const id of idsOf(kept.rows, table))
        if (!found.has(`${table} ${id}`)) found.set(`${table} ${id}`, kept);
  return found;
}

/** Resolves with the local state of a project of another Fieldbench. */
export async function lookForProject(
  once: ReadOnce,
  { id, name }: AskedProject,
  principal: Principal,
): Promise<LookedProject> {
  const { tables } = once;
  const project = await tables.get('projects', id);
  if (project) {
    if (!mayTouch(principal, project)) return { id, state: 'elsewhere', ...UNKNOWN, fields: null };
    const { name: own, description } = project;
    const fields = { name: own, description, reason_required: asksForReason(project) };
    return { id, state: 'there', ...UNKNOWN, fields };
  }
  const deleted = await once.deletedAt('projects', id);
  if (deleted) return { id, ...deletedFor(principal, deleted), namesakes: [], fields: null };
  const same = await once.projectsNamed(name, principal.account_id);
  const seen = same.filter((other) => mayTouch(principal, other));
  return { id, state: 'new', deleted_at: null, namesakes: namesakesOf(seen), fields: null };
}

/** Resolves with the local state of a device of another Fieldbench. */
export async function lookForDevice(
  once: ReadOnce,
  { id, project_id, name }: AskedDevice,
  principal: Principal,
  { records }: Pick<Context, 'records'>,
): Promise<LookedDevice> {
  const { tables } = once;
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
      corrections: await once.correctionsOf(id, device.project_id),
    };
  }
  const deleted = await once.deletedAt('devices', id);
  if (deleted) return { id, ...deletedFor(principal, deleted), namesakes: [], ...nothing };
  const project = await tables.get('projects', project_id);
  const same = project && mayTouch(principal, project) ? await once.devicesNamed(name, project_id) : [];
  return { id, state: 'new', deleted_at: null, namesakes: namesakesOf(same), ...nothing };
}

/** Resolves with the known removals of a device: its last purge, and soft-deleted ranges. */
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

function deletedFor(
  principal: Principal,
  { project_id, account_id, created }: KeptDelete,
): Pick<LookedProject, 'state' | 'deleted_at'> {
  return mayTouch(principal, { id: project_id, account_id })
    ? { state: 'deleted', deleted_at: formatMicros(created) }
    : { state: 'elsewhere', deleted_at: null };
}

function namesakesOf(same: readonly Row<'projects' | 'devices'>[]): LookedProject['namesakes'] {
  return same.slice(0, MOST_NAMESAKES).map(({ id, name }) => ({ id, name }));
}
