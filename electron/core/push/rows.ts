import {
  MOST_ROWS,
  type RowKind,
  type RowOutcome,
  type SentRow,
} from '#shared/operations/records/sync-rows.ts';
import { rowWord } from '#shared/operations/records/row-words.ts';
import { alarmState } from '#shared/domain/alarms.ts';
import type { Micros } from '#shared/values/time.ts';
import { quote } from '#shared/values/validate.ts';
import type { Row, StoredFunction } from '../store/metadata/metadata-schema.ts';
import { markOfContent, saysOf, type RowContent } from '../sync/row-says.ts';
import type { Marks } from './fields.ts';
import type { Lab } from './lab.ts';
import type { OwnProject } from './sides.ts';

/* Rows of a project and of its devices on their way to a lab (docs/push.md): those that it lacks, or that changed here alone. */

/** Row as the lab is to have it. */
export interface OwnRow {
  readonly kind: RowKind;
  readonly id: string;
  readonly mark: string;
  readonly says: RowContent;
  /** Devices that it names, by their ids here. */
  readonly devices: readonly string[];
  /** Rule of an alarm; null of others. */
  readonly rule: string | null;
}

/** Bytes of a request at most: a body of JSON has a limit of values, too. */
const BYTES_AT_ONCE = 120_000;

type IdThere = (id: string) => string;

type DeviceKind = Exclude<RowKind, 'widgets'>;
type OfDevice = { readonly [Kind in DeviceKind]: readonly Row<Kind>[] };
type ByDevice = { readonly [Kind in DeviceKind]: ReadonlyMap<string | null, readonly Row<Kind>[]> };

/** Rows of projects by device: of ten thousand devices none looks through those of the others. */
const grouped = new WeakMap<OwnProject, ByDevice>();

const belongsTo = ({ device_id }: { readonly device_id: string | null }) => device_id;

function byDevice(own: OwnProject): ByDevice {
  const known = grouped.get(own);
  if (known) return known;
  const { functions, key_settings, notes, alarms } = own.rows;
  const now: ByDevice = {
    functions: Map.groupBy(functions, belongsTo),
    key_settings: Map.groupBy(key_settings, belongsTo),
    notes: Map.groupBy(notes, belongsTo),
    alarms: Map.groupBy(alarms, belongsTo),
  };
  grouped.set(own, now);
  return now;
}

/** Returns what there is of one device. */
export function ofDevice(own: OwnProject, device_id: string): OfDevice {
  const { functions, key_settings, notes, alarms } = byDevice(own);
  return {
    functions: functions.get(device_id) ?? [],
    key_settings: key_settings.get(device_id) ?? [],
    notes: notes.get(device_id) ?? [],
    alarms: alarms.get(device_id) ?? [],
  };
}

/** Returns the functions that are of no single device. */
export const byTagOf = (own: OwnProject): readonly StoredFunction[] =>
  byDevice(own).functions.get(null) ?? [];

/** Returns the rows that are of one device, but for its alarms. */
export function rowsOfDevice(own: OwnProject, device_id: string, idThere: IdThere): readonly OwnRow[] {
  const { functions, key_settings, notes } = ofDevice(own, device_id);
  return [
    ...functions.map((row) => ownRow('functions', row, idThere)),
    ...key_settings.map((row) => ownRow('key_settings', row, idThere)),
    ...notes.map((row) => ownRow('notes', row, idThere)),
  ];
}

/** Returns the rows that are of no single device: rules by tag, and widgets. */
export function rowsOfProject(own: OwnProject, idThere: IdThere): readonly OwnRow[] {
  return [
    ...byTagOf(own).map((row) => ownRow('functions', row, idThere)),
    ...own.rows.widgets.map((row) => ownRow('widgets', row, idThere)),
  ];
}

/**
 * Returns the alarms of a device that were raised up to a moment. `alike`: rules that the lab has as they are here. Of another rule, or an
 * earlier version, an alarm goes once it is over: there it would end as one whose rule is gone.
 */
export function alarmsOfDevice(
  own: OwnProject,
  device_id: string,
  idThere: IdThere,
  { until, alike }: { readonly until: Micros; readonly alike: ReadonlySet<string> },
): readonly OwnRow[] {
  const { functions, alarms } = ofDevice(own, device_id);
  const rules = [...functions, ...byTagOf(own)];
  const versions = new Map(rules.map(({ id, since, created }) => [id, since ?? created]));
  return alarms.flatMap((row) => {
    const { function_id } = row;
    const current = alike.has(function_id) && versions.get(function_id) === row.since;
    if (row.raised > until || (!current && alarmState(row) === 'open')) return [];
    const sent = ownRow('alarms', row, idThere);
    return { ...sent, says: { ...sent.says, current }, rule: function_id };
  });
}

