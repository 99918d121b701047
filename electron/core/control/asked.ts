import type { Dispatch, Principal } from '../api/call.ts';
import type { EventBus } from '../base/event-bus.ts';

/** The service that is asked, once it has started. */
export interface Asked {
  readonly dispatch: Dispatch;
  readonly owner: Principal;
  /** Events of the service. */
  readonly events: EventBus;
  /** A fresh address of the console; null where there is none. Rejects with StoreError. */
  readonly consoleUrl: () => Promise<string | null>;
}
