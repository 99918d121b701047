export const JOB_KINDS = [
  'import',
  'export',
  'purge',
  'delete-range',
  'delete',
  'move-secrets',
  'check',
  'push',
  'backup',
  'restore',
  'handover',
  'simulation',
  'decode',
] as const;
export const JOB_STATES = ['running', 'done', 'failed', 'cancelled'] as const;
export const JOB_UNITS = ['bytes', 'records', 'devices', 'secrets'] as const;

/** Long work under way. What is of the whole installation has the default account and an empty `project_id`. */
export interface Job extends OfProject {
  readonly id: string;
  readonly kind: (typeof JOB_KINDS)[number];
  readonly device_id: string | null;
  /** Name of its subject, which a delete takes along; "" for none. */
  readonly name: string;
  readonly state: (typeof JOB_STATES)[number];
  /** Work done so far and in all, in `unit`s; `total` is null while it is not known. */
  readonly done: number;
  readonly total: number | null;
  readonly unit: (typeof JOB_UNITS)[number];
  /** Since it began: for rates, whenever somebody begins to look. */
  readonly elapsed_ms: number;
  /** Whether `jobs.cancel` ends it. */
  readonly cancellable: boolean;
  /** Why it failed, for people; null where it did not. */
  readonly problem: string | null;
}

/** Owner of an event: windows that may not see the project do not get it. The project itself may be gone already. */
interface OfProject {
  readonly account_id: string;
  readonly project_id: string;
}

interface OfDevice extends OfProject {
  readonly device_id: string;
}

/** Events of the service to its windows, by topic. */
export interface Events {
  /** Records of a device were stored. Bursts are joined: `count` is the sum since the last event. */
  'records.stored': OfDevice & { readonly count: number };
  /** Records of a device went, or came back: a purge or a range delete, or its undo (`restored`). */
  'records.removed': OfDevice & { readonly restored?: true };
  /** A project came, changed or went. */
  'projects.changed': OfProject;
  /** A device came, changed or went, or how its keys are shown changed. */
  'devices.changed': OfDevice;
  /** A note of a device came, changed or went. */
  'notes.changed': OfDevice;
  /** Alarms of a device came, changed or went, also with it. */
  'alarms.changed': OfDevice;
  /** A widget of a project came, changed or went. */
  'widgets.changed': OfProject;
  /** A correction of a device came, changed or went, or what it shows of a device before it did. */
  'corrections.changed': OfDevice;
  /** A function of a device came, changed or went; null: a rule by tag. */
  'functions.changed': OfProject & { readonly device_id: string | null };
  /** A soft delete was made, undone or discarded. */
  'undo.changed': OfProject;
  /** The clock of a rig was set or moved. Of the default account, with an empty `project_id`. */
  'clock.changed': OfProject;
  /** Faults of an account were switched on or off. With an empty `project_id`. */
  'faults.changed': OfProject;
  /** A simulator of a device was started or stopped, or has ended. */
  'simulators.changed': OfDevice;
  'jobs.progress': Job;
  /**
   * Requests came, of which some were refused. Bursts are joined. Of a device; of an account's programs, or for
   * administrators of nobody, with an empty `project_id`. A `count` of 0: of what was kept some went or is otherwise.
   */
  'requests.seen': OfProject & {
    readonly device_id: string | null;
    readonly count: number;
    readonly refused: number;
  };
}

export type Topic = keyof Events;

/** An event of any topic. */
export type AnyEvent = { [T in Topic]: { readonly topic: T; readonly payload: Events[T] } }[Topic];

export const TOPICS = [
  'records.stored',
  'records.removed',
  'projects.changed',
  'devices.changed',
  'notes.changed',
  'alarms.changed',
  'widgets.changed',
  'corrections.changed',
  'functions.changed',
  'undo.changed',
  'clock.changed',
  'faults.changed',
  'simulators.changed',
  'jobs.progress',
  'requests.seen',
] as const satisfies readonly Topic[];
