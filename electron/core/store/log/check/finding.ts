/** One thing that is not as it should be. */
export interface Finding {
  readonly device: string | null;
  /** Relative to the folder that was checked. */
  readonly file: string;
  readonly message: string;
  /** Whether records are lost by it; a file that a crash left behind, or an index that can be rebuilt, costs none. */
  readonly loses: boolean;
  /** What is wrong, for mending it. */
  readonly fault: Fault;
}

export type Fault =
  | { readonly kind: 'wal' | 'manifest' | 'missing' | 'receipts' | 'stale' }
  | { readonly kind: 'index'; readonly segment: number }
  | { readonly kind: 'block'; readonly segment: number; readonly block: number };
