import { alarmState } from '#shared/domain/alarms.ts';
import type { Micros } from '#shared/values/time.ts';
import type { StoredAlarm } from '../../store/metadata/metadata-schema.ts';
import { MOST_FIRINGS } from '../../rules/firing.ts';
import type { WritableTables } from '../../store/metadata/metadata.ts';
import type { Context } from '../context.ts';

/** How many alarms are kept (docs/functions.md, "Alarms"), beside those that are open or have an act to do. */
export const KEPT_ALARMS = {
  ofRuleAndDevice: MOST_FIRINGS,
  ofProject: 10_000,
  us: 90 * 86_400_000_000,
} as const;

type Limits = { readonly [Name in keyof typeof KEPT_ALARMS]: number };

/**
 * Removes alarms of all projects that are kept no more. What is over for long, or of which a rule and a device have too many, is no
 * firing that its rule is asked for again; of what a project has too many the rule notes up to when its alarms are forgotten, so that
 * none is raised anew. Publishes what it did.
 */
export async function trimAlarms(
  { metadata, clock, events }: Pick<Context, 'metadata' | 'clock' | 'events'>,
  limits: Limits = KEPT_ALARMS,
): Promise<void> {
  const projects = await metadata.read(async (tables) => {
    const found = [];
    for (const { id, account_id } of await tables.list('projects'))
      if ((await tables.count('alarms', { project_id: id })) > 0) found.push({ id, account_id });
    return found;
  });
  for (const { id: project_id, account_id } of projects) {
    const rows = await metadata.read((tables) => tables.list('alarms', { project_id }));
    const over = overOf(rows, clock.now(), limits);
    if (over.rows.length === 0) continue;
    await metadata.change((tables) => forget(tables, over));
    for (const device_id of new Set(over.rows.map((row) => row.device_id)))
      events.publish('alarms.changed', { account_id, project_id, device_id });
  }
}

/** Alarms that are kept no more; and of rules, by id, up to when theirs are forgotten. */
interface Over {
  readonly rows: readonly StoredAlarm[];
  readonly forgotten: ReadonlyMap<string, Micros>;
}

/** Returns what is kept no more of the alarms of a project. */
export function overOf(rows: readonly StoredAlarm[], now: Micros, limits: Limits): Over {
  const over = new Set<StoredAlarm>();
  for (const own of Map.groupBy(rows, kindOf).values())
    for (const [place, row] of own.toSorted((a, b) => b.start - a.start).entries())
      if (isDone(row) && (place >= limits.ofRuleAndDevice || overAt(row) < now - limits.us)) over.add(row);
  const forgotten = new Map<string, Micros>();
  const left = rows.filter((row) => !over.has(row));
  const beyond = left.length - limits.ofProject;
  if (beyond > 0) {
    const oldest = left.filter(isDone).toSorted((a, b) => overAt(a) - overAt(b));
    for (const row of oldest.slice(0, beyond))
      forgotten.set(row.function_id, Math.max(forgotten.get(row.function_id) ?? -Infinity, overAt(row)));
    for (const row of oldest) if (overAt(row) <= (forgotten.get(row.function_id) ?? -Infinity)) over.add(row);
  }
  return { rows: [...over], forgotten };
}

async function forget(tables: WritableTables, { rows, forgotten }: Over): Promise<void> {
  for (const { id } of rows) await tables.remove('alarms', id);
  for (const [id, at] of forgotten) {
    const rule = await tables.get('functions', id);
    if (rule) await tables.patch('functions', id, { forgotten: Math.max(rule.forgotten ?? -Infinity, at) });
  }
}

/** Of a rule and a device; withdrawn ones by themselves, since they are no firings. */
const kindOf = (row: StoredAlarm): string =>
  `${row.function_id} ${row.device_id} ${alarmState(row) === 'withdrawn' ? 'withdrawn' : ''}`;

const isDone = (row: StoredAlarm): boolean =>
  alarmState(row) !== 'open' && row.acts.every(({ state }) => state !== 'waiting');

/** When an alarm was over. */
const overAt = ({ end, withdrawn, start }: StoredAlarm): Micros => withdrawn ?? end ?? start;
