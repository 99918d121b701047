import { RULE } from '#shared/domain/rule-names.ts';
import type { Micros } from '#shared/values/time.ts';
import { badRequest, notFound } from '../../base/errors.ts';
import type { StoredFunction } from '../../store/metadata/metadata-schema.ts';
import type { Fields, NewRow, WritableTables } from '../../store/metadata/metadata.ts';
import { endOpenAlarms, NONE_ENDED, type Ended } from '../alarms/end-alarms.ts';
import { noteDecodes } from './decoding.ts';
import { isOther, isRule, isSilenced, requireDeviceOf, requireRule } from '../alarms/rule-rows.ts';

/** Adds a function, in a change. Rejects with a 400 Refusal that names the field. */
export async function createFunction(
  tables: WritableTables,
  given: NewRow<'functions'>,
): Promise<StoredFunction> {
  await requireDeviceOf(tables, given);
  if (!isRule(given)) {
    const row = await tables.insert('functions', given);
    if (row.device_id !== null) await noteDecodes(tables, row.device_id);
    return row;
  }
  await requireRule(tables, given);
  return tables.insert('functions', { ...given, since: given.created });
}

/** A function as it is then, and the alarms that ended. */
interface Changed {
  readonly row: StoredFunction;
  readonly ended: Ended;
}

/**
 * Changes a function, in a change; one that is refused stays as it is. A rule that watches for something else begins anew, and what is open of its alarms ends. Resolves
 * with the row as it is then, and with what ended. Rejects with a Refusal: 404 where it is gone, 400 with the field.
 */
export async function changeFunction(
  tables: WritableTables,
  id: string,
  fields: Fields<'functions'>,
  now: Micros,
): Promise<Changed> {
  const before = await tables.get('functions', id);
  if (!before) throw notFound('Function');
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const after: StoredFunction = { ...before, ...Object.fromEntries(given) };
  const [wasRule, isNow] = [isRule(before), isRule(after)];
  if (wasRule || isNow) await requireDeviceOf(tables, after);
  else if (after.device_id !== before.device_id)
    throw badRequest(`device_id may be changed of a "${RULE}" alone, not of a "${after.type}"`);
  if (isNow) await requireRule(tables, after);
  const row = (await tables.patch('functions', id, fields)) ?? after;
  if (!wasRule && !isNow) {
    if (row.device_id !== null) await noteDecodes(tables, row.device_id);
    return { row, ended: NONE_ENDED };
  }
  if (wasRule !== isNow)
    for (const each of new Set([before.device_id, row.device_id]))
      if (each !== null) await noteDecodes(tables, each);
  return beginAnew(tables, before, row, now);
}

/** Replaces fields of a function by those of a backup, which were checked where they were made. */
export async function replaceFunction(
  tables: WritableTables,
  id: string,
  fields: Fields<'functions'>,
  now: Micros,
): Promise<void> {
  const before = await tables.get('functions', id);
  const row = await tables.patch('functions', id, fields);
  if (before && row && (isRule(before) || isRule(row))) await beginAnew(tables, before, row, now);
}

/** Has a rule begin anew where it watches for something else: what is open of its alarms ends. */
async function beginAnew(
  tables: WritableTables,
  before: StoredFunction,
  row: StoredFunction,
  now: Micros,
): Promise<Changed> {
  if (!isOther(before, row)) return { row, ended: NONE_ENDED };
  const alarms = await tables.list('alarms', { function_id: row.id });
  const ended = await endOpenAlarms(tables, alarms, { at: now, isQuiet: isSilenced(before, now) });
  const fields = isRule(row) ? { since: now } : { since: null, silenced: null };
  return { row: (await tables.patch('functions', row.id, fields)) ?? row, ended };
}

/** Removes a function, in a change, and ends what is open of its alarms. Resolves with what ended. Rejects with a 404 Refusal. */
export async function removeFunction(tables: WritableTables, id: string, now: Micros): Promise<Ended> {
  const row = await tables.get('functions', id);
  if (!row) throw notFound('Function');
  await tables.remove('functions', id);
  if (!isRule(row)) {
    if (row.device_id !== null) await noteDecodes(tables, row.device_id);
    return NONE_ENDED;
  }
  const alarms = await tables.list('alarms', { function_id: id });
  return endOpenAlarms(tables, alarms, { at: now, isQuiet: isSilenced(row, now) });
}
