import { isDeepStrictEqual } from 'node:util';
import { RULE } from '#shared/domain/rule-names.ts';
import { MOST_RULES, ruleOf, type Rule } from '#shared/domain/rules.ts';
import { formatMicros, type Micros } from '#shared/values/time.ts';
import { quote } from '#shared/values/validate.ts';
import { badRequest } from '../../base/errors.ts';
import type { StoredDevice, StoredFunction } from '../../store/metadata/metadata-schema.ts';
import type { Tables } from '../../store/metadata/metadata.ts';

/* Rows of functions that are rules (docs/functions.md, "Rules"). */

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
  await requireRoomForRules(tables, row.project_id, [row.id]);
}

/** Throws a 400 Refusal where a project would have too many rules with these, which may be there. */
export async function requireRoomForRules(
  tables: Tables,
  project_id: string,
  ids: readonly string[],
): Promise<void> {
  const there = (await tables.list('functions', { project_id })).filter(isRule).map(({ id }) => id);
  if (new Set([...there, ...ids]).size > MOST_RULES)
    throw badRequest(`a project holds at most ${MOST_RULES} rules; delete some first`);
}

function deviceFault({ devices }: Rule, device_id: string | null): string | null {
  if (devices !== undefined && device_id !== null)
    return `device_id must be null for a rule with condition.devices, which watches each device with the tag, got ${quote(device_id)}`;
  if (devices === undefined && device_id === null)
    return 'device_id is required: it must be the id of a device of this project, or condition.devices must be {"tag": "…"}';
  return null;
}

const DEVICE_RULE = 'must be the id of a device of this project';

/** Resolves with a device that a body names. Rejects with a 400 Refusal where it is none of the project. */
export async function requireDevice(
  tables: Tables,
  device_id: string,
  project_id: string,
): Promise<StoredDevice> {
  const device = await tables.get('devices', device_id);
  if (device?.project_id === project_id) return device;
  throw badRequest(`device_id ${DEVICE_RULE}, got ${quote(device_id)}`);
}

/** Throws a 400 Refusal where the device of a function is none of its project, or is missing. */
export async function requireDeviceOf(
  tables: Tables,
  { project_id, device_id, type }: Pick<StoredFunction, 'project_id' | 'device_id' | 'type'>,
): Promise<void> {
  if (device_id !== null) await requireDevice(tables, device_id, project_id);
  else if (type !== RULE)
    throw badRequest(`device_id is required: it ${DEVICE_RULE}; only a "${RULE}" may do without`);
}

/** Whether what a rule watches for is another, so that it begins anew. */
export const isOther = (a: StoredFunction, b: StoredFunction): boolean =>
  a.type !== b.type ||
  a.enabled !== b.enabled ||
  a.device_id !== b.device_id ||
  !isDeepStrictEqual(a.condition, b.condition);
