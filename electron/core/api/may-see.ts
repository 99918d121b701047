import type { AnyEvent, Job } from '#shared/events.ts';
import { operationOf, type OperationId } from '#shared/operations/index.ts';
import { mayTouch } from './authorize.ts';
import type { Principal } from './call.ts';

/** By which operation one could read what an event of this topic speaks of. */
const READ_BY = {
  'records.stored': 'data.list',
  'records.removed': 'data.list',
  'projects.changed': 'projects.get',
  'devices.changed': 'devices.get',
} as const satisfies Record<Exclude<AnyEvent['topic'], 'jobs.progress'>, OperationId>;

/** A job is seen by who could have started it. */
const STARTED_BY = {
  import: 'records.import',
  export: 'records.export',
  purge: 'data.purge',
  'delete-range': 'records.delete',
  delete: 'devices.delete',
} as const satisfies Record<Job['kind'], OperationId>;

/**
 * Whether a principal may hear of an event: whether the operations would let it read what the event speaks of. The event
 * says all that is needed, so that nothing is looked up for it, and the delete of a project is heard of as well.
 */
export function maySee(principal: Principal, event: AnyEvent): boolean {
  const { account_id, project_id } = event.payload;
  const id = event.topic === 'jobs.progress' ? STARTED_BY[event.payload.kind] : READ_BY[event.topic];
  return (
    mayTouch(principal, { id: project_id, account_id }) &&
    principal.permissions.has(operationOf(id).permission)
  );
}
