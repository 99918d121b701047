import type { Outcome } from './outcome.ts';

/** Calls of one function of one script. */
export interface Batch {
  readonly type: 'run';
  readonly number: number;
  /** Of the script's text and the function's name. */
  readonly key: string;
  /** Null where the process should have it. */
  readonly script: string | null;
  readonly name: string;
  /** JSON of each call. */
  readonly inputs: readonly string[];
  /** Each outcome is told by itself: whoever asks looks for the call at which a process ended. */
  readonly isEach: boolean;
}

/** To a process. The first is `open`, with the engine's code, as it is or packed by Brotli. */
export type ToIsolate = { readonly type: 'open'; readonly wasm: Uint8Array } | Batch;

/**
 * From a process: `ready` once; of a batch all outcomes in order, in as many messages as it takes; `unknown` where it needs the script's text. `hung`
 * names the call that does not end. `alive` comes now and then while a batch is under way.
 */
export type FromIsolate =
  | { readonly type: 'ready' }
  | { readonly type: 'alive' }
  | { readonly type: 'unknown'; readonly number: number }
  | { readonly type: 'outcomes'; readonly number: number; readonly outcomes: readonly Outcome[] }
  | { readonly type: 'hung'; readonly number: number; readonly index: number };
