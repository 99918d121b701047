/** Changes that can be undone: deletes of a project, a device, all its records, or those of a span; and records that were decoded again. */
export const KEPT_KINDS = ['project', 'device', 'purge', 'range', 'decode'] as const;
export type KeptKind = (typeof KEPT_KINDS)[number];

const TAKES = {
  project: 'rows',
  device: 'rows',
  purge: 'records',
  range: 'records',
  decode: 'records',
} as const satisfies Record<KeptKind, 'rows' | 'records'>;

export type KeptOfRecords = {
  [Kind in KeptKind]: (typeof TAKES)[Kind] extends 'records' ? Kind : never;
}[KeptKind];

/** Whether records went and their device stays. */
export const isOfRecords = (kind: KeptKind): kind is KeptOfRecords => TAKES[kind] === 'records';
