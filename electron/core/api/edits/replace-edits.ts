import { SETTING_WORDS } from '#shared/operations/metadata/key-defaults.ts';
import type { KeySettings } from '#shared/operations/metadata/key-settings.ts';
import { MOST_EDITS } from '#shared/operations/metadata/edits.ts';
import type { CheckedInput } from '#shared/operations/index.ts';
import { quote } from '#shared/values/validate.ts';
import { badRequest } from '../../base/errors.ts';
import type { StoredNote } from '../../store/metadata/metadata-schema.ts';
import type { Tables, WritableTables } from '../../store/metadata/metadata.ts';
import type { Context } from '../context.ts';
import type { Writer } from '../corrections/write-corrections.ts';
import { asksForReason } from '../trail/require-reason.ts';
import { differing, isThere } from './fields.ts';
import { replaceCorrection } from './replace-corrections.ts';
import { replaceWidget } from './replace-widgets.ts';
import { requireRoomForNote } from './room-for-notes.ts';
import { changedSince, since } from './since.ts';
import { merged, writeKeySettings } from './write-key-settings.ts';

/*
 * Edits that are taken back or done again (docs/local-api.md, "Edits"): each is done where the fields that it is about are
 * still as the edit before left them, all of a call in one change. What has been changed since stays.
 */

type Edits = CheckedInput<'edits.replace'>;
type NoteEdit = Edits['notes'][number];

interface By {
  readonly project_id: string;
  /** The name of a key that asks; null for a window of the owner, who may say whose a note was. */
  readonly author: string | null;
  /** Of corrections. */
  readonly writer: Writer;
}

/** Runs in a change. Resolves with how many things were changed. Throws a 400 Refusal that names what was changed since. */
export async function replaceEdits(
  tables: WritableTables,
  edits: Edits,
  by: By,
  context: Pick<Context, 'clock'>,
): Promise<number> {
  const { project_id } = by;
  const { reason = '' } = edits;
  let changed = 0;
  if (edits.project && (await replaceInProject(tables, project_id, edits.project))) changed++;
  for (const edit of edits.devices) if (await replaceInDevice(tables, project_id, edit)) changed++;
  changed += await replaceInKeys(tables, project_id, edits.keys, context);
  for (const edit of edits.notes) if (await replaceNote(tables, edit, by, context)) changed++;
  for (const edit of edits.corrections) {
    const device = await deviceOf(tables, project_id, edit.device_id);
    if (await replaceCorrection(tables, device, { ...edit, reason }, by.writer)) changed++;
  }
  for (const edit of edits.widgets) if (await replaceWidget(tables, edit, project_id, context)) changed++;
  return changed;
}

async function replaceInProject(
  tables: WritableTables,
  project_id: string,
  { was, be }: NonNullable<Edits['project']>,
): Promise<boolean> {
  const stored = await tables.get('projects', project_id);
  if (!stored) throw since('the project was deleted');
  const row = { ...stored, reason_required: asksForReason(stored) };
  if (isThere(row, be)) return false;
  const other = differing(row, was);
  if (other) throw changedSince(`the ${other.field} of the project`, other);
  await tables.patch('projects', project_id, be);
  return true;
}

async function replaceInDevice(
  tables: WritableTables,
  project_id: string,
  { device_id, was, be }: Edits['devices'][number],
): Promise<boolean> {
  const row = await deviceOf(tables, project_id, device_id);
  if (isThere(row, be)) return false;
  const other = differing(row, was);
  if (other) throw changedSince(`the ${other.field} of ${quote(row.name)}`, other);
  await tables.patch('devices', device_id, be);
  return true;
}

async function replaceInKeys(
  tables: WritableTables,
  project_id: string,
  edits: Edits['keys'],
  context: Pick<Context, 'clock'>,
): Promise<number> {
  const of = edits.flatMap(({ device_ids, ...edit }) =>
    device_ids.map((device_id) => ({ device_id, ...edit })),
  );
  if (of.length > MOST_EDITS)
    throw badRequest(`keys must name at most ${MOST_EDITS} devices together, got ${of.length}`);
  let changed = 0;
  const next = async ({ device_id, key, was, be }: (typeof of)[number], before: KeySettings) => {
    if (isThere(before, be)) return before;
    const other = differing(before, was);
    if (other) {
      const device = await deviceOf(tables, project_id, device_id);
      const words = SETTING_WORDS[other.field as keyof KeySettings];
      throw changedSince(`the ${words} of ${quote(key)} of ${quote(device.name)}`, other);
    }
    changed++;
    return merged(before, be);
  };
  await writeKeySettings(tables, { project_id, of, next, gone }, context);
  return changed;
}

async function replaceNote(
  tables: WritableTables,
  { device_id, note_id, was, be }: NoteEdit,
  { project_id, author }: By,
  { clock }: Pick<Context, 'clock'>,
): Promise<boolean> {
  const device = await deviceOf(tables, project_id, device_id);
  const row = await tables.get('notes', note_id);
  const own = row?.device_id === device_id ? row : null;
  if (be && be.end !== null && be.start > be.end) throw badRequest('start must not be after end');
  if (be === null ? row === null : own !== null && isNote(own, be)) return false;
  if (was === null && row) throw since(`the note ${quote(own?.text ?? '')} is there again`);
  if (was !== null && !own) throw since(`the note ${quote(was.text)} was deleted`);
  if (was !== null && own && !isNote(own, was))
    throw since(
      own.text === was.text
        ? `the times of the note ${quote(was.text)} were changed`
        : `the note ${quote(was.text)} was changed, to ${quote(own.text)}`,
    );
  if (be === null) return tables.remove('notes', note_id);
  const { start, end, text } = be;
  if (own) return (await tables.patch('notes', note_id, { start, end, text })) !== null;
  await requireRoomForNote(tables, device);
  await tables.insert('notes', {
    id: note_id,
    project_id,
    device_id,
    start,
    end,
    text,
    author: author ?? be.author ?? 'app',
    created: (author === null ? be.created_at : undefined) ?? clock.now(),
  });
  return true;
}

const isNote = (row: StoredNote, { start, end, text }: NonNullable<NoteEdit['was']>) =>
  row.start === start && row.end === end && row.text === text;

async function deviceOf(tables: Tables, project_id: string, device_id: string) {
  const row = await tables.get('devices', device_id);
  return row?.project_id === project_id ? row : gone();
}

function gone(): never {
  throw since('a device was deleted or moved to another project');
}
