import { formatCount } from '../../format.ts';
import { dueAlarms } from '../../stores/alarms/alarms.ts';

/** Count of alarms that are to be seen; absent for none. The frame keeps it fresh. */
export function AlarmsCount() {
  const due = dueAlarms.useValue('all').value?.due ?? 0;
  return due > 0 && ` (${formatCount(due)})`;
}
