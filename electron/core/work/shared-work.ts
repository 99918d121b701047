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
export const ownWork: SharedWork = {
  isShared: false,
  during: (_name, work) => work(),
  unlessUnderWay: (_name, work) => work(),
};
