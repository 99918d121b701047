import type { Micros } from '#shared/values/time.ts';
import type { ReadingsQuery, TakeReadings } from '../../store.ts';
import type { ClockMap } from '../corrections/clock-map.ts';
import { CorrectedRows, type StoredSpan } from '../corrections/corrected-rows.ts';
import { DerivedRows } from '../corrections/derived-rows.ts';
import { MergedRows } from '../corrections/merged-rows.ts';
import type { ValueMap } from '../corrections/value-map.ts';
import { Run } from '../query/run.ts';
import type { SortedRows } from '../query/sorted-rows.ts';
import type { Readings } from './block-readings.ts';
import { feedOf, RunFeed, type Feed, type Needed } from './reading-feeds.ts';

/*
 * The readings of a key through corrections. A block that no correction begins or ends in goes on as a whole, its least and its
 * greatest reading as they are corrected: both maps are monotone. Only blocks that an edge cuts are read for it.
 */

/**
 * The sources of a key that is read through corrections, in the order of their arrival. Null where rows have to be put together
 * before anything is said of them: of a derived key, and of sources that overlap under a clock that joins times.
 */
export function correctedFeedsOf(
  sources: readonly SortedRows[],
  query: ReadingsQuery,
): readonly Feed[] | null {
  const feeds: Feed[] = [];
  for (const source of sources.flatMap((each) => partsOf(each, query.key))) {
    if (source.rows === 0) continue;
    if (source instanceof CorrectedRows && source.inner instanceof Run) {
      feeds.push(new CorrectedFeed(source, source.inner, feeds.length, query));
      continue;
    }
    const stored = source instanceof CorrectedRows ? source.inner : source;
    if (stored instanceof MergedRows) return null;
    const feed = feedOf(source, feeds.length, query);
    if (feed !== null) feeds.push(feed);
  }
  return feeds;
}

/** The sources below a derived key that is not asked for. */
const partsOf = (source: SortedRows, key: string): readonly SortedRows[] =>
  source instanceof DerivedRows && !source.derived.has(key) ? source.sources : [source];

/** A stretch of stored time in which readings have one correction. */
interface Piece extends StoredSpan {
  readonly map: ValueMap | null;
}

/** A run of blocks read through corrections, piece by piece. */
class CorrectedFeed implements Feed {
  readonly order: number;
  readonly #clock: ClockMap | null;
  readonly #run: Run;
  readonly #query: ReadingsQuery;
  readonly #pieces: readonly Piece[];
  #next = 0;
  #piece: Piece | null = null;
  #feed: RunFeed | null = null;

  constructor(source: CorrectedRows, run: Run, order: number, query: ReadingsQuery) {
    this.order = order;
    this.#clock = source.clock;
    this.#run = run;
    this.#query = query;
    this.#pieces = piecesOf(source, query);
    this.#toReadings();
  }

  get isOver(): boolean {
    return this.#feed === null;
  }

  get first(): Micros {
    return this.#corrected(this.#feed!.first);
  }

  get last(): Micros {
    return this.#corrected(Math.min(this.#feed!.last, this.#piece!.to));
  }

  get needed(): Needed {
    return this.#feed!.needed;
  }

  take(): Readings {
    const { to, map } = this.#piece!;
    const { times, values, count: all } = this.#feed!.take();
    let count = 0;
    for (; count < all && times[count]! <= to; count++) {
      times[count] = this.#corrected(times[count]!);
      if (map !== null) values[count] = map.of(values[count]!);
    }
    this.#toReadings();
    return { times, values, count };
  }

  skip(into: TakeReadings): boolean {
    if (this.#feed!.last > this.#piece!.to || !this.#feed!.skip(this.#mapped(into))) return false;
    this.#toReadings();
    return true;
  }

  pass(into: TakeReadings): void {
    this.#feed!.pass(this.#mapped(into));
    this.#toReadings();
  }

  #mapped(into: TakeReadings): TakeReadings {
    return new MappedReadings(into, this.#piece!, this.#clock);
  }

  #corrected(stored: Micros): Micros {
    return this.#clock === null ? stored : this.#clock.of(stored);
  }

  /** To the next piece where this one has no readings more. */
  #toReadings(): void {
    while (this.#feed === null || this.#feed.isOver || this.#feed.first > this.#piece!.to) {
      const piece = this.#pieces[this.#next++];
      if (piece === undefined) {
        this.#feed = null;
        return;
      }
      const keys = this.#run.keyTable(this.#query.key);
      if (keys === undefined) continue;
      const { key, range, pause } = this.#query;
      const stored = {
        key,
        range: { start: piece.from, end: range.end },
        pause: storedPause(pause, this.#clock),
      };
      this.#piece = piece;
      this.#feed = new RunFeed(this.#run, keys, this.order, stored);
    }
  }
}

/** The pieces of a source that are not left out, from the beginning of the range on. */
function piecesOf(source: CorrectedRows, { key, range }: ReadingsQuery): readonly Piece[] {
  const { from, to } = source.storedWithin(range.start, Infinity);
  const pieces: Piece[] = [];
  for (const rule of source.rules.between({ from, to })) {
    if (rule.leavesOut(key)) continue;
    const map = rule.maps.get(key) ?? null;
    const piece = { from: Math.max(rule.from, from), to: Math.min(rule.to, to), map };
    const before = pieces.at(-1);
    // What says nothing of this key cuts none of its blocks.
    if (before !== undefined && before.map === map && before.to === rule.from - 1)
      pieces[pieces.length - 1] = { ...piece, from: before.from };
    else pieces.push(piece);
  }
  return pieces;
}

/** Corrected times are rounded to whole µs, and reckoned with doubles: of two of them each may be off by one. */
const ROUNDING = 2;

/** A pause of stored time that is never longer than `pause` of corrected time. */
function storedPause(pause: Micros, clock: ClockMap | null): Micros {
  if (clock === null || !clock.joins) return pause;
  return (pause - ROUNDING) / Math.max(clock.rate, Number.MIN_VALUE);
}

/** Hands on stored readings up to the end of a piece as they are corrected. */
class MappedReadings implements TakeReadings {
  readonly #into: TakeReadings;
  readonly #to: Micros;
  readonly #map: ValueMap | null;
  readonly #clock: ClockMap | null;

  constructor(into: TakeReadings, { to, map }: Piece, clock: ClockMap | null) {
    this.#into = into;
    this.#to = to;
    this.#map = map;
    this.#clock = clock;
  }

  get isOver(): boolean {
    return this.#into.isOver;
  }

  one(time: Micros, value: number): void {
    if (time <= this.#to) this.#into.one(this.#timeOf(time), this.#map?.of(value) ?? value);
  }

  some(first: Micros, last: Micros, least: number, greatest: number): boolean {
    if (last > this.#to) return false;
    const map = this.#map;
    const [a, b] = map === null ? [least, greatest] : [map.of(least), map.of(greatest)];
    const [from, to] = [this.#timeOf(first), this.#timeOf(last)];
    return map?.isFalling === true ? this.#into.some(from, to, b, a) : this.#into.some(from, to, a, b);
  }

  #timeOf(stored: Micros): Micros {
    return this.#clock === null ? stored : this.#clock.of(stored);
  }
}
