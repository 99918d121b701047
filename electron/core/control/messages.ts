/*
 * Requests at the socket of a data directory (docs/running.md, "Control socket"): HTTP, every answer but that of an export or a job
 * an envelope.
 */
export const CONTROL_PATHS = {
  status: '/status',
  open: '/open',
  stop: '/stop',
  /** Its body is `{id, input}`: any operation of the table that neither takes nor gives a file. */
  call: '/call',
  export: '/export',
  /** Every line of the audit trail. */
  audit: '/audit',
  excursions: '/excursions',
  /** By POST with the secrets; its body is the input of `backup.with-secrets`. */
  backup: '/backup',
  /** By POST; its body is the input of `handover.get`. */
  handover: '/handover',
  /** Their bodies are a file. */
  restore: '/restore',
  import: '/import',
  compare: '/compare',
  /** Their bodies are the operations' input; their answers are lines, of which the last one is the envelope. */
  'push.plan': '/push/plan',
  'push.run': '/push/run',
  'storage.check': '/check',
} as const;

/** Operations whose answer is a file, by the path that is asked with GET. */
export const ASKED_FILES = {
  [CONTROL_PATHS.export]: 'records.export',
  [CONTROL_PATHS.backup]: 'backup.get',
  [CONTROL_PATHS.audit]: 'audit.export',
  [CONTROL_PATHS.excursions]: 'excursions.export',
} as const;
export type AskedFile = keyof typeof ASKED_FILES;

/** Operations that take a file, by the path that is asked with POST. */
export const TAKEN_FILES = {
  [CONTROL_PATHS.restore]: 'backup.restore',
  [CONTROL_PATHS.import]: 'records.import',
  [CONTROL_PATHS.compare]: 'records.compare',
} as const;
export type TakenFile = keyof typeof TAKEN_FILES;

/** Trailer of a file that broke off: why, for people to read, percent-encoded. */
export const BROKE_OFF = 'x-broke-off';

/** Headers of a file: its name, start and end of its bytes. */
export const EXPORT_HEADERS = {
  name: 'x-file-name',
  from: 'x-from',
  /** Of a rest alone. */
  total: 'x-total',
} as const;

/** Operations run as jobs, with the kind of job. */
export const ASKED_JOBS = { 'push.plan': 'push', 'push.run': 'push', 'storage.check': 'check' } as const;
export type AskedJob = keyof typeof ASKED_JOBS;

/** A line before the last one of a job: how far it is. */
export interface JobProgress {
  readonly done: number;
  readonly total: number | null;
  readonly unit: string;
}

/** Answer of `stop`: how long the service answers on before it stops; null for not at all. */
export type Stopping = { readonly drain_s: number } | null;

/** Answer of `open`. */
export interface Opened {
  /** Whether the desktop app showed its window; the console's address is then null. */
  readonly window: boolean;
  /** The app in a browser: opens once, within ten minutes. */
  readonly console_url: string | null;
}
