/* Alarms: firings of rules on devices (docs/functions.md, "Alarms"). */

export const ALARM_STATES = ['open', 'ended', 'withdrawn'] as const;
export type AlarmState = (typeof ALARM_STATES)[number];
/** By which alarms are asked for; `due`: those that are to be seen, which are open, or which nobody has acknowledged. */
export const ALARM_FILTERS = [...ALARM_STATES, 'due'] as const;
export type AlarmFilter = (typeof ALARM_FILTERS)[number];

/** What acts are about. */
export const ALARM_EVENTS = ['raised', 'ended', 'amended', 'withdrawn'] as const;
export type AlarmEvent = (typeof ALARM_EVENTS)[number];

export const ACT_STATES = ['waiting', 'done', 'failed'] as const;
/** Why an act that is over was not done: its rule was silenced. */
export const SILENCED = 'silenced';

/** Of an alarm, what its state is told by. */
interface Told {
  readonly end: unknown;
  readonly withdrawn: unknown;
  readonly acknowledged: unknown;
}

export const alarmState = ({ end, withdrawn }: Pick<Told, 'end' | 'withdrawn'>): AlarmState => {
  if (withdrawn !== null) return 'withdrawn';
  return end === null ? 'open' : 'ended';
};

/** Whether an alarm is to be seen. */
export const isDue = (alarm: Told): boolean => alarm.acknowledged === null || alarmState(alarm) === 'open';
