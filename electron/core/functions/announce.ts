import type { EventBus } from '../base/event-bus.ts';
import type { StoredAlarm, StoredFunction } from '../store/metadata/metadata-schema.ts';

interface OfProject {
  readonly account_id: string;
  readonly project_id: string;
}

interface Announcer {
  readonly events: Pick<EventBus, 'publish'>;
}

/** Functions and alarms, as far as others hear of them. */
interface ToldRows {
  readonly functions?: readonly object[] | undefined;
  readonly alarms?: readonly object[] | undefined;
}

/** Tells windows that functions of these devices came, changed or went; null: of a rule by tag. */
export function announceFunctions(
  { account_id, project_id }: OfProject,
  devices: Iterable<string | null>,
  { events }: Announcer,
): void {
  for (const device_id of new Set(devices))
    events.publish('functions.changed', { account_id, project_id, device_id });
}

/** Tells windows that alarms of these devices came, changed or went. */
export function announceAlarms(
  { account_id, project_id }: OfProject,
  devices: Iterable<string>,
  { events }: Announcer,
): void {
  for (const device_id of new Set(devices))
    events.publish('alarms.changed', { account_id, project_id, device_id });
}

/** Tells windows of the functions and alarms among rows of a project that were taken, or that came back. */
export function announceTaken(
  of: OfProject,
  { functions = [], alarms = [] }: ToldRows,
  context: Announcer,
): void {
  announceFunctions(
    of,
    functions.map((row) => (row as Pick<StoredFunction, 'device_id'>).device_id),
    context,
  );
  announceAlarms(
    of,
    alarms.map((row) => (row as Pick<StoredAlarm, 'device_id'>).device_id),
    context,
  );
}
