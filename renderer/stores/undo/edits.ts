import { SETTING_WORDS } from '#shared/operations/metadata/key-defaults.ts';
import type { KeySettings } from '#shared/operations/metadata/key-settings.ts';
import type { ShownCorrection } from '#shared/operations/metadata/corrections.ts';
import { givenOf } from '#shared/operations/metadata/given-correction.ts';
import type { Note } from '#shared/operations/metadata/notes.ts';
import type { InputOf, OutputOf } from '#shared/operations/index.ts';
import type { LocalProject } from '#shared/operations/metadata/projects.ts';
import type { Device, Widget } from '#shared/schema/schemas.ts';
import { countOf } from '../../format.ts';
import type { Way } from './undoable.ts';

/* What a window edited, as it was and as it is then (docs/local-api.md, "Edits"): from that it is undone and done again. */

export type Edits = Omit<InputOf<'edits.replace'>, 'project_id'>;
type Replace = (edits: InputOf<'edits.replace'>) => Promise<unknown>;

/** Reasons of taking back corrections and of making them again: nobody is asked for one, and a project may ask the window for it. */
const REASONS: readonly [string, string] = ['undone', 'done again'];

/**
 * Makes the edits, and takes them back by the same: the service refuses both where somebody changed the same since. `reasons`: of
 * this step, and of the one back.
 */
export const editsWay =
  (replace: Replace, project_id: string, edits: Edits, [reason, other] = REASONS): Way =>
  async () => {
    const why = (edits.corrections ?? []).length > 0 && { reason };
    await replace({ project_id, ...edits, ...why });
    return { back: editsWay(replace, project_id, reversed(edits), [other, reason]) };
  };

/** The edits that take these back, the last first. */
export function reversed(edits: Edits): Edits {
  const { project, devices = [], keys = [], notes = [], corrections = [], widgets = [] } = edits;
  return {
    ...(project && { project: swapped(project) }),
    devices: devices.map(swapped).toReversed(),
    keys: keys.map(swapped).toReversed(),
    notes: notes.map(swapped).toReversed(),
    corrections: corrections.map(swapped).toReversed(),
    // A service of an older version knows none.
    ...(widgets.length > 0 && { widgets: widgets.map(swapped).toReversed() }),
  };
}

function swapped<State, Edit extends { readonly was: State; readonly be: State }>({
  was,
  be,
  ...of
}: Edit): Omit<Edit, 'was' | 'be'> & { was: Edit['be']; be: Edit['was'] } {
  return { ...of, was: be, be: was };
}

interface Fields<T> {
  readonly was: Partial<T>;
  readonly be: Partial<T>;
  readonly names: readonly (keyof T & string)[];
}

/** The fields that differ; null for none. */
export function changedFields<T extends object, Name extends keyof T & string>(
  before: T,
  after: T,
  names: readonly Name[],
): Fields<Pick<T, Name>> | null {
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  if (changed.length === 0) return null;
  const of = (row: T) =>
    Object.fromEntries(changed.map((name) => [name, row[name]])) as Partial<Pick<T, Name>>;
  return { was: of(before), be: of(after), names: changed };
}

/** What was edited, and what people call it; null for nothing. */
export interface Edited {
  readonly title: string;
  readonly edits: Edits;
}

export const PROJECT_FIELDS = ['name', 'description', 'reason_required'] as const;
const PROJECT_WORDS: Readonly<Record<(typeof PROJECT_FIELDS)[number], string>> = {
  name: 'name',
  description: 'description',
  reason_required: 'whether a reason is asked for',
};
export const DEVICE_FIELDS = ['name', 'description', 'brand', 'model', 'tags'] as const;

export function editOfProject(before: LocalProject, after: LocalProject): Edited | null {
  const fields = changedFields(before, after, PROJECT_FIELDS);
  if (!fields) return null;
  const { names, ...project } = fields;
  return {
    title: `${listed(names.map((name) => PROJECT_WORDS[name]))} of “${after.name}”`,
    edits: { project },
  };
}

