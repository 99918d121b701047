import { createHash } from 'node:crypto';
import { IANAZone } from 'luxon';
import {
  EXPORT_FORMATS,
  EXPORT_STYLES,
  FORMAT_NAMES,
  type RecordFormat,
} from '#shared/domain/file-formats.ts';
import { exportStem } from '#shared/values/file-name.ts';
import type { CheckedInput } from '#shared/operations/index.ts';
import { formatMicros, type TimeRange } from '#shared/values/time.ts';
import { alternatives } from '#shared/values/text.ts';
import { quote } from '#shared/values/validate.ts';
import { badRequest } from '../../base/errors.ts';
import { createZonedText } from '../../base/zoned-time.ts';
import type { StoredDevice } from '../../store/metadata/metadata-schema.ts';
import { devicesOf, type CsvStyle, type Extent, type RecordFile, type Viewed } from '../../store/store.ts';
import type { Context } from '../context.ts';
import { notesIn } from '../corrections/note-times.ts';
import { viewed } from '../corrections/viewed.ts';
import type { Table } from '../../export/workbook/table-sheet.ts';
import { devicesIn, tablesOf } from './plan-workbook.ts';

/** Plan of an export: all that determines its bytes. */
export interface ExportPlan {
  readonly file: RecordFile;
  readonly range: TimeRange;
  /** The device as the view shows it that is exported. */
  readonly of: Viewed;
  /** Of the span, whatever keys its records have. */
  readonly extent: Omit<Extent, 'bytes'>;
  /** Of the file, without its extension. */
  readonly name: string;
  /** Names the bytes: two exports of one state are equal. It does not outlive the service, nor a removal of records. */
  readonly state: string;
  /** Number of removals of the devices that are read for it. */
  readonly removed: number;
  /** Where all keys are asked for: the plan of a later moment, which may know more of them. */
  readonly later: (() => Promise<ExportPlan>) | null;
  /** Null where the file is of one device and nothing else. */
  readonly workbook: {
    readonly devices: readonly { readonly name: string; readonly plan: ExportPlan }[];
    readonly tables: readonly Table[];
  } | null;
}

/** Goes up where the bytes of a format change. */
const WRITING = 1;

export type ExportInput = CheckedInput<'records.estimate'>;
/** Of a file of one view's records. */
type RecordsInput = ExportInput & { readonly format: RecordFormat };
export type Parts = Pick<Context, 'records' | 'metadata' | 'removals'>;

/** Throws a 400 Refusal on settings that do not go together. */
export async function planExport(
  input: RecordsInput,
  device: StoredDevice,
  context: Parts,
  signal?: AbortSignal,
): Promise<ExportPlan> {
  const plan = await planDevice(input, device, context, signal);
  if (input.format !== 'xlsx') return plan;
  const others = await devicesIn(device, input.also ?? [], context.metadata);
  const sheets = [{ device, plan }];
  for (const other of others)
    sheets.push({ device: other, plan: await planDevice(input, other, context, signal) });
  const tables = await tablesOf([device, ...others], input, context.metadata);
  const states = [tables, ...sheets.map((each) => [each.device.name, each.plan.state])];
  const extent = sheets.map((each) => each.plan.extent).reduce(bothOf);
  const workbook = { devices: sheets.map((each) => ({ name: each.device.name, plan: each.plan })), tables };
  const name = others.length === 0 ? plan.name : await nameOfMany(device, extent, input, context.metadata);
  return { ...plan, extent, name, state: stateOf(states), later: null, workbook };
}

/** Names the bytes of a file by all that determines them. */
export const stateOf = (parts: unknown) =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 32);

export const bothOf = (a: ExportPlan['extent'], b: ExportPlan['extent']): ExportPlan['extent'] => ({
  records: a.records + b.records,
  first: a.first === null || b.first === null ? (a.first ?? b.first) : Math.min(a.first, b.first),
  last: a.last === null || b.last === null ? (a.last ?? b.last) : Math.max(a.last, b.last),
});

/** The file of one device; of a workbook its sheets. */
async function planDevice(
  input: RecordsInput,
  device: StoredDevice,
  context: Parts,
  signal?: AbortSignal,
): Promise<ExportPlan> {
  const { records, metadata, removals } = context;
  const { format, start, end } = input;
  const range = { ...(start !== undefined && { start }), ...(end !== undefined && { end }) };
  const of = await viewed(device.id, input.view, { metadata });
  const keys = input.keys ?? (await records.keys(of, signal));
  const { label, mostKeys } = FORMAT_NAMES[format];
  if (mostKeys !== null && keys.length > mostKeys)
    throw badRequest(
      `keys: ${format === 'xlsx' ? 'an' : 'a'} ${label} file may have at most ${mostKeys} columns here, and these are ${keys.length}; name fewer, or use another format`,
    );
  const style = await styleOf(input, keys, device, range, metadata);
  const file = { format, keys, ...(style && { style }) };
  // Before the extent: a removal in between makes a state that no later one equals.
  const removed = removedOf(of, removals);
  const extent = await records.within(of, range);
  const { project_id } = device;
  const all = await metadata.read((tables) => tables.list('devices', { project_id }));
  const hasTwin = all.some(({ id, name }) => name === device.name && id !== device.id);
  // Through corrections it is another file, whatever they change.
  const name = nameOf(device, hasTwin, extent, input.zone) + viewSuffix(input);
  const state = stateOf([removals.since, WRITING, of, removed, extent, range, file]);
  const later = input.keys === undefined ? () => planDevice(input, device, context, signal) : null;
  return { file, range, of, extent, name, state, removed, later, workbook: null };
}

