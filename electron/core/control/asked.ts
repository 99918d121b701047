import type { Dispatch, Principal } from '../api/call.ts';

/** The service that is asked, once it has started. */
export interface Asked {
  readonly dispatch: Dispatch;
  readonly owner: Principal;
  /** A fresh address of the console; null where there is none. */
  readonly consoleUrl: () => string | null;
}
