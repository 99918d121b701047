import { createHash } from 'node:crypto';
import { IANAZone } from 'luxon';
import { exportStem } from '#shared/values/file-name.ts';
import type { CheckedInput } from '#shared/operations/index.ts';
import { formatMicros, type TimeRange } from '#shared/values/time.ts';
import { quote } from '#shared/values/validate.ts';
import { badRequest } from '../../base/errors.ts';
import { createZonedText } from '../../base/zoned-time.ts';
import type { StoredDevice } from '../../store/metadata/metadata-schema.ts';
import { devicesOf, type CsvStyle, type Extent, type RecordFile, type Viewed } from '../../store/store.ts';
import type { Context } from '../context.ts';
import { notesIn } from '../corrections/note-times.ts';
import { viewed } from '../corrections/viewed.ts';

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
}

/** Parquet says something about each column in each of its row groups, all of which is held until the end. */
const MOST_PARQUET_KEYS = 1000;
/** Goes up where the bytes of a format change. */
const WRITING = 1;

type ExportInput = CheckedInput<'records.estimate'>;
type Parts = Pick<Context, 'records' | 'metadata' | 'removals'>;

/** Throws a 400 Refusal on settings that do not go together. */
export async function planExport(
  input: ExportInput,
  device: StoredDevice,
  context: Parts,
  signal?: AbortSignal,
): Promise<ExportPlan> {
  const { records, metadata, removals } = context;
  const { format, start, end } = input;
  const range = { ...(start !== undefined && { start }), ...(end !== undefined && { end }) };
  const of = await viewed(device.id, input.view, { metadata });
  const keys = input.keys ?? (await records.keys(of, signal));
  if (format === 'parquet' && keys.length > MOST_PARQUET_KEYS)
    throw badRequest(
      `keys: a Parquet file may have at most ${MOST_PARQUET_KEYS} columns here, and these are ${keys.length}; name fewer, or use another format`,
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
  const name = nameOf(device, hasTwin, extent, input.zone) + (input.view === 'corrected' ? '_corrected' : '');
  const parts = [removals.since, WRITING, of, removed, extent, range, file];
  const state = createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 32);
  const later = input.keys === undefined ? () => planExport(input, device, context, signal) : null;
  return { file, range, of, extent, name, state, removed, later };
}

/** Number of removals of the devices that are read for a view. */
export const removedOf = (of: Viewed, removals: Parts['removals']): number =>
  devicesOf(of).reduce((sum, device) => sum + removals.numberOf(device), 0);

const FOR_CSV = ['zone', 'delimiter', 'decimal_mark', 'titles', 'notes', 'formulas'] as const;

async function styleOf(
  input: ExportInput,
  keys: readonly string[],
  device: StoredDevice,
  range: TimeRange,
  metadata: Parts['metadata'],
): Promise<CsvStyle | undefined> {
  const { format, zone, decimal_mark = '.', delimiter = decimal_mark === ',' ? ';' : ',' } = input;
  if (zone !== undefined && !IANAZone.isValidZone(zone))
    throw badRequest(`zone must be an IANA time zone such as "Europe/Berlin", or "UTC", got ${quote(zone)}`);
  const set = FOR_CSV.filter((setting) => input[setting] !== undefined);
  if (set.length === 0) return undefined;
  if (format !== 'csv')
    throw badRequest(`${set.join(', ')}: only CSV can be written otherwise, not ${format}`);
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

function nameOf(
  { id, name }: StoredDevice,
  hasTwin: boolean,
  { first, last }: Omit<Extent, 'bytes'>,
  zone: string | undefined,
): string {
  const text = zone === undefined ? formatMicros : createZonedText(zone);
  const day = (instant: number | null) => (instant === null ? null : text(instant).slice(0, 10));
  return exportStem(hasTwin ? `${name}_${id.slice(0, 4)}` : name, day(first), day(last));
}
