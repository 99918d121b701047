/**
 * Leases of work that another service over the same store could take for cut off by a crash, and finish. They save work and
 * are no lock: work done twice ends as done once.
 */
export interface SharedWork {
  /** Whether there may be other services over the same store, which finish what a dead one began. */
  readonly isShared: boolean;
  /** Does it, and says meanwhile that it is under way here. Several may do work of the same name. */
  during<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Does it alone; resolves with null at once where it is said that it is under way. */
  unlessUnderWay<T>(name: string, work: () => Promise<T>): Promise<T | null>;
}

/** Leases of a single service: work found half-done at its start has no worker. */
export interface OwnWork extends SharedWork {
  /** Does it while nothing is done `during`; what is to be waits until it has ended. */
  alone<T>(work: () => Promise<T>): Promise<T>;
}

export function createOwnWork(): OwnWork {
  const under = { way: 0 };
  /** Called when nothing is done any more. */
  let whenIdle = Promise.withResolvers<void>();
  /** Work that is alone. */
  const alone: { now: Promise<unknown> | null } = { now: null };
  return {
    isShared: false,
    async during(_name, work) {
      // Work within work has begun before: nothing is alone then.
      while (alone.now !== null) await alone.now;
      under.way++;
      try {
        return await work();
      } finally {
        if (--under.way === 0) {
          whenIdle.resolve();
          whenIdle = Promise.withResolvers();
        }
      }
    },
    unlessUnderWay: (_name, work) => work(),
    async alone(work) {
      while (under.way > 0 || alone.now !== null) await (alone.now ?? whenIdle.promise);
      const done = work();
      alone.now = done.catch(() => undefined).finally(() => (alone.now = null));
      return done;
    },
  };
}
