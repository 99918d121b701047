import { countOf } from '#shared/values/counts.ts';
import type { Micros } from '#shared/values/time.ts';
import { quote } from '#shared/values/validate.ts';
import { notSeen, see, type Seen } from '../text/seen.ts';

const DAY_MICROS = 86_400e6;
/** 1970, in which clocks begin that were not set, and the years around it, by which a recording is of that time. */
const BEFORE = Date.UTC(1965, 0) * 1000;
const FROM = Date.UTC(1970, 0) * 1000;
const TO = Date.UTC(1971, 0) * 1000;
const AFTER = Date.UTC(1976, 0) * 1000;

/** The unit in which the place of a time is counted. */
type Unit = 'line' | 'record';

/** That a clock may not have been set, where times of 1970 were seen. */
export const notesOf1970 = (name: string, { first, count }: Seen, unit: Unit): string[] =>
  first
    ? [
        `${quote(name)} holds ${countOf(count, 'time')} of 1970, first ${quote(first.text)} in ${unit} ${first.line}: the clock may not have been set.`,
      ]
    : [];

/** Watches the times of the rows of a file, in their order: what a clock that was set wrong leaves in them. */
export class TimeWatch {
  readonly #latest: Micros;
  readonly #isCounted: boolean;
  readonly #future = notSeen();
  readonly #old = notSeen();
  readonly #back = notSeen();
  #isOfThatTime = false;
  #forward = 0;
  #before = NaN;
  #wallBefore = NaN;

  /** `isCounted`: whether they are numbers since 1970, of which small ones are told as such. */
  constructor(isCounted: boolean, now: Micros) {
    this.#latest = now + DAY_MICROS;
    this.#isCounted = isCounted;
  }

  see(instant: Micros, wall: Micros, text: string, line: number): void {
    this.#count(instant, wall, (seen) => see(seen, text, line));
  }

  /** Whether a time can be counted without its text, of which the first of each kind is told; it is counted then. */
  passes(instant: Micros, wall: Micros): boolean {
    if (this.#isOrdinary(instant, wall)) {
      this.#forward++;
      this.#before = instant;
      this.#wallBefore = wall;
      return true;
    }
    if (!this.mayPass(wall) || (instant < this.#before && !this.#back.first)) return false;
    if (instant > this.#latest && !this.#future.first) return false;
    this.#count(instant, wall, (seen) => void seen.count++);
    return true;
  }

  /** Whether it is later than the one before it, of which nothing is told: most are. */
  #isOrdinary(instant: Micros, wall: Micros): boolean {
    const latest = this.#latest - DAY_MICROS;
    return (
      instant > this.#before &&
      wall >= this.#wallBefore &&
      instant >= AFTER &&
      wall >= AFTER &&
      instant <= latest &&
      wall <= latest
    );
  }

  /** The same before the zone of a time is known; a time that says no may pass all the same. */
  mayPass(wall: Micros): boolean {
    if (wall < this.#wallBefore && !this.#back.first) return false;
    if (wall > this.#latest - DAY_MICROS && !this.#future.first) return false;
    return wall < FROM - DAY_MICROS || wall > TO + DAY_MICROS || this.#isCounted || this.#old.first !== null;
  }

  #count(instant: Micros, wall: Micros, take: (seen: Seen) => void): void {
    if (instant < this.#before) take(this.#back);
    else if (instant > this.#before) this.#forward++;
    if (instant > this.#latest) take(this.#future);
    if (!this.#isCounted && instant >= BEFORE && instant < AFTER) {
      if (instant >= FROM && instant < TO) take(this.#old);
      else this.#isOfThatTime = true;
    }
    this.#before = instant;
    this.#wallBefore = wall;
  }

  /** `zoned`: whether the times say their zone or one was set. */
  notes(name: string, zoned: boolean, unit: Unit = 'line'): string[] {
    const [future, old, back] = [this.#future, this.#old, this.#back];
    const notes: string[] = [];
    if (future.first)
      notes.push(
        `${quote(name)} holds ${countOf(future.count, 'time')} in the future, first ${quote(future.first.text)} in ${unit} ${future.first.line}: the clock may have been set wrong.`,
      );
    if (!this.#isOfThatTime) notes.push(...notesOf1970(name, old, unit));
    // A file may have its newest row first.
    if (back.first && this.#forward > 0)
      notes.push(
        `${quote(name)} goes back ${countOf(back.count, 'time')}, first to ${quote(back.first.text)} in ${unit} ${back.first.line}: the clock may have been set, or rows are of several recordings.${zoned ? '' : ' Where the clock was set back from summer time, say its time zone [zone=…].'}`,
      );
    return notes;
  }
}
