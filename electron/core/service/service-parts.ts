import type { Backend } from '../backend/backend.ts';
import type { Chance } from '../base/chance.ts';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { Host } from '../control/control.ts';
import type { BackendOptions } from './open-backend.ts';

/** What a service is started with beside its Config; all but `host` and `signal` have a usual one. */
export interface ServiceParts {
  readonly clock?: Clock;
  readonly chance?: Chance;
  readonly log?: Logger;
  /** What runs the service; without one nobody can stop it by the data directory's socket. */
  readonly host?: Host;
  /** Opens what everything else is built on: the data folder, or a database. */
  readonly open?: (options: BackendOptions) => Promise<Backend>;
  /** When what was deleted is removed for good. */
  readonly sweeping?: { readonly everyMs?: number; readonly freeShare?: () => Promise<number> };
  /** Ends the start where it has to wait; its reason, a StartError, is thrown once all is closed again. */
  readonly signal?: AbortSignal;
}
