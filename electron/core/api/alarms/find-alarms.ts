import { alarmState, isDue, type AlarmFilter } from '#shared/domain/alarms.ts';
import type { Alarm, AlarmsOfAll } from '#shared/operations/metadata/alarms.ts';
import type { CheckedInput } from '#shared/operations/index.ts';
import { formatMicros, type Micros, type TimeRange } from '#shared/values/time.ts';
import type { Row, StoredAlarm, StoredProject } from '../../store/metadata/metadata-schema.ts';
import type { Having, Tables } from '../../store/metadata/metadata.ts';
import type { Context, Handled } from '../context.ts';
import { rangeOf } from '../range.ts';
import { alarmView } from './alarm-view.ts';

type Finder = Pick<Context, 'metadata' | 'clock'>;

/** A page of the alarms of a project. */
export async function findAlarms(
  project: StoredProject,
  input: CheckedInput<'alarms.list'>,
  { metadata, clock }: Finder,
): Promise<Handled<Alarm[]>> {
  const { device_id, function_id, state, page, limit } = input;
  const range = rangeOf(input);
  const having = {
    project_id: project.id,
    ...(device_id !== undefined && { device_id }),
    ...(function_id !== undefined && { function_id }),
  };
  return metadata.read(async (tables) => {
    const rows = await tables.list('alarms', having);
    const found = rows.filter((row) => isIn(state, row) && touches(row, range)).toSorted(byNewest);
    const shown = found.slice((page - 1) * limit, page * limit);
    return {
      data: await viewsOf(shown, [project], tables, clock.now()),
      page: { page, limit, total: found.length },
    };
  });
}

/** The alarms of some projects, and how many there are. */
export async function findAlarmsOfAll(
  projects: readonly StoredProject[],
  { state, limit }: CheckedInput<'alarms.all'>,
  { metadata, clock }: Finder,
): Promise<AlarmsOfAll> {
  return metadata.read(async (tables) => {
    const rows: StoredAlarm[] = [];
    for (const { id: project_id } of projects) rows.push(...(await tables.list('alarms', { project_id })));
    const found = rows.filter((row) => isIn(state, row)).toSorted(byNewest);
    const open = rows.filter((row) => isIn('open', row));
    const now = clock.now();
    return {
      as_of: formatMicros(now),
      open: open.length,
      unacknowledged: rows.filter((row) => row.acknowledged === null).length,
      due: rows.filter(isDue).length,
      open_of: countsOf(open),
      total: found.length,
      alarms: await viewsOf(found.slice(0, limit), projects, tables, now),
    };
  });
}

/** Returns how many alarms there are of each project, device and rule, by id. */
function countsOf(rows: readonly StoredAlarm[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const { project_id, device_id, function_id } of rows)
    for (const id of [project_id, device_id, function_id]) counts.set(id, (counts.get(id) ?? 0) + 1);
  return Object.fromEntries(counts);
}

/** Resolves with the view of one alarm. */
export async function viewOf(
  row: StoredAlarm,
  project: StoredProject,
  tables: Tables,
  now: Micros,
): Promise<Alarm> {
  const [view] = await viewsOf([row], [project], tables, now);
  if (!view) throw new TypeError('an alarm has a view');
  return view;
}

async function viewsOf(
  rows: readonly StoredAlarm[],
  projects: readonly StoredProject[],
  tables: Tables,
  now: Micros,
): Promise<Alarm[]> {
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  const devices = await rowsNamed('devices', rows, ({ device_id }) => device_id, tables);
  const rules = await rowsNamed('functions', rows, ({ function_id }) => function_id, tables);
  return rows.map((row) => {
    const { project_id, device_id, function_id } = row;
    const [project = '', device = ''] = [names.get(project_id), devices.get(device_id)?.name];
    return alarmView(row, { project, device, rule: rules.get(function_id) ?? null }, now);
  });
}

/** So many rows of a project are asked for one by one, which in a database is a question each; of more all are read. */
const FEW = 16;

/** Resolves with the rows of a table that alarms name, by id. */
async function rowsNamed<Name extends 'devices' | 'functions'>(
  table: Name,
  alarms: readonly StoredAlarm[],
  idOf: (row: StoredAlarm) => string,
  tables: Tables,
): Promise<ReadonlyMap<string, Row<Name>>> {
  const found = new Map<string, Row<Name>>();
  for (const [project_id, own] of Map.groupBy(alarms, (row) => row.project_id)) {
    const ids = new Set(own.map(idOf));
    const of = { project_id } as Having[Name];
    const rows = ids.size > FEW ? await tables.list(table, of) : [];
    for (const row of rows) if (ids.has(row.id)) found.set(row.id, row);
    for (const id of ids.size > FEW ? [] : ids) {
      const row = await tables.get(table, id);
      if (row) found.set(id, row);
    }
  }
  return found;
}

const isIn = (state: AlarmFilter | undefined, row: StoredAlarm): boolean => {
  if (state === undefined) return true;
  return state === 'due' ? isDue(row) : alarmState(row) === state;
};

/** Whether the condition held, or was said to, at a moment of the span. */
const touches = (row: StoredAlarm, { start = -Infinity, end = Infinity }: TimeRange): boolean =>
  row.start <= end && (row.end ?? Infinity) >= start;

const byNewest = (a: StoredAlarm, b: StoredAlarm): number => b.raised - a.raised || b.sequence - a.sequence;
