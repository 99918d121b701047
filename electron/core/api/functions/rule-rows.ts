import { isDeepStrictEqual } from 'node:util';
import { RULE } from '#shared/domain/rule-names.ts';
import { ruleOf, type Rule } from '#shared/domain/rules.ts';
import { formatMicros, type Micros } from '#shared/values/time.ts';
import { quote } from '#shared/values/validate.ts';
import { badRequest } from '../../base/errors.ts';
import type { StoredFunction } from '../../store/metadata/metadata-schema.ts';
import type { Tables } from '../../store/metadata/metadata.ts';

/* Rows of functions that are rules (docs/functions.md, "Rules"). */

/** Rules of a project at most. */
export const MOST_RULES = 200;

export const isRule = ({ type }: Pick<StoredFunction, 'type'>): boolean => type === RULE;

/** Until when the acts of a rule are held back, as text; null where they are not. */
export const silencedUntil = ({ silenced = null }: StoredFunction, now: Micros): string | null =>
  silenced !== null && silenced > now ? formatMicros(silenced) : null;

export const isSilenced = (row: StoredFunction, now: Micros): boolean => silencedUntil(row, now) !== null;

/** Returns why a rule watches nothing, for people to read; null where it does, or is switched off. */
export function ruleProblem({ condition, device_id, enabled }: StoredFunction): string | null {
  if (!enabled) return null;
  const rule = ruleOf(condition);
  return typeof rule === 'string' ? rule : deviceFault(rule, device_id);
}

/** Throws a 400 Refusal that names the field where a row is no rule of its project. */
export async function requireRule(tables: Tables, row: Omit<StoredFunction, 'sequence'>): Promise<void> {
  const rule = ruleOf(row.condition);
  if (typeof rule === 'string') throw badRequest(rule);
  const fault = deviceFault(rule, row.device_id);
  if (fault !== null) throw badRequest(fault);
  const functions = await tables.list('functions', { project_id: row.project_id });
  if (functions.filter((each) => isRule(each) && each.id !== row.id).length >= MOST_RULES)
    throw badRequest(`a project holds at most ${MOST_RULES} rules; delete some first`);
}

function deviceFault({ devices }: Rule, device_id: string | null): string | null {
  if (devices !== undefined && device_id !== null)
    return `device_id must be null for a rule with condition.devices, which watches each device with the tag, got ${quote(device_id)}`;
  if (devices === undefined && device_id === null)
    return 'device_id is required: it must be the id of a device of this project, or condition.devices must be {"tag": "…"}';
  return null;
}

/** Throws a 400 Refusal where the device of a function is none of its project. */
export async function requireDevice(
  tables: Tables,
  { project_id, device_id, type }: Pick<StoredFunction, 'project_id' | 'device_id' | 'type'>,
): Promise<void> {
  const rule = 'must be the id of a device of this project';
  if (device_id === null) {
    if (type === RULE) return;
    throw badRequest(`device_id is required: it ${rule}; only a "${RULE}" may do without`);
  }
  if ((await tables.get('devices', device_id))?.project_id !== project_id)
    throw badRequest(`device_id ${rule}, got ${quote(device_id)}`);
}

/** Whether what a rule watches for is another, so that it begins anew. */
export const isOther = (a: StoredFunction, b: StoredFunction): boolean =>
  a.type !== b.type ||
  a.enabled !== b.enabled ||
  a.device_id !== b.device_id ||
  !isDeepStrictEqual(a.condition, b.condition);
