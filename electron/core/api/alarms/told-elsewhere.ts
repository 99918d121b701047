import type { AlarmEvent } from '#shared/domain/alarms.ts';
import type { Micros } from '#shared/values/time.ts';
import type { ToldRule } from '../../store/metadata/alarm-rows.ts';
import type { StoredAlarm, StoredDevice } from '../../store/metadata/metadata-schema.ts';

/* Alarms that another service has judged as well, and has done the acts of: their records came by a push (docs/push.md). */

/** Why an act was not done: another service did it, or left it undone. */
export const TOLD = 'left to the service that pushed it';

/** Returns which acts of a rule on a device another service did; null where it did none. */
export const toldOf = (device: StoredDevice | null, function_id: string): ToldRule | null =>
  device?.told?.find((each) => each.function_id === function_id) ?? null;

/** Whether what happens to an alarm had happened by then, so that another service has told it. */
export function isTold(
  { fired, end }: Pick<StoredAlarm, 'fired' | 'end'>,
  event: AlarmEvent,
  told: ToldRule | null,
): boolean {
  if (told === null || !isWithin(fired, told)) return false;
  return event === 'raised' || event === 'withdrawn' || end === null || isWithin(end, told);
}

const isWithin = (moment: Micros, { at, ahead }: ToldRule): boolean =>
  moment <= at || (ahead !== undefined && moment >= ahead.start && moment <= ahead.end);

/** Whether no act of an alarm was done by this service. */
export const isUntold = ({ acts }: Pick<StoredAlarm, 'acts'>): boolean =>
  acts.every(({ error }) => error === TOLD);
