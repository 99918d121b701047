import type { DamagedFile } from '../../store.ts';

/** One thing that is not as it should be. */
export interface Finding extends DamagedFile {
  /** Fault, for its repair. */
  readonly fault: Fault;
}

export type Fault =
  | { readonly kind: 'wal' | 'manifest' | 'missing' | 'receipts' | 'stale' | 'unreadable' | 'snapshot' }
  | { readonly kind: 'index'; readonly segment: number }
  | { readonly kind: 'block'; readonly segment: number; readonly block: number };

/** Finding before its device is known: `file` is the name within the device's folder. */
export type Found = Omit<Finding, 'device'>;
