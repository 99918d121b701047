/** Deletes that can be undone: of a project, a device, all its records, or those of a span. */
export const KEPT_KINDS = ['project', 'device', 'purge', 'range'] as const;
export type KeptKind = (typeof KEPT_KINDS)[number];

const TAKES = {
  project: 'rows',
  device: 'rows',
  purge: 'records',
  range: 'records',
} as const satisfies Record<KeptKind, 'rows' | 'records'>;

type OfRecords = { [Kind in KeptKind]: (typeof TAKES)[Kind] extends 'records' ? Kind : never }[KeptKind];

/** Whether records went and their device stays. */
export const isOfRecords = (kind: KeptKind): kind is OfRecords => TAKES[kind] === 'records';
