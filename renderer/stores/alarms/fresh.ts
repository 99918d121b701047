import type { Alarm } from '#shared/operations/metadata/alarms.ts';
import { parseInstant, type Micros } from '#shared/values/time.ts';

/* Which alarms a window tells of: those that are raised while it is open. */

/** Knowledge of a window about alarms. */
export interface Heard {
  /** When it looked first: what was raised before is none of its. */
  readonly since: Micros;
  readonly ids: ReadonlySet<string>;
}

export interface Told {
  readonly heard: Heard;
  /** Alarms that are to be told, the newest first. */
  readonly fresh: readonly Alarm[];
}

/** Alarms that were raised since, and not told yet, of rules that notify and are not silenced. */
export function tell(before: Heard | null, alarms: readonly Alarm[], as_of: string): Told {
  const ids = new Set(alarms.map(({ id }) => id));
  if (before === null) return { heard: { since: parseInstant(as_of) ?? 0, ids }, fresh: [] };
  const { since } = before;
  const fresh = alarms.filter((alarm) => {
    const raised = parseInstant(alarm.raised) ?? 0;
    return !before.ids.has(alarm.id) && raised >= since && notifies(alarm) && !isSilenced(alarm, raised);
  });
  return { heard: { since, ids: new Set([...before.ids, ...ids]) }, fresh };
}

/** The act by which it is told; null where its rule has none, or it was done elsewhere or held back. */
const notifyOf = ({ acts }: Alarm) =>
  acts.find(({ event, act, error }) => event === 'raised' && act.do === 'notify' && error === null)?.act ??
  null;

const notifies = (alarm: Alarm): boolean => alarm.state !== 'withdrawn' && notifyOf(alarm) !== null;

const isSilenced = ({ silenced_until }: Alarm, raised: Micros): boolean =>
  (parseInstant(silenced_until ?? '') ?? 0) > raised;

/** Whether its rule asks for a sound. */
export const sounds = (alarm: Alarm): boolean => {
  const act = notifyOf(alarm);
  return act !== null && act.do === 'notify' && act.sound === true;
};
