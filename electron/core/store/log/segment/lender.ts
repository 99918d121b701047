/** Files that a snapshot lends to devices which were restored from it, until each has names of its own for them. */
export class Lender {
  readonly #lent = new Set<SegmentPlace>();
  #whenFree: (() => void) | null = null;

  lend(place: SegmentPlace): void {
    this.#lent.add(place);
  }

  /** Nobody reads it by the snapshot's name any more. */
  giveBack(place: SegmentPlace): void {
    this.#lent.delete(place);
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

/** Where the file of a segment is, and how many use it. */
export class SegmentPlace {
  path: string;
  /** Whether the file is a snapshot's, and none of the device's. */
  isLent: boolean;
  #users = 1;
  /** The snapshot, while somebody may read by its name. */
  #lender: Lender | null;

  constructor(path: string, lender: Lender | null) {
    this.path = path;
    this.isLent = lender !== null;
    this.#lender = lender;
    lender?.lend(this);
  }

  use(): void {
    this.#users++;
  }

  /** Ends one use; returns whether it was the last. */
  free(): boolean {
    this.#users--;
    // Whoever reads on may have the snapshot's name of it.
    if (this.#users === 0 || (this.#users === 1 && !this.isLent)) this.#giveBack();
    return this.#users === 0;
  }

  /** From now on the file is the device's own: the same bytes under another name. */
  own(path: string): void {
    this.path = path;
    this.isLent = false;
    if (this.#users <= 1) this.#giveBack();
  }

  #giveBack(): void {
    this.#lender?.giveBack(this);
    this.#lender = null;
  }
}
