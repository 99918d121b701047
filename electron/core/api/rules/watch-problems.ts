import { keysOfRule, type Rule } from '#shared/domain/rules.ts';
import { formatCount } from '#shared/values/counts.ts';
import type { StoredDevice, StoredFunction } from '../../store/metadata/metadata-schema.ts';
import type { Context } from '../context.ts';
import { viewedOf } from '../corrections/viewed.ts';
import { hasTag, liveRuleOf, MOST_DEVICES } from './live-rules.ts';
import { unseenKeys } from './unseen-keys.ts';

/** Devices of a rule by tag that are looked at for its keys: those that were made first. */
const MOST_LOOKED_AT = 100;

interface Watched {
  readonly row: StoredFunction;
  readonly rule: Rule;
  readonly devices: readonly StoredDevice[];
}

/**
 * Resolves with why rules of a project watch less than they say, for people, by the id of the function: more devices have the tag than a
 * rule watches, or none of them ever stored a key. Rejects with StoreError.
 */
export async function watchProblems(
  project_id: string,
  rows: readonly StoredFunction[],
  { metadata, records }: Pick<Context, 'metadata' | 'records'>,
  most = MOST_DEVICES,
): Promise<ReadonlyMap<string, string>> {
  const watched = await watchedBy(project_id, rows, metadata);
  const looked = watched.map(({ devices }) => devices.slice(0, MOST_LOOKED_AT).map(({ id }) => id));
  const ids = [...new Set(looked.flat())];
  const views = await viewedOf(project_id, ids, 'corrected', { metadata });
  const viewOf = new Map(ids.map((id, place) => [id, views[place]!]));
  const unseen = await unseenKeys(
    watched.map((each, place) => ({
      called: calledOf(each),
      devices: (looked[place] ?? []).map((id) => viewOf.get(id)!),
      keys: keysOfRule(each.rule),
    })),
    records,
  );
  const problems = new Map<string, string>();
  for (const [place, each] of watched.entries()) {
    const said = [tooMany(each, most), unseen[place] ?? null].filter((words) => words !== null);
    if (said.length > 0) problems.set(each.row.id, said.join(' '));
  }
  return problems;
}

async function watchedBy(
  project_id: string,
  rows: readonly StoredFunction[],
  metadata: Context['metadata'],
): Promise<readonly Watched[]> {
  const live = rows.flatMap((row) => {
    const rule = liveRuleOf(row);
    return rule === null ? [] : [{ row, rule }];
  });
  if (live.length === 0) return [];
  return metadata.read(async (tables) => {
    const all = live.some(({ rule }) => rule.devices !== undefined)
      ? await tables.list('devices', { project_id })
      : [];
    const watched: Watched[] = [];
    for (const { row, rule } of live) {
      const own = row.device_id === null ? null : await tables.get('devices', row.device_id);
      const devices = row.device_id === null ? all.filter((each) => hasTag(rule, each)) : own ? [own] : [];
      watched.push({ row, rule, devices });
    }
    return watched;
  });
}

function tooMany({ rule, devices }: Watched, most: number): string | null {
  if (rule.devices === undefined || devices.length <= most) return null;
  return (
    `The tag "${rule.devices.tag}" is of ${formatCount(devices.length)} devices, and a rule watches at most ${formatCount(most)}: ` +
    'those that were made first. Give the others another tag, and a rule of their own.'
  );
}

function calledOf({ rule, devices }: Watched): string {
  const [first] = devices;
  if (rule.devices === undefined || devices.length === 1) return `"${first?.name ?? ''}"`;
  const some =
    devices.length > MOST_LOOKED_AT ? `the first ${formatCount(MOST_LOOKED_AT)} devices` : 'the devices';
  return `${some} with the tag "${rule.devices.tag}"`;
}
