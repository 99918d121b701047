import { MOST_CORRECTIONS, MOST_FORMER_VERSIONS } from '#shared/domain/corrections.ts';
import type { OutputOf } from '#shared/operations/index.ts';
import { quote } from '#shared/values/validate.ts';
import { badRequest } from '../../base/errors.ts';
import type { StoredCorrection, StoredDevice } from '../../store/metadata/metadata-schema.ts';
import type { Tables, WritableTables } from '../../store/metadata/metadata.ts';
import { isSameVersion, versionsOf, type CorrectionVersion } from '../../sync/correction-versions.ts';
import type { Principal } from '../call.ts';
import { checkBeside, isOutOfReach, saysBesideOthers } from '../corrections/check-correction.ts';

type Device = Pick<StoredDevice, 'id' | 'project_id'>;
type Identified = Pick<StoredCorrection, 'id' | 'what'>;

/** A correction of which there is more than is here, and how many of its versions are here. */
interface Longer {
  readonly id: string;
  readonly versions: readonly CorrectionVersion[];
  readonly known: number;
}

export interface MergePlan extends Pick<OutputOf<'sync.corrections'>, 'present' | 'conflicting'> {
  readonly longer: readonly Longer[];
  /** Whether one that is here is removed by it. */
  readonly removes: boolean;
}

/**
 * Compares versions of another service with those of a device. What is here is a beginning of what came, or the other way round; else
 * both changed it, and what is here stays; so does what is a correction of another device here. Rejects with a 400 Refusal where
 * versions come twice, would put the history of a device before this one that the principal may not see, or could not be entered here.
 */
export async function planMerge(
  tables: Tables,
  { id: device_id }: Device,
  sent: readonly CorrectionVersion[],
  principal: Principal,
): Promise<MergePlan> {
  const rows = await tables.list('corrections', { device_id });
  const own = versionsOf(rows, await tables.list('correction_history', { device_id }));
  const here = Map.groupBy(own, ({ correction_id }) => correction_id);
  const longer: Longer[] = [];
  let [present, conflicting] = [0, 0];
  let removes = false;
  for (const [id, unordered] of Map.groupBy(sent, ({ correction_id }) => correction_id)) {
    const versions = unordered.toSorted((a, b) => a.version - b.version);
    const twice = versions.find((each, i) => versions[i - 1]?.version === each.version);
    if (twice)
      throw badRequest(
        `versions must have each once, and have version ${twice.version} of ${quote(id)} twice`,
      );
    const theirs = here.get(id) ?? [];
    const found = await tables.get('corrections', id);
    // In the lab it went into another device, or came from there.
    if (found && found.device_id !== device_id) {
      conflicting++;
      continue;
    }
    const most = Math.min(versions.length, theirs.length);
    let known = 0;
    while (known < most && isSameVersion(versions[known]!, theirs[known]!)) known++;
    present += known;
    if (known === versions.length) continue;
    if (known < theirs.length) conflicting++;
    else {
      const last = versions.at(-1)?.what ?? null;
      if (last?.kind === 'replaced' && (await isOutOfReach(tables, last.device_id, principal)))
        throw badRequest(
          `versions must name as former_id a device of this account that this API key may see, or one that is not here yet, got ${quote(last.device_id)}`,
        );
      longer.push({ id, versions, known });
      if (found && last === null) removes = true;
    }
  }
  await checkMerged(tables, device_id, rows, longer);
  return { longer, present, conflicting, removes };
}

/**
 * Rejects with a 400 Refusal where what a merge brings could not be entered here, all of it being there: in any other order one that
 * takes the name of another would be refused, though that has a new one.
 */
async function checkMerged(
  tables: Tables,
  device_id: string,
  rows: readonly StoredCorrection[],
  longer: readonly Longer[],
): Promise<void> {
  const before = new Map(rows.map((row) => [row.id, row]));
  const brought = longer.flatMap(({ id, versions }) => {
    const what = versions.at(-1)?.what;
    return what ? [{ id, what }] : [];
  });
  const after = new Map<string, Identified>(before);
  for (const { id } of longer) after.delete(id);
  for (const each of brought) after.set(each.id, each);
  if (after.size > MOST_CORRECTIONS)
    throw badRequest(`a device holds at most ${MOST_CORRECTIONS} corrections; delete some first`);
  const known = new Map<string, readonly Identified[]>([[device_id, [...after.values()]]]);
  const correctionsOf = async (id: string) => {
    const found = known.get(id) ?? (await tables.list('corrections', { device_id: id }));
    known.set(id, found);
    return found;
  };
  for (const each of brought) {
    const was = before.get(each.id);
    if (!was || !saysBesideOthers(was.what, each.what))
      await checkBeside(tables, { id: device_id }, each, correctionsOf);
  }
}

/** Returns what a merge comes to. */
export function mergedBy({ longer, present, conflicting }: MergePlan): OutputOf<'sync.corrections'> {
  const added = longer.reduce((sum, { versions, known }) => sum + versions.length - known, 0);
  return { added, present, conflicting };
}

/** Adds what is planned. `newId`: for rows of the history. Rejects with a 400 Refusal where there is no room. */
export async function runMerge(
  tables: WritableTables,
  device: Device,
  { longer }: MergePlan,
  { by, now, newId }: { readonly by: string; readonly now: number; readonly newId: () => string },
): Promise<void> {
  const { id: device_id, project_id } = device;
  for (const { id, versions, known } of longer) {
    const there = await tables.get('corrections', id);
    const { created: first, sequence: place } = there ?? { created: versions[0]?.first ?? now, sequence: 0 };
    const common = { project_id, device_id, correction_id: id, first, place, created: now };
    if (there) {
      const { id: _, created: __, sequence: ___, ...version } = there;
      await tables.insert('correction_history', { ...version, ...common, id: newId() });
    }
    const last = versions.at(-1);
    for (const each of versions.slice(known)) {
      const version = {
        version: each.version,
        reason: each.reason,
        changed: each.changed,
        by: `${each.by} (${by})`,
      };
      if (each !== last || each.what === null)
        await tables.insert('correction_history', { ...common, ...version, id: newId(), what: each.what });
      else if (there) await tables.patch('corrections', id, { ...version, what: each.what });
      else
        await tables.insert('corrections', {
          id,
          project_id,
          device_id,
          what: each.what,
          ...version,
          created: first,
        });
    }
    if (there && last?.what === null) await tables.remove('corrections', id);
  }
  if ((await tables.count('correction_history', { device_id })) > MOST_FORMER_VERSIONS)
    throw badRequest(
      `the history of a device's corrections holds at most ${MOST_FORMER_VERSIONS} former versions`,
    );
}
