import { MOST_SOURCES } from '#shared/schema/schemas.ts';
import type { Micros } from '#shared/values/time.ts';
import { notFound } from '../../base/errors.ts';
import type { PendingDeletion, StoredDevice, StoredProject } from '../../store/metadata/metadata-schema.ts';
import type { Tables, WritableTables } from '../../store/metadata/metadata.ts';
import type { Context } from '../context.ts';
import { endUnwatched } from '../alarms/end-alarms.ts';
import { isRule, requireRoomForRules } from '../alarms/rule-rows.ts';
import { announceTaken } from '../../functions/announce.ts';
import { workOf } from '../under-way.ts';
import { requireRoomForDevices } from './most-devices.ts';
import { regained, without, type WidgetBefore } from './widget-sources.ts';

/** Tables whose rows belong to a device alone. */
const GOES_ALONG = [
  'functions',
  'key_settings',
  'notes',
  'alarms',
  'corrections',
  'correction_history',
  'kept_deletes',
] as const;

type Mover = Pick<Context, 'metadata' | 'vault' | 'events' | 'work' | 'clock'>;

interface Way {
  readonly from: string;
  readonly to: string;
  /** Widgets of the project it moves to that have it again, as they were before they lost it. */
  readonly regain: readonly WidgetBefore[];
}

/** A device that has moved, and the widgets that lost it. */
export interface Moved {
  readonly device: StoredDevice;
  readonly widgets: readonly WidgetBefore[];
}

/** Rows that went along, as they are told. */
type MovedRows = Parameters<typeof announceTaken>[1];

/**
 * Moves a device with its records, token, functions, key settings, notes, alarms and corrections to another project of its account; widgets lose
 * it, and those that `regain` names have it again. The token is in both projects' secrets meanwhile, and two notes say so: whichever of them is not the device's own goes,
 * at the next start where a crash comes between.
 */
export async function moveDevice(
  { id: from, account_id }: StoredProject,
  device: StoredDevice,
  { to, regain = [] }: { readonly to: string; readonly regain?: readonly WidgetBefore[] | undefined },
  context: Mover,
): Promise<Moved> {
  if (from === to) return { device, widgets: [] };
  const noteOf = (project_id: string): PendingDeletion => ({
    kind: 'token',
    project_id,
    device_ids: [device.id],
  });
  const [here, there] = [noteOf(from), noteOf(to)];
  const move = () => moveNow(account_id, device, { from, to, regain }, [here, there], context);
  return context.work.during(workOf(here), () => context.work.during(workOf(there), move));
}

async function moveNow(
  account_id: string,
  device: StoredDevice,
  way: Way,
  notes: readonly PendingDeletion[],
  { metadata, vault, events, clock }: Mover,
): Promise<Moved> {
  const { from, to } = way;
  await metadata.change(async (tables) => {
    for (const note of notes) await tables.noteDeletion(note);
  });
  try {
    const token = await vault.get({ kind: 'device-token', project_id: from, device_id: device.id });
    if (token !== null)
      await vault.set({ kind: 'device-token', project_id: to, device_id: device.id }, token);
    const moved = await metadata.change((tables) => moveRows(tables, device.id, way, clock.now()));
    for (const project_id of [from, to]) {
      announceTaken({ account_id, project_id }, moved, { events });
      events.publish('devices.changed', { account_id, project_id, device_id: device.id });
    }
    return moved;
  } finally {
    for (const note of notes) await removeOtherToken(note, { metadata, vault });
  }
}

async function moveRows(
  tables: WritableTables,
  device_id: string,
  { from, to, regain }: Way,
  now: Micros,
): Promise<Moved & MovedRows> {
  if ((await tables.get('devices', device_id))?.project_id !== from) throw notFound('Device');
  if (!(await tables.get('projects', to))) throw notFound('Project');
  await requireRoomForDevices(tables, to, 1);
  const rules = (await tables.list('functions', { device_id })).filter(isRule);
  if (rules.length > 0)
    await requireRoomForRules(
      tables,
      to,
      rules.map(({ id }) => id),
    );
  for (const table of GOES_ALONG)
    for (const { id } of await tables.list(table, { device_id }))
      await tables.patch(table, id, { project_id: to });
  const losing = await tables.list('widgets', { device_id });
  for (const { id, sources } of losing)
    await tables.patch('widgets', id, { sources: without(sources, device_id) });
  for (const before of regain) await giveBack(tables, before, device_id, to);
  // Rules by tag stay, and watch it no more.
  const alarms = await tables.list('alarms', { device_id });
  await endUnwatched(tables, alarms, now);
  const device = await tables.patch('devices', device_id, { project_id: to });
  if (!device) throw notFound('Device');
  const functions = await tables.list('functions', { device_id });
  const widgets = losing.map(({ id, sources }) => ({ id, sources: [...sources] }));
  return { device, widgets, functions, alarms };
}

/** A widget that has gone, has moved on, or has no room any more is passed over. */
async function giveBack(
  tables: WritableTables,
  { id, sources }: WidgetBefore,
  device_id: string,
  project_id: string,
): Promise<void> {
  const widget = await tables.get('widgets', id);
  if (widget?.project_id !== project_id) return;
  const next = regained(without(widget.sources, device_id), sources, new Set([device_id]));
  if (next.length <= MOST_SOURCES) await tables.patch('widgets', id, { sources: next });
}

/** Deletes the token of a device in a project that is not its own, and the note that says so. */
export async function removeOtherToken(
  note: PendingDeletion,
  { metadata, vault }: Pick<Mover, 'metadata' | 'vault'>,
): Promise<void> {
  const { project_id } = note;
  for (const device_id of note.device_ids) {
    const own = await metadata.read((tables) => projectOf(tables, device_id));
    if (own !== project_id) await vault.delete({ kind: 'device-token', project_id, device_id });
  }
  await metadata.change((tables) => tables.crossOutDeletion(note));
}

/** Resolves with the project of a device, soft-deleted ones included. */
async function projectOf(tables: Tables, device_id: string): Promise<string | undefined> {
  const device = await tables.get('devices', device_id);
  if (device) return device.project_id;
  const kept = await tables.list('kept_deletes');
  return kept.find(({ rows }) => rows['devices']?.some(({ id }) => id === device_id))?.project_id;
}
