import type { Segment } from './segment.ts';

/** Files that a snapshot lends to devices which were restored from it, until each has names of its own for them. */
export class Lender {
  readonly #lent = new Set<Segment>();
  #whenFree: (() => void) | null = null;

  lend(segment: Segment): void {
    this.#lent.add(segment);
  }

  /** Nobody reads the segment by the snapshot's name any more. */
  giveBack(segment: Segment): void {
    this.#lent.delete(segment);
    if (this.isFree) this.#whenFree?.();
  }

  get isFree(): boolean {
    return this.#lent.size === 0;
  }

  /** Calls it once nobody reads by the snapshot's names, at once where that is so. */
  whenFree(then: () => void): void {
    if (this.isFree) then();
    else this.#whenFree = then;
  }
}
