import { RULE } from '#shared/domain/rule-names.ts';
import { MOST_RULES, ruleOf } from '#shared/domain/rules.ts';
import type { SeedRule } from '#shared/operations/service/seed.ts';
import type { Chance } from '../../base/chance.ts';
import type { Clock } from '../../base/clock.ts';
import { badRequest } from '../../base/errors.ts';
import type { NewRow, Tables } from '../../store/metadata/metadata.ts';
import { isRule } from '../alarms/rule-rows.ts';

interface OfProject {
  readonly project_id: string;
  /** Ids of its devices by their names, those that the file brings among them. */
  readonly devices: ReadonlyMap<string, string>;
  readonly chance: Chance;
  readonly clock: Clock;
  /** Where the file speaks of the project: `projects.0.`. */
  readonly at: string;
}

/** Resolves with the rules of a project of a seed file that are not there by their names. Rejects with a 400 Refusal that names the field. */
export async function planRules(
  rules: readonly SeedRule[],
  tables: Tables,
  { project_id, devices, chance, clock, at }: OfProject,
): Promise<readonly NewRow<'functions'>[]> {
  if (rules.length === 0) return [];
  const there = (await tables.list('functions', { project_id })).filter(isRule);
  const names = new Set(there.map(({ name }) => name));
  const planned: NewRow<'functions'>[] = [];
  const inFile = new Set<string>();
  for (const [i, { name, device, enabled, condition }] of rules.entries()) {
    const where = `${at}rules.${i}.`;
    if (inFile.has(name))
      throw badRequest(`${where}name must be that of nothing else in its place of the file`);
    inFile.add(name);
    const read = ruleOf(condition);
    if (typeof read === 'string') throw badRequest(`${where}${read}`);
    if ((device === undefined) === (read.devices === undefined))
      throw badRequest(
        `${where}device must be the name of a device of the project, or condition.devices must be {"tag": "…"}: one of both`,
      );
    const device_id = device === undefined ? null : devices.get(device);
    if (device_id === undefined)
      throw badRequest(`${where}device must be the name of a device of the project, got "${device}"`);
    if (names.has(name)) continue;
    const created = clock.now();
    planned.push({
      id: chance.uuid(),
      project_id,
      device_id,
      name,
      type: RULE,
      enabled,
      script: null,
      condition,
      since: created,
      created,
    });
  }
  if (there.length + planned.length > MOST_RULES)
    throw badRequest(`${at}rules must come to at most ${MOST_RULES} rules of the project`);
  return planned;
}