export function editOfDevice(before: Device, after: Device): Edited | null {
  const fields = changedFields(before, after, DEVICE_FIELDS);
  if (!fields) return null;
  const { names, ...both } = fields;
  return {
    title: `${listed(names)} of “${after.name}”`,
    edits: { devices: [{ device_id: after.id, ...both }] },
  };
}

const SETTINGS = Object.keys(SETTING_WORDS) as (keyof KeySettings)[];

/** Settings of a key that became `after`, from what they were of each device; of one, `name` is what it is called. */
export function editOfKey(
  key: string,
  before: NonNullable<OutputOf<'key-settings.set'>['before']>,
  after: KeySettings,
  name: string,
): Edited | null {
  const changed = before.flatMap(({ device_ids, settings }) => {
    const fields = changedFields(settings, after, SETTINGS);
    return fields ? [{ key, device_ids, ...fields }] : [];
  });
  const devices = changed.reduce((sum, { device_ids }) => sum + device_ids.length, 0);
  if (devices === 0) return null;
  const words = new Set(changed.flatMap(({ names }) => names.map((each) => SETTING_WORDS[each])));
  const whose = devices === 1 && before.length === 1 ? `of “${name}”` : `for ${countOf(devices, 'device')}`;
  return {
    title: `${listed([...words])} of ${key} ${whose}`,
    edits: {
      keys: changed.map(({ device_ids, was, be }) => {
        return { key, device_ids, was, be };
      }),
    },
  };
}

/** A note that was added (`before` null), changed, or removed (`after` null). */
export function editOfNote(before: Note | null, after: Note | null): Edited | null {
  const note = after ?? before;
  if (!note) return null;
  if (before && after && !changedFields(before, after, ['start', 'end', 'text'])) return null;
  const did = before === null ? 'added' : after === null ? 'deleted' : 'changed';
  const edit = { device_id: note.device_id, note_id: note.id, was: fieldsOf(before), be: fieldsOf(after) };
  return { title: `note “${note.text}” ${did}`, edits: { notes: [edit] } };
}

/** A correction that was made (`before` null), changed, or removed (`after` null). */
export function editOfCorrection(
  before: ShownCorrection | null,
  after: ShownCorrection | null,
): Edited | null {
  const correction = after ?? before;
  if (!correction) return null;
  const [was, be] = [before && givenOf(before), after && givenOf(after)];
  if (JSON.stringify(was) === JSON.stringify(be)) return null;
  const did = before === null ? 'added' : after === null ? 'deleted' : 'changed';
  const edit = { device_id: correction.device_id, correction_id: correction.id, was, be };
  return { title: `correction (${correction.kind}) ${did}`, edits: { corrections: [edit] } };
}

const WIDGET_FIELDS = ['title', 'type', 'sources', 'layout', 'range'] as const;

/** Widgets that were added (`before` null), changed or removed (`after` null), and what people call that. */
export function editOfWidgets(
  title: string,
  changes: readonly { readonly before: Widget | null; readonly after: Widget | null }[],
): Edited | null {
  const edits = changes.flatMap(({ before, after }): NonNullable<Edits['widgets']> => {
    const widget_id = (after ?? before)?.id;
    if (widget_id === undefined) return [];
    if (!before || !after) return [{ widget_id, was: wholeOf(before), be: wholeOf(after) }];
    const fields = changedFields(before, after, WIDGET_FIELDS);
    return fields ? [{ widget_id, was: fields.was, be: fields.be }] : [];
  });
  return edits.length === 0 ? null : { title, edits: { widgets: edits } };
}

const wholeOf = (widget: Widget | null) => {
  if (widget === null) return null;
  const { title, type, sources, layout, range } = widget;
  return { title, type, sources, layout, range };
};

const fieldsOf = (note: Note | null) => {
  if (note === null) return null;
  const { start, end, text, author, created_at } = note;
  return { start, end, text, author, created_at };
};

/** `unit, decimals and normal range`. */
function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}
