import type { CheckedInput, OperationId } from '#shared/operations/index.ts';

/**
 * What an operation that may change something says in the audit trail. `rows`: its changes of the metadata are all, or come first,
 * and are told by themselves. `act`: it is told as begun before it does anything, and as done or failed behind that, beside the rows
 * that it changes. `memory`: what it changes is gone with the service; it is told once it is done. `nothing`: it changes nothing
 * that is kept, and why.
 */
export type Told<Id extends OperationId = OperationId> =
  | { readonly how: 'rows' }
  | { readonly how: 'act' | 'memory'; readonly of?: ToldOf<Id> }
  | { readonly how: 'nothing'; readonly why: string };

interface ToldOf<Id extends OperationId> {
  /** Facts of its input that are told; absent, all of them. Secrets are redacted in either. */
  readonly facts?: (input: CheckedInput<Id>) => object;
  /** Whether what it answers is told, too. */
  readonly answer?: true;
  /** Whether it may be done where nothing can be written any more, as it makes room: then it is told once it is done. */
  readonly makesRoom?: true;
  /** Whether only that it was begun is told. */
  readonly hasNoEnd?: true;
  /** Whether it is to be told at all. */
  readonly when?: (input: CheckedInput<Id>) => boolean;
}

const ROWS = { how: 'rows' } as const;
const ACT = { how: 'act' } as const;
const MEMORY = { how: 'memory' } as const;
const nothing = (why: string) => ({ how: 'nothing', why }) as const;

/** All of them: test/contract/audit/every-operation.test.ts names one that is missing, and asks each whether it is so. */
const TOLD: { readonly [Id in OperationId]?: Told<Id> } = {
  'accounts.create': ROWS,
  'accounts.remove': ROWS,
  'accounts.reset': ROWS,
  'alarms.acknowledge': ROWS,
  'backup.restore': {
    how: 'act',
    of: { answer: true, when: ({ dry_run }) => dry_run !== 'true' },
  },
  // It changes nothing here, and hands out every secret there is.
  'backup.with-secrets': ACT,
  'clock.advance': MEMORY,
  'clock.set': MEMORY,
  'corrections.create': ROWS,
  'corrections.delete': ROWS,
  'corrections.update': ROWS,
  'data.purge': { how: 'act', of: { answer: true, makesRoom: true } },
  'devices.create': ROWS,
  'devices.create-many': ROWS,
  'devices.delete': ROWS,
  'devices.move': ROWS,
  'devices.remove': ROWS,
  'devices.renew-token': ROWS,
  'devices.update': ROWS,
  'doors.update': { how: 'act', of: { answer: true } },
  'edits.replace': ROWS,
  'faults.clear': MEMORY,
  // They may be of the disk: a line behind them would meet them.
  'faults.set': { how: 'act', of: { hasNoEnd: true } },
  'functions.create': ROWS,
  'functions.decode': { how: 'act', of: { answer: true } },
  'functions.delete': ROWS,
  'functions.silence': ROWS,
  'functions.update': ROWS,
  // It changes nothing here, and says with a signature of this installation what it has.
  'handover.get': { how: 'act', of: { answer: true } },
  'jobs.cancel': { how: 'memory', of: { answer: true } },
  'key-settings.set': ROWS,
  'keys.create': ROWS,
  'keys.revoke': ROWS,
  'notes.create': ROWS,
  'notes.delete': ROWS,
  'notes.update': ROWS,
  'other-services.create': ACT,
  'other-services.look': nothing('it shows the certificate of an address'),
  'other-services.read-certificate': nothing('it shows what a certificate says'),
  'other-services.remove': ACT,
  'other-services.update': ACT,
  'projects.create': ROWS,
  'projects.delete': ROWS,
  'projects.remove': ROWS,
  'projects.update': ROWS,
  'push.plan': nothing('it compares both sides'),
  'push.run': {
    how: 'act',
    of: { facts: ({ to, service, plan }) => ({ to, service, projects: plan.projects.map(({ id }) => id) }) },
  },
  'records.delete': ROWS,
  'records.import': { how: 'act', of: { answer: true } },
  'requests.clear': { how: 'memory', of: { answer: true } },
  'requests.send': MEMORY,
  'requests.verify': nothing('it compares the last requests with a description'),
  'secrets.move': ACT,
  'secrets.rotate': ACT,
  'secrets.test': nothing('what it writes to the keychain it removes again'),
  'settings.test-mail': ACT,
  'settings.update': ROWS,
  'simulators.building': ROWS,
  'simulators.create': MEMORY,
  'simulators.delete': MEMORY,
  'snapshots.create': { how: 'act', of: { answer: true } },
  'snapshots.remove': { how: 'act', of: { answer: true } },
  'snapshots.restore': ACT,
  'storage.check': nothing('it reads every byte, and keeps what it found'),
  'sync.add-device': ROWS,
  'sync.add-project': ROWS,
  'sync.corrections': ROWS,
  'sync.merge': { how: 'act', of: { answer: true } },
  'sync.rows': ROWS,
  'undo.discard': ROWS,
  'undo.restore': ROWS,
  'uploads.create': { how: 'memory', of: { answer: true } },
  'uploads.delete': MEMORY,
  'views.create': ROWS,
  'views.delete': ROWS,
  'views.update': ROWS,
  'widgets.create': ROWS,
  'widgets.delete': ROWS,
  'widgets.import': ROWS,
  'widgets.update': ROWS,
};

export const TOLD_IDS = Object.keys(TOLD) as readonly OperationId[];

/** Returns what an operation tells that may change something: one of which nobody has said it, as one that is not of rows. */
export const toldOf = (id: OperationId): Told => TOLD[id] ?? ACT;
