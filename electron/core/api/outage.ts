import type { Logger } from '../base/logger.ts';
import { machineClock } from '../base/machine-clock.ts';

/** ms between two counts in the log; an outage without a failure for so long is over. */
const COUNT_MS = 60_000;

interface Failures {
  readonly cause: string;
  readonly id: string;
  /** Since the last count. */
  more: number;
}

/**
 * Outages: thousands of requests fail for one cause, or for the few that one has. The first one is logged whole, under an id that all of them get, and of the
 * others how many they are, once a minute: a stack for each would fill the disk of the service.
 */
export class Outage {
  readonly #log: Logger;
  readonly #newId: () => string;
  readonly #now = new Map<string, Failures>();

  constructor(log: Logger, newId: () => string) {
    this.#log = log;
    this.#newId = newId;
  }

  /** The id of the outage that this failure is part of. */
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

  #countLater(outage: Failures): void {
    machineClock
      .after(COUNT_MS, () => {
        if (outage.more === 0) {
          this.#now.delete(outage.cause);
          return;
        }
        this.#log.warn(`${outage.more} more requests failed so (${outage.id})`);
        outage.more = 0;
        this.#countLater(outage);
      })
      .unref();
  }
}
