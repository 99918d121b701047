import { alarmState, type AlarmEvent } from '#shared/domain/alarms.ts';
import type { Micros } from '#shared/values/time.ts';
import type { StoredAct } from '../../store/metadata/alarm-rows.ts';
import type { StoredAlarm } from '../../store/metadata/metadata-schema.ts';
import type { WritableTables } from '../../store/metadata/metadata.ts';
import { isSilenced } from './rule-rows.ts';

/**
 * Ends an alarm that is open as its rule does no longer watch: in the change that took the rule away, changed it or switched it off.
 * Acts that were done when it was raised are done of its end as well, unless the rule is silenced (`isQuiet`).
 */
export async function endAlarm(
  tables: WritableTables,
  row: StoredAlarm,
  { at, isQuiet }: { readonly at: Micros; readonly isQuiet: boolean },
): Promise<void> {
  const end = Math.max(at, row.start);
  const raised = row.acts.filter(({ event }) => event === 'raised');
  const told = isQuiet ? [] : raised.filter(({ act }) => act.do !== 'note' && act.do !== 'notify');
  const acts = told.map(({ act }, i): StoredAct => ({
    key: actKey(row, 'ended', i),
    event: 'ended',
    act,
    state: 'waiting',
    tries: 0,
    next: at,
    error: null,
  }));
  await tables.patch('alarms', row.id, { end, acts: [...row.acts, ...acts] });
  for (const { note_id } of raised) {
    const note = note_id === undefined ? null : await tables.get('notes', note_id);
    if (note?.end === null) await tables.patch('notes', note.id, { end: Math.max(end, note.start) });
  }
}

/** Key of the act that is the `i`th to be added behind an alarm's: none has that of another, though old acts go. */
export const actKey = (
  { id, acts }: Pick<StoredAlarm, 'id' | 'acts'>,
  event: AlarmEvent,
  i: number,
): string => `${id}/${numberOf(acts.at(-1)) + 1 + i}/${event}`;

const numberOf = (act: StoredAct | undefined): number =>
  act === undefined ? -1 : Number(act.key.split('/').at(-2));

/** Devices of which alarms ended, and notes with these. */
export interface Ended {
  readonly alarms: ReadonlySet<string>;
  readonly notes: ReadonlySet<string>;
}

export const NONE_ENDED: Ended = { alarms: new Set(), notes: new Set() };

/** Ends what is open of these alarms. Resolves with the devices of which one ended. */
export async function endOpenAlarms(
  tables: WritableTables,
  rows: readonly StoredAlarm[],
  how: Parameters<typeof endAlarm>[2],
): Promise<Ended> {
  const open = rows.filter((row) => alarmState(row) === 'open');
  for (const row of open) await endAlarm(tables, row, how);
  const noted = open.filter(({ acts }) => acts.some(({ note_id }) => note_id !== undefined));
  return { alarms: devicesOf(open), notes: devicesOf(noted) };
}

const devicesOf = (some: readonly StoredAlarm[]): ReadonlySet<string> =>
  new Set(some.map(({ device_id }) => device_id));

/**
 * Ends what is open of alarms that come back, or go elsewhere, where their rule does not watch any more: it was deleted, changed or
 * switched off meanwhile, or is of another project.
 */
export async function endUnwatched(
  tables: WritableTables,
  rows: readonly Pick<StoredAlarm, 'id'>[],
  at: Micros,
): Promise<void> {
  for (const { id } of rows) {
    const row = await tables.get('alarms', id);
    if (!row || alarmState(row) !== 'open') continue;
    const rule = await tables.get('functions', row.function_id);
    const isWatched =
      rule?.enabled === true && rule.since === row.since && rule.project_id === row.project_id;
    if (!isWatched) await endAlarm(tables, row, { at, isQuiet: rule !== null && isSilenced(rule, at) });
  }
}
