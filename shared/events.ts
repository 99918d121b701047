/** Long work under way: an import, an export, a purge or a delete. */
export interface Job {
  readonly id: string;
  readonly kind: 'import' | 'export' | 'purge' | 'delete';
  readonly project_id: string;
  readonly device_id: string | null;
  readonly state: 'running' | 'done' | 'failed' | 'cancelled';
  /** Work done so far and in all, in `unit`s; `total` is null while it is not known. */
  readonly done: number;
  readonly total: number | null;
  readonly unit: 'bytes' | 'records' | 'devices';
}

/** What the service tells its windows, by topic. */
export interface Events {
  /** Records of a device were stored. Bursts are joined: `count` is the sum since the last event. */
  'records.stored': { readonly project_id: string; readonly device_id: string; readonly count: number };
  /** Records of a device went: a purge or a range delete. */
  'records.removed': { readonly project_id: string; readonly device_id: string };
  /** A project came, changed or went. */
  'projects.changed': { readonly project_id: string };
  /** A device came, changed or went. */
  'devices.changed': { readonly project_id: string; readonly device_id: string };
  'jobs.progress': Job;
}

export type Topic = keyof Events;

export const TOPICS = [
  'records.stored',
  'records.removed',
  'projects.changed',
  'devices.changed',
  'jobs.progress',
] as const satisfies readonly Topic[];

export function isTopic(value: unknown): value is Topic {
  return typeof value === 'string' && (TOPICS as readonly string[]).includes(value);
}
