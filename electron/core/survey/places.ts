import type { Micros } from '#shared/values/time.ts';

/** A stretch of records of one kind, both ends included. */
export interface Place {
  readonly start: Micros;
  readonly end: Micros;
  readonly records: number;
}

export interface Found {
  readonly records: number;
  readonly places: number;
  readonly list: readonly Place[];
}

/** Records that follow one another are one place; the first places are kept, all are counted. */
export class FirstPlaces {
  readonly #most: number;
  readonly #list: Place[] = [];
  #places = 0;
  #records = 0;
  #open: { start: Micros; end: Micros; records: number } | null = null;

  constructor(most: number) {
    this.#most = most;
  }

  /** A record that belongs to the place which is open, or begins one. */
  add(time: Micros): void {
    this.#records++;
    if (this.#open) {
      this.#open.end = time;
      this.#open.records++;
    } else this.#open = { start: time, end: time, records: 1 };
  }

  /** A place of its own: an instant with so many records, some of which count. */
  addAt(time: Micros, records: number, counted: number): void {
    this.#records += counted;
    this.#push({ start: time, end: time, records });
  }

  /** A place of its own, all of whose records belong to it. */
  addSpan(place: Place): void {
    this.#records += place.records;
    this.#push(place);
  }

  /** A record of another kind ends the place which is open. */
  part(): void {
    if (!this.#open) return;
    this.#push(this.#open);
    this.#open = null;
  }

  end(): Found {
    this.part();
    return { records: this.#records, places: this.#places, list: this.#list };
  }

  #push(place: Place): void {
    if (++this.#places <= this.#most) this.#list.push(place);
  }
}

/** Silences: the longest are kept, all are counted. */
export class LongestPlaces {
  readonly #most: number;
  #list: Place[] = [];
  #places = 0;

  constructor(most: number) {
    this.#most = most;
  }

  add(start: Micros, end: Micros): void {
    this.#places++;
    this.#list.push({ start, end, records: 0 });
    // Sorted now and then, so that each costs little and no more than twice as many are held.
    if (this.#list.length > 2 * this.#most + 64) this.#cut();
  }

  end(): Found {
    this.#cut();
    return { records: 0, places: this.#places, list: this.#list };
  }

  #cut(): void {
    this.#list = this.#list
      .toSorted((a, b) => b.end - b.start - (a.end - a.start) || a.start - b.start)
      .slice(0, this.#most);
  }
}