const viewSuffix = ({ view }: ExportInput) => (view === 'corrected' ? '_corrected' : '');

/** Number of removals of the devices that are read for a view. */
export const removedOf = (of: Viewed, removals: Parts['removals']): number =>
  devicesOf(of).reduce((sum, device) => sum + removals.numberOf(device), 0);

/** Whether any setting of a style is given. Throws a 400 Refusal where the format does not have it. */
export function requireStyles({ format, ...input }: ExportInput): boolean {
  const set = EXPORT_STYLES.filter((setting) => input[setting] !== undefined);
  const wrong = set.find((setting) => !FORMAT_NAMES[format].styles.includes(setting));
  if (wrong === undefined) return set.length > 0;
  const having = EXPORT_FORMATS.filter((each) => FORMAT_NAMES[each].styles.includes(wrong));
  throw badRequest(`${wrong}: is for ${alternatives(having)} alone, not for ${format}`);
}

async function styleOf(
  input: ExportInput,
  keys: readonly string[],
  device: StoredDevice,
  range: TimeRange,
  metadata: Parts['metadata'],
): Promise<CsvStyle | undefined> {
  const { zone, decimal_mark = '.', delimiter = decimal_mark === ',' ? ';' : ',' } = input;
  if (zone !== undefined && !IANAZone.isValidZone(zone))
    throw badRequest(`zone must be an IANA time zone such as "Europe/Berlin", or "UTC", got ${quote(zone)}`);
  if (!requireStyles(input)) return undefined;
  if (delimiter === decimal_mark)
    throw badRequest('delimiter must not be what stands before decimals, got "," for both');
  const text = zone === undefined ? formatMicros : createZonedText(zone);
  return {
    delimiter,
    mark: decimal_mark,
    zone: zone ?? null,
    names: input.titles === 'shown' ? await titlesOf(keys, device, metadata) : keys,
    preface: input.notes === 'keep' ? await notesOf(device, input.view, range, text, metadata) : '',
    escapesFormulas: input.formulas === 'escape',
  };
}

/** Resolves with titles of keys, with their units; a title that two keys have is followed by the key. */
async function titlesOf(
  keys: readonly string[],
  { id: device_id, project_id }: StoredDevice,
  metadata: Parts['metadata'],
): Promise<readonly string[]> {
  const rows = await metadata.read((tables) => tables.list('key_settings', { project_id, device_id }));
  const settings = new Map(rows.map((row) => [row.key, row]));
  const titles = keys.map((key) => {
    const { shown_as = '', unit = '' } = settings.get(key) ?? {};
    return (shown_as || key) + (unit && ` (${unit})`);
  });
  const count = new Map<string, number>();
  for (const title of titles) count.set(title, (count.get(title) ?? 0) + 1);
  return titles.map((title, i) => ((count.get(title) ?? 0) > 1 ? `${title} [${keys[i]}]` : title));
}

/**
 * A line for each note that touches the span: `# note 2026-03-02T20:30:21.202946Z "app": warm`. Where a clock of the device was
 * put right, a line before them says of which view their times are.
 */
async function notesOf(
  { id }: StoredDevice,
  view: ExportInput['view'],
  range: TimeRange,
  text: (instant: number) => string,
  metadata: Parts['metadata'],
): Promise<string> {
  const { notes, isMoved } = await notesIn(id, view, range, { metadata });
  const lines = notes.map((note) => {
    const span = note.end === null ? text(note.start) : `${text(note.start)}/${text(note.end)}`;
    return `# note ${span} ${JSON.stringify(note.author)}: ${note.text.replace(/\s+/g, ' ')}`;
  });
  if (lines.length > 0 && isMoved)
    lines.unshift(view === 'raw' ? '# times of notes: as stored' : '# times of notes: corrected');
  return lines.map((line) => `${line}\r\n`).join('');
}

/** Of a workbook of several devices: called as their project. */
export async function nameOfMany(
  { project_id }: StoredDevice,
  extent: ExportPlan['extent'],
  input: ExportInput,
  metadata: Parts['metadata'],
): Promise<string> {
  const project = await metadata.read((tables) => tables.get('projects', project_id));
  const of = { id: project_id, name: project?.name ?? 'records' };
  return nameOf(of, false, extent, input.zone) + viewSuffix(input);
}

function nameOf(
  { id, name }: Pick<StoredDevice, 'id' | 'name'>,
  hasTwin: boolean,
  { first, last }: Omit<Extent, 'bytes'>,
  zone: string | undefined,
): string {
  const text = zone === undefined ? formatMicros : createZonedText(zone);
  const day = (instant: number | null) => (instant === null ? null : text(instant).slice(0, 10));
  return exportStem(hasTwin ? `${name}_${id.slice(0, 4)}` : name, day(first), day(last));
}
