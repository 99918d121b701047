import type { AnyEvent, Job } from '#shared/domain/events.ts';
import { operationOf, type OperationId } from '#shared/operations/index.ts';
import { mayTouch } from './authorize.ts';
import type { Principal } from './call.ts';

/** By which operation one could read what an event of this topic speaks of. */
const READ_BY = {
  'records.stored': 'data.list',
  'records.removed': 'data.list',
  'projects.changed': 'projects.get',
  'devices.changed': 'devices.get',
  'notes.changed': 'notes.list',
  'alarms.changed': 'alarms.list',
  'widgets.changed': 'widgets.list',
  'corrections.changed': 'corrections.list',
  'functions.changed': 'functions.list',
  'requests.seen': 'requests.list',
  'undo.changed': 'undo.list',
  'clock.changed': 'clock.get',
  'faults.changed': 'faults.get',
  'simulators.changed': 'simulators.list',
} as const satisfies Record<Exclude<AnyEvent['topic'], 'jobs.progress'>, OperationId>;

/** A job is seen by who could have started it. */
const STARTED_BY = {
  import: 'records.import',
  export: 'records.export',
  purge: 'data.purge',
  'delete-range': 'records.delete',
  delete: 'devices.delete',
  'move-secrets': 'secrets.move',
  check: 'storage.check',
  push: 'push.run',
  backup: 'backup.get',
  restore: 'backup.restore',
  handover: 'handover.get',
  simulation: 'simulators.create',
  decode: 'functions.decode',
} as const satisfies Record<Job['kind'], OperationId>;

/**
 * Whether a principal may hear of an event: whether the operations would let it read what the event speaks of. The event
 * says all that is needed, so that nothing is looked up for it, and the delete of a project is heard of as well.
 */
export function maySee(principal: Principal, event: AnyEvent): boolean {
  if (event.topic === 'jobs.progress') return maySeeJob(principal, event.payload);
  return may(principal, READ_BY[event.topic], event.payload);
}

/** Whether a principal could have started a job, and so may see and cancel it. */
export function maySeeJob(principal: Principal, job: Job): boolean {
  return may(principal, STARTED_BY[job.kind], job);
}

function may(
  principal: Principal,
  id: OperationId,
  { account_id, project_id }: Pick<Job, 'account_id' | 'project_id'>,
): boolean {
  return (
    mayTouch(principal, { id: project_id, account_id }) &&
    operationOf(id).permissions.every((permission) => principal.permissions.has(permission))
  );
}
