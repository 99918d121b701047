import type { KeptCorrection } from '#shared/domain/corrections.ts';
import { formatMicros, type Micros, type TimeRange } from '#shared/values/time.ts';
import { quote } from '#shared/values/validate.ts';
import { badRequest } from '../../base/errors.ts';
import { createZoned, createZonedText } from '../../base/zoned-time.ts';
import type { Table, TableCell, TableTime } from '../../export/workbook/table-sheet.ts';
import { inPlace } from '../../store/metadata/lens-of.ts';
import type { StoredCorrection, StoredDevice } from '../../store/metadata/metadata-schema.ts';
import type { Context } from '../context.ts';
import { notesIn, type ViewedNotes } from '../corrections/note-times.ts';

/* Tables of a workbook beside the records of its devices: notes, corrections, and the facts of its making. */

type Metadata = Context['metadata'];

interface Asked extends TimeRange {
  readonly view: 'raw' | 'corrected';
  readonly zone?: string | undefined;
}

/** Resolves with the devices of these ids, in their order. Throws a 400 Refusal where one is not in the project. */
export async function devicesIn(
  { id: own, project_id }: StoredDevice,
  ids: readonly string[],
  metadata: Metadata,
): Promise<readonly StoredDevice[]> {
  const others = ids.filter((id) => id !== own);
  return metadata.read(async (tables) => {
    const found: StoredDevice[] = [];
    for (const id of others) {
      const device = await tables.get('devices', id);
      if (device?.project_id !== project_id)
        throw badRequest(`also: there is no device ${quote(id)} in this project`);
      found.push(device);
    }
    return found;
  });
}

export async function tablesOf(
  devices: readonly StoredDevice[],
  asked: Asked,
  metadata: Metadata,
): Promise<readonly Table[]> {
  const notes: ViewedNotes[] = [];
  for (const { id } of devices) notes.push(await notesIn(id, asked.view, asked, { metadata }));
  const { corrections, project, names } = await metadata.read(async (tables) => {
    const rows = { corrections: [] as (readonly StoredCorrection[])[] };
    for (const { id: device_id } of devices)
      rows.corrections.push(inPlace(await tables.list('corrections', { device_id })));
    const project_id = devices[0]?.project_id ?? '';
    const all = await tables.list('devices', { project_id });
    const called = new Map(all.map(({ id, name }) => [id, name]));
    return { ...rows, project: await tables.get('projects', project_id), names: called };
  });
  const time = timesOf(asked.zone);
  const noteRows = devices.flatMap(({ name }, i) =>
    (notes[i]?.notes ?? []).map((note) => [
      name,
      time(note.start),
      note.end === null ? null : time(note.end),
      note.text,
      note.author,
    ]),
  );
  const isMoved = notes.some((each) => each.isMoved);
  const correctionRows = devices.flatMap(({ name }, i) =>
    (corrections[i] ?? []).map((row) => correctionCells(name, row, time, names)),
  );
  return [
    { name: 'Notes', columns: NOTE_COLUMNS, rows: noteRows },
    { name: 'Corrections', columns: CORRECTION_COLUMNS, rows: correctionRows },
    {
      name: 'About',
      columns: ABOUT_COLUMNS,
      rows: aboutRows(devices, project?.name ?? '', { ...asked, isMoved }, time),
    },
  ];
}

const TIME_WIDTH = 24;
const NOTE_COLUMNS = [
  { title: 'device', width: 24 },
  { title: 'from', width: TIME_WIDTH },
  { title: 'to', width: TIME_WIDTH },
  { title: 'note', width: 60 },
  { title: 'author', width: 20 },
];
const CORRECTION_COLUMNS = [
  { title: 'device', width: 24 },
  { title: 'kind', width: 12 },
  { title: 'keys', width: 24 },
  { title: 'from', width: TIME_WIDTH },
  { title: 'to', width: TIME_WIDTH },
  { title: 'correction', width: 48 },
  { title: 'reason', width: 40 },
  { title: 'by', width: 20 },
  { title: 'changed', width: TIME_WIDTH },
  { title: 'version', width: 9 },
  { title: 'id', width: 38 },
];
const ABOUT_COLUMNS = [
  { title: 'what', width: 20 },
  { title: 'in this workbook', width: 90 },
];

