import { alarmState } from '#shared/domain/alarms.ts';
import type { Alarm, AlarmAct } from '#shared/operations/metadata/alarms.ts';
import { formatMicros, type Micros } from '#shared/values/time.ts';
import type { StoredAct } from '../../store/metadata/alarm-rows.ts';
import type { StoredAlarm, StoredFunction } from '../../store/metadata/metadata-schema.ts';
import { silencedUntil } from './rule-rows.ts';
import { instantText } from '../resources.ts';

/** Names of what an alarm is of, and its rule as it is now; null where that is gone. */
export interface AlarmOf {
  readonly project: string;
  readonly device: string;
  readonly rule: StoredFunction | null;
}

export function alarmView(row: StoredAlarm, { project, device, rule }: AlarmOf, now: Micros): Alarm {
  const { id, project_id, device_id, function_id, acknowledged } = row;
  return {
    id,
    project_id,
    project,
    device_id,
    device,
    function_id,
    rule: row.name,
    condition: rule?.since === row.since ? rule.condition : null,
    silenced_until: rule && silencedUntil(rule, now),
    state: alarmState(row),
    start: formatMicros(row.start),
    fired: formatMicros(row.fired),
    end: instantText(row.end),
    raised: formatMicros(row.raised),
    amended: instantText(row.amended),
    withdrawn: instantText(row.withdrawn),
    acknowledged: acknowledged && { ...acknowledged, at: formatMicros(acknowledged.at) },
    acts: row.acts.map(actView),
  };
}

const actView = ({ key, event, act, state, tries, next, error }: StoredAct): AlarmAct => ({
  key,
  event,
  act,
  state,
  tries,
  next: instantText(next),
  error,
});