function ownRow<Kind extends RowKind>(kind: Kind, row: Row<Kind>, idThere: IdThere): OwnRow {
  const { compared, beside } = saysOf(kind, row);
  const said = withIds(compared, idThere);
  const { device_id } = compared;
  const id = kind === 'key_settings' ? `${String(said['device_id'])}/${String(said['key'])}` : row.id;
  return {
    kind,
    id,
    mark: markOfContent(said),
    says: { ...said, ...beside },
    rule: null,
    devices: [...(typeof device_id === 'string' ? [device_id] : []), ...sourcesOf(compared).map(deviceOf)],
  };
}

interface Source {
  readonly device_id: string;
}

const sourcesOf = ({ sources }: RowContent): readonly Source[] => (sources ?? []) as readonly Source[];
const deviceOf = ({ device_id }: Source): string => device_id;

/** The content with devices by their ids in the lab. */
function withIds(content: RowContent, idThere: IdThere): RowContent {
  const { device_id, sources } = content;
  return {
    ...content,
    ...(typeof device_id === 'string' && { device_id: idThere(device_id) }),
    ...(sources !== undefined && {
      sources: sourcesOf(content).map((source) => ({ ...source, device_id: idThere(source.device_id) })),
    }),
  };
}

/** Outcome of a row, or what it would be. */
export interface RowResult extends RowOutcome {
  readonly row: OwnRow;
}

export interface SendingRows {
  readonly lab: Pick<Lab, 'mergeRows'>;
  /** Project of the lab. */
  readonly project_id: string;
  /** Marks of rows when both sides last had the same. */
  readonly baseline: (row: OwnRow) => string | null;
  /** Whether the content of a row that the lab needs is sent. */
  readonly isSent: (row: OwnRow) => boolean;
  readonly isDryRun: boolean;
}

/**
 * Compares rows by their marks, then sends the content of those that the lab needs. Yields what became of them, a request at a time.
 * Rejects as the lab does.
 */
export async function* sendRows(
  rows: readonly OwnRow[],
  { lab, project_id, baseline, isSent, isDryRun }: SendingRows,
): AsyncGenerator<readonly RowResult[]> {
  const compared = (row: OwnRow): SentRow => {
    const { kind, id, mark } = row;
    return { kind, id, mark, base: baseline(row) };
  };
  const needed: OwnRow[] = [];
  for (const [some, sent] of inParts(rows, compared)) {
    const results = resultsOf(some, await lab.mergeRows(project_id, sent, isDryRun));
    const isNeeded = ({ outcome, row }: RowResult) => outcome === 'needed' && isSent(row);
    needed.push(...results.filter(isNeeded).map(({ row }) => row));
    yield results.filter((result) => !isNeeded(result));
  }
  const whole = (row: OwnRow): SentRow => ({
    ...compared(row),
    says: row.says as NonNullable<SentRow['says']>,
  });
  for (const [some, sent] of inParts(needed, whole))
    yield resultsOf(some, await lab.mergeRows(project_id, sent, isDryRun));
}

/** Rows that fit into a request together, one at least. */
function* inParts(
  rows: readonly OwnRow[],
  sentOf: (row: OwnRow) => SentRow,
): Generator<readonly [readonly OwnRow[], readonly SentRow[]]> {
  let [some, sent]: [OwnRow[], SentRow[]] = [[], []];
  let bytes = 0;
  for (const row of rows) {
    const each = sentOf(row);
    const size = Buffer.byteLength(JSON.stringify(each));
    if (some.length === MOST_ROWS || (some.length > 0 && bytes + size > BYTES_AT_ONCE)) {
      yield [some, sent];
      [some, sent, bytes] = [[], [], 0];
    }
    some.push(row);
    sent.push(each);
    bytes += size;
  }
  if (some.length > 0) yield [some, sent];
}

const resultsOf = (rows: readonly OwnRow[], outcomes: readonly RowOutcome[]): readonly RowResult[] =>
  rows.map((row, i) => {
    const { outcome = 'refused', reason = 'The lab left it out.' } = outcomes[i] ?? {};
    return { row, outcome, reason };
  });

/** Returns why the first of those that are refused is, for people; null where none is. */
export function refusalOf(results: readonly RowResult[]): string | null {
  const [first, ...others] = results.filter(({ outcome }) => outcome === 'refused');
  if (!first) return null;
  const { name, title, key, text } = first.row.says;
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  return `the ${rowWord(first.row.kind, 1)} ${quote(name ?? title ?? key ?? text)}: ${first.reason}${more}`;
}

/** Whether the two sides have the same from then on. */
const isAlike = ({ outcome }: RowOutcome): boolean =>
  outcome === 'added' || outcome === 'changed' || outcome === 'present';

/** Whether the two sides have the same once all is sent that is needed. */
export const isToBeAlike = (result: RowOutcome): boolean => isAlike(result) || result.outcome === 'needed';

/** Marks of rows that both sides have alike, by their ids. */
export const marksOfRows = (results: readonly RowResult[]): Marks =>
  Object.fromEntries(results.filter(isAlike).map(({ row: { id, mark } }) => [id, mark]));
