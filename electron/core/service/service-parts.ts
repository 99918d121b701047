import type { Backend } from '../backend/backend.ts';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { Host } from '../control/control.ts';
import type { StartIsolate } from '../functions/sandbox/port.ts';
import type { BackendOptions } from './open-backend.ts';

/** Parts of a service beside its Config; all but `host` and `signal` have defaults. */
export interface ServiceParts {
  readonly clock?: Clock;
  readonly log?: Logger;
  /** Host of the service; without one the data directory's socket cannot stop it. */
  readonly host?: Host;
  /** Opens what everything else is built on: the data folder, or a database. */
  readonly open?: (options: BackendOptions) => Promise<Backend>;
  /** Starts processes in which functions of users run; Node's where none is handed in, which Electron has not. */
  readonly startIsolate?: StartIsolate;
  /** When what was deleted is removed for good. */
  readonly sweeping?: { readonly everyMs?: number; readonly freeShare?: () => Promise<number> };
  /** Ends the start where it has to wait; its reason, a StartError, is thrown once all is closed again. */
  readonly signal?: AbortSignal;
}
