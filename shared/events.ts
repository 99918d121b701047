/** Long work under way: an import, an export, a purge, a range delete or a delete. */
export interface Job extends OfProject {
  readonly id: string;
  readonly kind: 'import' | 'export' | 'purge' | 'delete-range' | 'delete';
  readonly device_id: string | null;
  readonly state: 'running' | 'done' | 'failed' | 'cancelled';
  /** Work done so far and in all, in `unit`s; `total` is null while it is not known. */
  readonly done: number;
  readonly total: number | null;
  readonly unit: 'bytes' | 'records' | 'devices';
}

/** Whose an event is: who may not see the project hears nothing of it. The project itself may be gone already. */
interface OfProject {
  readonly account_id: string;
  readonly project_id: string;
}

interface OfDevice extends OfProject {
  readonly device_id: string;
}

/** What the service tells its windows, by topic. */
export interface Events {
  /** Records of a device were stored. Bursts are joined: `count` is the sum since the last event. */
  'records.stored': OfDevice & { readonly count: number };
  /** Records of a device went: a purge or a range delete. */
  'records.removed': OfDevice;
  /** A project came, changed or went. */
  'projects.changed': OfProject;
  /** A device came, changed or went. */
  'devices.changed': OfDevice;
  'jobs.progress': Job;
}

export type Topic = keyof Events;

/** An event of any topic. */
export type AnyEvent = { [T in Topic]: { readonly topic: T; readonly payload: Events[T] } }[Topic];

export const TOPICS = [
  'records.stored',
  'records.removed',
  'projects.changed',
  'devices.changed',
  'jobs.progress',
] as const satisfies readonly Topic[];
