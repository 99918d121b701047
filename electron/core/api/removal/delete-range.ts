import type { TimeRange } from '#shared/time.ts';
import type { StoredDevice, StoredProject } from '../../store/metadata/metadata-schema.ts';
import type { Context } from '../context.ts';

/** Removes the records of a device in a range of time, as a job. Resolves with how many went. */
export async function deleteRange(
  { account_id }: StoredProject,
  { id: device_id, project_id }: StoredDevice,
  range: TimeRange,
  { records, events, jobs }: Pick<Context, 'records' | 'events' | 'jobs'>,
): Promise<number> {
  const of = { account_id, project_id, device_id };
  const job = { kind: 'delete-range', ...of, unit: 'records', total: null } as const;
  const removed = await jobs.run(job, () => records.deleteRange(device_id, range));
  events.publish('records.removed', of);
  return removed;
}
