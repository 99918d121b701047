import type { ErrorMessage } from './error-message.ts';
import type { Frame } from './channel.ts';

/**
 * A kind of work for worker threads: what it is started with, the messages it gets and sends while it runs, and what it
 * comes to. All of them cross as structured clones; a message that is a Uint8Array moves.
 */
export interface TaskKind<Start, In, Out, Result> {
  readonly name: string;
  /**
   * Whether it reads what somebody outside sent, who thereby decides how long it takes. Such tasks keep to themselves: no
   * other task waits in a thread for one of them, nor ends with it.
   */
  readonly foreign?: true;
  /** Never there: it ties the types to the name for both sides. */
  readonly types?: (start: Start, message: In) => readonly [Out, Result];
}

/** Message of the service to a thread; `task` numbers the tasks of the thread. */
export type ToThread = { readonly task: number } & (
  | Frame
  | { readonly type: 'start'; readonly kind: string; readonly start: unknown }
  | { readonly type: 'cancel' }
);

/** Message of a thread to the service. None of a task follows its `done` or `failed`. */
export type FromThread = { readonly task: number } & (
  | Frame
  | { readonly type: 'done'; readonly result: unknown }
  | { readonly type: 'failed'; readonly error: ErrorMessage }
);
