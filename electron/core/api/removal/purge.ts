import type { StoredDevice, StoredProject } from '../../store/metadata/metadata-schema.ts';
import type { Context } from '../context.ts';

/** Removes every record of a device, as a job. Resolves with how many went. */
export async function purge(
  { account_id }: StoredProject,
  { id: device_id, project_id }: StoredDevice,
  { records, clock, events, jobs }: Pick<Context, 'records' | 'clock' | 'events' | 'jobs'>,
): Promise<number> {
  const of = { account_id, project_id, device_id };
  const job = { kind: 'purge', ...of, unit: 'records', total: null } as const;
  const removed = await jobs.run(job, () => records.purge(device_id, clock.now()));
  events.publish('records.removed', of);
  return removed;
}
