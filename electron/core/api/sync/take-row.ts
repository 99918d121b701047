import type { z } from 'zod';
import { NO_SETTINGS } from '#shared/operations/metadata/key-defaults.ts';
import { SAID_ROWS, type RowKind, type SaidRow } from '#shared/operations/records/sync-rows.ts';
import { quote, validate } from '#shared/values/validate.ts';
import type { Micros } from '#shared/values/time.ts';
import { badRequest } from '../../base/errors.ts';
import { keySettingsId, type StoredProject } from '../../store/metadata/metadata-schema.ts';
import type { WritableTables } from '../../store/metadata/metadata.ts';
import { isRule, requireDevice } from '../alarms/rule-rows.ts';
import type { Context } from '../context.ts';
import { requireRoomForNote } from '../edits/room-for-notes.ts';
import { merged, writeKeySettings } from '../edits/write-key-settings.ts';
import { changeFunction, createFunction } from '../functions/write-functions.ts';
import { requireDevices, requireRoomForWidgets, requireShape } from '../widgets/check-widget.ts';
import type { Touched } from './touched.ts';

/* Rows of another service as they are written here: checked as what people make. */

/** Change in which rows are written. */
export interface Taking {
  readonly tables: WritableTables;
  readonly project: StoredProject;
  /** Author of what the principal writes. */
  readonly by: string;
  readonly now: Micros;
  readonly touched: Touched;
  readonly context: Pick<Context, 'clock'>;
}

/** Writes a row: adds it, or replaces the content of the one with its id. Rejects with a Refusal, and has then changed nothing. */
type Take = (id: string, says: unknown, taking: Taking) => Promise<void>;

/** Returns a `Take` that reads the content first. */
function reading<S extends z.ZodType>(
  schema: S,
  write: (id: string, said: z.output<S>, taking: Taking) => Promise<void>,
): Take {
  return async (id, says, taking) => {
    const read = validate(schema, says);
    if (!read.ok) throw badRequest(read.message);
    await write(id, read.value, taking);
  };
}

/** Alarms have a merge of their own. */
type PlainKind = Exclude<RowKind, 'alarms'>;

export const TAKE: Readonly<Record<PlainKind, Take>> = {
  functions: reading(SAID_ROWS.functions, takeFunction),
  key_settings: reading(SAID_ROWS.key_settings, takeKeySettings),
  notes: reading(SAID_ROWS.notes, takeNote),
  widgets: reading(SAID_ROWS.widgets, takeWidget),
};

async function takeFunction(
  id: string,
  { silenced, ...fields }: SaidRow<'functions'>,
  { tables, project, now, touched }: Taking,
): Promise<void> {
  const there = await tables.get('functions', id);
  if (there) {
    const { row, ended } = await changeFunction(tables, id, fields, now);
    touched.ended(ended);
    touched.functions.add(there.device_id).add(row.device_id);
    return;
  }
  const row = await createFunction(tables, { id, project_id: project.id, ...fields, created: now });
  if (isRule(row) && silenced !== null) await tables.patch('functions', id, { silenced });
  touched.functions.add(row.device_id);
}

async function takeKeySettings(
  id: string,
  { device_id, key, ...settings }: SaidRow<'key_settings'>,
  { tables, project, touched, context }: Taking,
): Promise<void> {
  if (id !== keySettingsId(device_id, key))
    throw badRequest(`id must be "${keySettingsId(device_id, key)}", got ${quote(id)}`);
  await requireDevice(tables, device_id, project.id);
  const after = merged(NO_SETTINGS, settings);
  const of = [{ device_id, key }];
  await writeKeySettings(
    tables,
    { project_id: project.id, of, next: () => after, gone: () => undefined },
    context,
  );
  touched.devices.add(device_id);
}

async function takeNote(
  id: string,
  { author, created, ...fields }: SaidRow<'notes'>,
  { tables, project, by, touched }: Taking,
): Promise<void> {
  const { device_id, start, end } = fields;
  if (end !== null && start > end) throw badRequest('start must not be after end');
  const device = await requireDevice(tables, device_id, project.id);
  const there = await tables.get('notes', id);
  if (there && there.device_id !== device_id)
    throw badRequest(`device_id must be "${there.device_id}", of which the note is, got ${quote(device_id)}`);
  if (there) await tables.patch('notes', id, fields);
  else {
    await requireRoomForNote(tables, device);
    const of = { id, project_id: project.id, ...fields };
    await tables.insert('notes', { ...of, author: `${author} (${by})`, created });
  }
  touched.notes.add(device_id);
}

async function takeWidget(
  id: string,
  fields: SaidRow<'widgets'>,
  { tables, project, now, touched }: Taking,
): Promise<void> {
  requireShape(fields);
  await requireDevices(tables, project.id, fields.sources);
  if (await tables.get('widgets', id)) await tables.patch('widgets', id, fields);
  else {
    await requireRoomForWidgets(tables, project.id, 1);
    await tables.insert('widgets', { id, project_id: project.id, ...fields, created: now });
  }
  touched.hasWidgets = true;
}
