import { FixedOffsetZone, IANAZone } from 'luxon';
import { badRequest } from '../../base/errors.ts';
import type { Micros } from '#shared/values/time.ts';
import { fileZoneRule } from '#shared/operations/records/records.ts';
import { quote } from '#shared/values/validate.ts';

const DAY_MS = 86_400_000;

/** Turns wall-clock times of one recording into instants, in the order in which they were written. */
export interface LocalTime {
  /** `wall` is µs since 1970 as the clock on the wall showed it. */
  toInstant(wall: Micros): Micros;
  /** Times so far that lie in an hour that clocks skipped; each was moved forward by it. */
  readonly skipped: number;
  /** Times so far that lie in an hour that clocks went through twice. */
  readonly repeated: number;
  /** The offsets around the first change of clocks near one of the times; null where there was none so far. */
  readonly change: readonly [before: string, after: string] | null;
}

/** An offset that holds all year: "UTC+02:00", "UTC-3", "+05:30". */
const OFFSET = /^(?:UTC|GMT)?([+-])(\d{1,2})(?::?([0-5]\d))?$/i;
/** No clock is further from UTC. */
const MOST_OFFSET = 14 * 60;

/** Throws a 400 Refusal on a zone that is neither in the IANA database nor an offset. */
function zoneOf(name: string): IANAZone | FixedOffsetZone {
  const [, sign, hours = '', minutes = '0'] = OFFSET.exec(name) ?? [];
  const offset = Number(hours) * 60 + Number(minutes);
  if (sign !== undefined && offset <= MOST_OFFSET)
    return FixedOffsetZone.instance(sign === '-' ? -offset : offset);
  if (sign === undefined && IANAZone.isValidZone(name)) return IANAZone.create(name);
  throw badRequest(`zone ${fileZoneRule}, got ${quote(name)}`);
}

const two = (number: number) => String(number).padStart(2, '0');

/** An offset in ms as the zone that has it all year. */
function nameOf(offsetMs: number): string {
  const minutes = Math.abs(Math.round(offsetMs / 60_000));
  return `UTC${offsetMs < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** Throws a 400 Refusal on a zone that is none. */
export function createLocalTime(zoneName: string): LocalTime {
  const zone = zoneOf(zoneName);
  // Rounded, because zones before about 1900 are seconds off whole minutes.
  const offsetAt = (utcMs: number) => Math.round(zone.offset(utcMs) * 60) * 1000;

  /** The offsets around a day, by its wall date; equal ones on all days but those near a clock change. */
  let known: { readonly day: number; readonly before: number; readonly after: number } | null = null;
  const offsetsAround = (day: number) => {
    if (known?.day !== day)
      known = { day, before: offsetAt((day - 1) * DAY_MS), after: offsetAt((day + 2) * DAY_MS) };
    return known;
  };

  let skipped = 0;
  let change: LocalTime['change'] = null;
  let repeated = 0;
  let previous: number | null = null;
  /** Whether two rows had one time outside of repeated hours, so that it may be so within them. */
  let doubled = false;
  /** Inside a repeated hour: which pass the recording is in, whether it runs backward in time, and its step into it. */
  let pass: { readonly second: boolean; readonly backward: boolean; readonly step: number } | null = null;

  function toInstantMs(wallMs: number): number {
    const { before, after } = offsetsAround(Math.floor(wallMs / DAY_MS));
    if (before === after) {
      pass = null;
      return wallMs - before;
    }
    change ??= [nameOf(before), nameOf(after)];
    const asBefore = wallMs - before;
    const asAfter = wallMs - after;
    const beforeHolds = offsetAt(asBefore) === before;
    const afterHolds = offsetAt(asAfter) === after;
    if (beforeHolds && afterHolds) {
      repeated++;
      pass = passOf(wallMs, before - after);
      return pass.second ? asAfter : asBefore;
    }
    pass = null;
    if (!beforeHolds && !afterHolds) skipped++;
    // In a skipped hour the old offset still counts, which moves the time forward by as much as was skipped (RFC 5545, 3.3.5).
    return afterHolds ? asAfter : asBefore;
  }

  /**
   * Which pass through a repeated hour a time belongs to: the first until the recording steps back, the second from
   * then on. A recording written newest first enters by the second pass and steps forward into the first. Of one with a row
   * an hour, which has each time once, the same time again is the other pass.
   */
  function passOf(wallMs: number, repeatedMs: number) {
    if (previous === null) return { second: false, backward: false, step: 0 };
    if (pass === null) {
      const backward = previous > wallMs;
      return { second: backward, backward, step: Math.abs(wallMs - previous) };
    }
    const { second, backward, step } = pass;
    const other = wallMs === previous && !doubled && step >= repeatedMs;
    if (backward) return { ...pass, second: second && wallMs <= previous && !other };
    return { ...pass, second: second || wallMs < previous || other };
  }

  return {
    toInstant(wall) {
      const wallMs = Math.floor(wall / 1000);
      const instant = toInstantMs(wallMs) * 1000 + (wall - wallMs * 1000);
      if (pass === null && wallMs === previous) doubled = true;
      previous = wallMs;
      return instant;
    },
    get change() {
      return change;
    },
    get skipped() {
      return skipped;
    },
    get repeated() {
      return repeated;
    },
  };
}