function timesOf(zone: string | undefined): (instant: Micros) => TableTime {
  const text = zone === undefined ? formatMicros : createZonedText(zone);
  const zoned = zone === undefined ? null : createZoned(zone);
  return (instant) => ({ wall: zoned?.(instant).wall ?? instant, text: text(instant) });
}

function correctionCells(
  device: string,
  { id, what, reason, by, changed, version }: StoredCorrection,
  time: (instant: Micros) => TableTime,
  names: ReadonlyMap<string, string>,
): TableCell[] {
  const [from, to] = spanOf(what);
  return [
    device,
    what.kind,
    keysOf(what),
    from === null ? null : time(from),
    to === null ? null : time(to),
    says(what, (instant) => time(instant).text, names),
    reason,
    by,
    time(changed),
    version,
    id,
  ];
}

function spanOf(what: KeptCorrection): readonly [from: Micros | null, to: Micros | null] {
  if (what.kind === 'derived') return [null, null];
  return what.kind === 'replaced' ? [null, what.until] : [what.from ?? null, what.to ?? null];
}

function keysOf(what: KeptCorrection): string {
  if (what.kind === 'calibration' || what.kind === 'derived') return what.key;
  return what.kind === 'quality' && what.keys !== null ? what.keys.join(', ') : 'all keys';
}

/** All that a correction does, in figures that can be reckoned with. */
function says(
  what: KeptCorrection,
  text: (instant: Micros) => string,
  names: ReadonlyMap<string, string>,
): string {
  switch (what.kind) {
    case 'calibration': {
      const { points, unit, certificate, uncertainty, calibrated_by } = what;
      const line =
        'gain' in points
          ? `× ${points.gain}, then + ${points.offset}`
          : points.map(([raw, value]) => `${raw} → ${value}`).join('; ');
      return [
        `${line}${unit === undefined ? '' : ` ${unit}`}`,
        certificate !== undefined && `certificate ${certificate}`,
        uncertainty !== undefined && `uncertainty ±${uncertainty}`,
        calibrated_by !== undefined && `calibrated by ${calibrated_by}`,
      ]
        .filter(Boolean)
        .join('; ');
    }
    case 'quality':
      return what.quality;
    case 'time':
      if ('shift' in what.by) return `moved by ${what.by.shift / 1e6} s`;
      return what.by.at.map(([device, right]) => `${text(device)} → ${text(right)}`).join('; ');
    case 'replaced':
      return `takes the place of ${names.get(what.device_id) ?? 'a device'} (${what.device_id})`;
    case 'derived':
      return `${what.key} = ${what.of}${what.within_s > 0 ? `, of values not older than ${what.within_s} s` : ''}`;
  }
}

function aboutRows(
  devices: readonly StoredDevice[],
  project: string,
  { view, zone = 'UTC', start, end, isMoved }: Asked & { readonly isMoved: boolean },
  time: (instant: Micros) => TableTime,
): (readonly TableCell[])[] {
  return [
    ['project', project],
    ...devices.map(({ id, name }) => ['device', `${name} (${id})`]),
    [
      'values',
      view === 'raw'
        ? 'raw: as stored; the corrections of this workbook are not applied'
        : 'corrected: read through the corrections of this workbook; values with a quality of "fail" or "test" are left out',
    ],
    ...(isMoved ? [['times of notes', view === 'raw' ? 'as stored' : 'corrected']] : []),
    ['from', start === undefined ? 'the first record' : time(start).text],
    ['to', end === undefined ? 'the last record' : time(end).text],
    [
      'times',
      `of the clock of ${zone}, shown to the millisecond; where that does not say the instant exactly, the last column does`,
    ],
  ];
}
