import type { Logger } from '../base/logger.ts';
import { machineClock } from '../base/machine-clock.ts';

/** ms between two counts in the log; a cause without a failure for so long is over. */
const COUNT_MS = 60_000;

interface Failures {
  readonly cause: string;
  readonly id: string;
  /** Since the last count. */
  more: number;
}

/**
 * Outages: thousands of requests fail for one cause, or for the few that one outage has. The first failure of a cause is logged
 * whole, under an id that all of them get, and of the others how many they are, once a minute: a stack for each would fill
 * the disk of the service.
 */
export class Outages {
  readonly #log: Logger;
  readonly #newId: () => string;
  readonly #now = new Map<string, Failures>();

  constructor(log: Logger, newId: () => string) {
    this.#log = log;
    this.#newId = newId;
  }

  /** Returns the id of the failures that this one is part of. */
  idOf(action: string, error: Error): string {
    const { message: cause } = error;
    const now = this.#now.get(cause);
    if (now) {
      now.more++;
      return now.id;
    }
    const begun: Failures = { cause, id: this.#newId(), more: 0 };
    this.#now.set(cause, begun);
    this.#log.error(`${action} failed (${begun.id})`, error);
    this.#countLater(begun);
    return begun.id;
  }

  #countLater(failures: Failures): void {
    machineClock
      .after(COUNT_MS, () => {
        if (failures.more === 0) {
          this.#now.delete(failures.cause);
          return;
        }
        this.#log.warn(`${failures.more} more requests failed so (${failures.id})`);
        failures.more = 0;
        this.#countLater(failures);
      })
      .unref();
  }
}
