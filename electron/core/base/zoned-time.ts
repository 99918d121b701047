import { IANAZone } from 'luxon';
import { formatMicros, type Micros } from '#shared/values/time.ts';

/** Offsets are looked up once for so much time: clocks change at whole quarters of an hour. */
const STRETCH_US = 900_000_000;
const MINUTE_US = 60_000_000;

/** An instant as clocks of a zone show it. */
export interface Zoned {
  /** Wall-clock time, as if it were UTC. */
  wall: Micros;
  /** `+01:00`, whole minutes: where a zone is seconds off, as before 1900, the wall time is that of the offset. */
  offset: string;
}

/** Reads instants in a zone; what it returns is overwritten by the next call. */
export function createZoned(zoneName: string): (instant: Micros) => Zoned {
  const zone = IANAZone.create(zoneName);
  const zoned: Zoned = { wall: 0, offset: '+00:00' };
  let stretch = NaN;
  let minutes = 0;
  return (instant) => {
    const at = Math.floor(instant / STRETCH_US);
    if (at !== stretch) {
      stretch = at;
      minutes = Math.trunc(zone.offset(Math.floor(instant / 1000)));
      zoned.offset = offsetText(minutes);
    }
    zoned.wall = instant + minutes * MINUTE_US;
    return zoned;
  };
}

/** Writes instants as ISO 8601 in a zone, with its offset: `2026-03-02T21:30:21.202946+01:00`. */
export function createZonedText(zoneName: string): (instant: Micros) => string {
  const zoned = createZoned(zoneName);
  return (instant) => {
    const { wall, offset } = zoned(instant);
    return `${formatMicros(wall).slice(0, -1)}${offset}`;
  };
}

/** An offset of so many whole minutes east of UTC, as `+01:00`. */
export function offsetText(minutes: number): string {
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${twoDigits(Math.floor(size / 60))}:${twoDigits(size % 60)}`;
}

const twoDigits = (number: number) => String(number).padStart(2, '0');
