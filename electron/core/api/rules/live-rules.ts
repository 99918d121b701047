import { ruleOf, type Rule } from '#shared/domain/rules.ts';
import type { StoredAlarm, StoredDevice, StoredFunction } from '../../store/metadata/metadata-schema.ts';
import type { Tables } from '../../store/metadata/metadata.ts';
import type { Context } from '../context.ts';
import { isRule, ruleProblem } from '../alarms/rule-rows.ts';
import type { LiveRule, Watching } from './pairs.ts';

/** Devices of a rule by tag at most (docs/functions.md, "Limits of rules"): those that were made first. */
export const MOST_DEVICES = 10_000;

/** Returns the rule of a row that is switched on; null where it watches nothing. */
export function liveRuleOf(row: StoredFunction): Rule | null {
  if (!isRule(row) || !row.enabled || ruleProblem(row) !== null) return null;
  const rule = ruleOf(row.condition);
  return typeof rule === 'string' ? null : rule;
}

/** Version of a rule. */
const sinceOf = ({ since, created }: StoredFunction): number => since ?? created;

/** Resolves with what is watched in some projects, null: in all, by project; also of `known` ones that watch nothing any more. */
export async function readWatching(
  stale: ReadonlySet<string> | null,
  known: Iterable<string>,
  { metadata }: Pick<Context, 'metadata'>,
): Promise<ReadonlyMap<string, readonly Watching[]>> {
  return metadata.read(async (tables) => {
    const functions: StoredFunction[] = [];
    for (const having of stale === null ? [{}] : [...stale].map((project_id) => ({ project_id })))
      functions.push(...(await tables.list('functions', having)));
    const byProject = Map.groupBy(functions.filter(isRule), ({ project_id }) => project_id);
    const found = new Map<string, readonly Watching[]>();
    for (const project_id of new Set([...(stale ?? known), ...byProject.keys()]))
      found.set(project_id, await watchingIn(tables, project_id, byProject.get(project_id) ?? []));
    return found;
  });
}

/** Resolves with what the rules of some functions of a project watch. */
async function watchingIn(
  tables: Tables,
  project_id: string,
  functions: readonly StoredFunction[],
): Promise<readonly Watching[]> {
  const rules = functions.flatMap((row) => {
    const rule = liveRuleOf(row);
    return rule === null ? [] : [{ row, rule }];
  });
  const project = rules.length === 0 ? null : await tables.get('projects', project_id);
  if (project === null) return [];
  const hasTags = rules.some(({ rule }) => rule.devices !== undefined);
  const devices = hasTags ? await tables.list('devices', { project_id }) : [];
  const found: Watching[] = [];
  for (const { row, rule } of rules) {
    const live: LiveRule = { row, rule, since: sinceOf(row), project };
    for (const device_id of await devicesOf(row, rule, devices, tables)) found.push({ live, device_id });
  }
  return found;
}

async function devicesOf(
  { device_id, project_id }: StoredFunction,
  rule: Rule,
  devices: readonly StoredDevice[],
  tables: Tables,
): Promise<readonly string[]> {
  if (device_id !== null)
    return (await tables.get('devices', device_id))?.project_id === project_id ? [device_id] : [];
  const tagged = devices.filter((device) => hasTag(rule, device));
  return tagged.slice(0, MOST_DEVICES).map(({ id }) => id);
}

/** Whether a rule by tag watches a device. */
export const hasTag = ({ devices }: Rule, { tags }: StoredDevice): boolean =>
  devices !== undefined && tags.includes(devices.tag);

/** Whether the rule of an alarm, in the version that raised it, still watches its device. */
export async function isWatched(
  tables: Tables,
  alarm: Pick<StoredAlarm, 'function_id' | 'device_id' | 'since'>,
): Promise<boolean> {
  const row = await tables.get('functions', alarm.function_id);
  const rule = row && liveRuleOf(row);
  const device = rule && (await tables.get('devices', alarm.device_id));
  if (row === null || rule === null || device === null) return false;
  if (sinceOf(row) !== alarm.since || device.project_id !== row.project_id) return false;
  return row.device_id === null ? hasTag(rule, device) : row.device_id === device.id;
}
