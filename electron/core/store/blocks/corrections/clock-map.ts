import type { ClockCorrection } from '#shared/domain/corrections.ts';
import type { Micros } from '#shared/values/time.ts';

/** A correction of a clock as a function of stored times, in whole µs; it never falls. */
export interface ClockMap {
  /** Whether two stored times may have one corrected time: by a slow clock, or by rounding to whole µs. */
  readonly joins: boolean;
  /** µs of corrected time that pass in one of stored time. */
  readonly rate: number;
  of(stored: Micros): Micros;
  /** A stored time whose corrected one is about this; whole µs. */
  about(corrected: Micros): Micros;
}

export function clockMapOf({ by }: Pick<ClockCorrection, 'by'>): ClockMap {
  if ('shift' in by) {
    const { shift } = by;
    return { joins: false, rate: 1, of: (stored) => stored + shift, about: (corrected) => corrected - shift };
  }
  const [[raw, from], [rawEnd, to]] = by.at;
  const rate = (to - from) / (rawEnd - raw);
  return {
    joins: true,
    rate,
    of: (stored) => Math.round(from + (stored - raw) * rate),
    about: (corrected) => Math.round(raw + (corrected - from) / rate),
  };
}

/** Returns the first stored time of [from, to] whose corrected time is at least `time`; `to` + 1 where none is. */
export function firstStored(
  map: ClockMap,
  time: Micros,
  { from, to }: { readonly from: Micros; readonly to: Micros },
): Micros {
  let low = from;
  let high = to + 1;
  // Galloping search from the estimate: steps grow, and the rest between two is bisected.
  let next = Math.min(Math.max(map.about(time), from), to);
  for (let step = 1; low < high; step *= 4) {
    const at = next >= low && next < high ? next : low + Math.floor((high - low) / 2);
    if (map.of(at) < time) {
      low = at + 1;
      next = at + step;
    } else {
      high = at;
      next = at - step;
    }
  }
  return low;
}
