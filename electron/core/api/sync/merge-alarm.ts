import { isDeepStrictEqual } from 'node:util';
import { alarmState } from '#shared/domain/alarms.ts';
import { SAID_ROWS, type SaidRow } from '#shared/operations/records/sync-rows.ts';
import { quote, validate } from '#shared/values/validate.ts';
import { badRequest } from '../../base/errors.ts';
import type { StoredAct } from '../../store/metadata/alarm-rows.ts';
import type { StoredAlarm, StoredFunction } from '../../store/metadata/metadata-schema.ts';
import { isUntold, TOLD } from '../alarms/told-elsewhere.ts';
import { isRule, requireDevice } from '../alarms/rule-rows.ts';
import type { Taking } from './take-row.ts';

/*
 * Alarms of another service (docs/push.md, "Who decides"): the one of a rule, a device and a beginning is one alarm, whoever raised it.
 * When it fired and ended is what this service judges; it takes on who acknowledged it, and that its acts are done.
 */

type Said = SaidRow<'alarms'>;

/**
 * Merges an alarm. `wasHere`: both sides had it, or it was deleted here. Rejects with a Refusal, and has then changed nothing.
 */
export async function mergeAlarm(
  id: string,
  says: unknown,
  wasHere: boolean,
  taking: Taking,
): Promise<'added' | 'changed' | 'present' | 'removed'> {
  const { tables, project, touched } = taking;
  const read = validate(SAID_ROWS.alarms, says);
  if (!read.ok) throw badRequest(read.message);
  const said = read.value;
  const { device_id, function_id } = said;
  await requireDevice(tables, device_id, project.id);
  const version = versionOf(said, await tables.get('functions', function_id), project.id);
  const own = await tables.list('alarms', { function_id, device_id });
  const there = own.find((row) => row.id === id) ?? twinOf(said, version, own);
  if (!there) {
    const taken = await tables.get('alarms', id);
    if (taken) throw badRequest(`id must be of an alarm of this rule and device, got ${quote(id)}`);
    if (wasHere) return 'removed';
    if (version.is === 'former' && alarmState(said) === 'open')
      throw badRequest(
        'function_id must be of a rule that is here as it is there, for an alarm that is open',
      );
    await tables.insert('alarms', rowOf(id, said, version.since, taking));
    touched.alarms.add(device_id);
    return 'added';
  }
  if (there.id !== id && there.acknowledged === null && isUntold(there)) {
    await tables.remove('alarms', there.id);
    const { since, start, fired, end, withdrawn } = there;
    const raised = Math.min(there.raised, said.raised);
    const judged = { since, start, fired, end, withdrawn, raised };
    await tables.insert('alarms', { ...rowOf(id, said, since, taking), ...judged });
  } else {
    const fields = takenOn(there, said, taking);
    if (isDeepStrictEqual({ ...there, ...fields }, there)) return 'present';
    await tables.patch('alarms', there.id, fields);
  }
  touched.alarms.add(device_id);
  return 'changed';
}

/** Version of a rule that raised an alarm, as it is told here. */
interface Version {
  /** `current`: the rule is on both sides what raised it. */
  readonly is: 'current' | 'former';
  readonly since: number;
  /** Of the rule as it is now; null where there is none. */
  readonly now: number | null;
}

function versionOf({ since, current }: Said, rule: StoredFunction | null, project_id: string): Version {
  if (!rule || !isRule(rule) || rule.project_id !== project_id) return { is: 'former', since, now: null };
  const now = rule.since ?? rule.created;
  if (current) return { is: 'current', since: now, now };
  // Not of the version that is judged here, though it began at the same time there.
  return { is: 'former', since: since === now ? since - 1 : since, now };
}

/** Returns the alarm that this service raised by itself; undefined where it did not. */
function twinOf(said: Said, version: Version, own: readonly StoredAlarm[]): StoredAlarm | undefined {
  const isOfVersion = ({ since }: StoredAlarm) => (since === version.now) === (version.is === 'current');
  const all = own.filter((row) => row.start === said.start && isOfVersion(row));
  return all.find(({ end, withdrawn }) => withdrawn === null && end === said.end) ?? all[0];
}

function rowOf(id: string, said: Said, since: number, taking: Taking): Omit<StoredAlarm, 'sequence'> {
  const { current: _, acts, acknowledged, ...fields } = said;
  return {
    ...fields,
    id,
    project_id: taking.project.id,
    since,
    acknowledged: acknowledgedBy(acknowledged, taking),
    acts: acts.map(doneElsewhere),
    created: taking.now,
  };
}

const acknowledgedBy = (said: Said['acknowledged'], { by }: Taking): StoredAlarm['acknowledged'] =>
  said && { ...said, by: `${said.by} (${by})` };

/** Returns an act that this service does not do: what waits elsewhere is done there. */
function doneElsewhere({ note_id, ...act }: Said['acts'][number]): StoredAct {
  const { state, error } = act;
  const of = note_id === undefined ? {} : { note_id };
  const end = state === 'failed' ? { state, error } : { state: 'done' as const, error: TOLD };
  return { ...act, ...end, ...of, next: null };
}

/** Returns what an alarm takes on: the earliest acknowledgement, an end that is not known here yet, and acts where none was done here. */
function takenOn(there: StoredAlarm, said: Said, taking: Taking): Partial<StoredAlarm> {
  const theirs = acknowledgedBy(said.acknowledged, taking);
  const isEarlier = theirs !== null && (there.acknowledged === null || theirs.at < there.acknowledged.at);
  const isOver = alarmState(there) === 'open' && alarmState(said) !== 'open';
  return {
    ...(isEarlier && { acknowledged: theirs }),
    ...(isOver && { end: said.end, withdrawn: said.withdrawn, amended: said.amended }),
    ...(isUntold(there) && said.acts.length > 0 && { acts: said.acts.map(doneElsewhere) }),
  };
}
