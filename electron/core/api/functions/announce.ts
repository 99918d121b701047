import type { StoredFunction } from '../../store/metadata/metadata-schema.ts';
import type { Context } from '../context.ts';
import type { Taken } from '../removal/taking.ts';

interface OfProject {
  readonly account_id: string;
  readonly project_id: string;
}

/** Tells windows that functions of these devices came, changed or went. */
export function announceFunctions(
  { account_id, project_id }: OfProject,
  devices: Iterable<string>,
  { events }: Pick<Context, 'events'>,
): void {
  for (const device_id of new Set(devices))
    events.publish('functions.changed', { account_id, project_id, device_id });
}

/** Tells windows of the functions among rows that a delete took, or that came back. */
export function announceTaken(
  of: OfProject,
  { functions = [] }: Taken['rows'],
  context: Pick<Context, 'events'>,
): void {
  const devices = functions.map((row) => (row as StoredFunction).device_id);
  announceFunctions(of, devices, context);
}
