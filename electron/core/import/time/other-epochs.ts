import type { TimeKind } from '#shared/operations/records/records.ts';
import type { Micros } from '#shared/values/time.ts';
import type { EpochUnit } from './time-format.ts';

/* Numbers that are read as times since 1970 and may count from another day. */

/** Days that programs and devices count from, other than 1970: time servers, LabVIEW, GPS, databases, Apple's. */
const EPOCHS = ['1900-01-01', '1904-01-01', '1980-01-06', '2000-01-01', '2001-01-01'] as const;
const GPS = '1980-01-06';
/** Days that steps of 100 ns are counted from, by Windows and .NET: ms since 1970. */
const STEPS = [
  ['1601-01-01', Date.UTC(1601, 0)],
  ['0001-01-01', Date.parse('0001-01-01')],
] as const;
const STEPS_A_MS = 10_000;

const A_MS: Record<EpochUnit, number> = { s: 1e-3, ms: 1, µs: 1e3, ns: 1e6 };
const ELAPSED: Partial<Record<EpochUnit, TimeKind>> = { s: 'elapsed-s', ms: 'elapsed-ms' };

/** Recordings are of these years, up to the next one. */
const FROM_MS = Date.UTC(2000, 0);
const YEAR_MS = 366 * 86_400_000;
const LAST_DATE_MS = 8.64e15;

export interface OtherEpochs {
  /** The day that such a number is of since 1970, and the days that it would be of since others. */
  readonly read: string;
  readonly since: readonly { readonly epoch: string; readonly day: string }[];
  /** The same for steps of 100 ns, which no time_kind reads. */
  readonly steps: { readonly epoch: string; readonly day: string } | null;
  /** The time_kind by which numbers of that unit are read from any day on, with `started`. */
  readonly kind: TimeKind | undefined;
}

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/**
 * What else a number may be that is read as a time since 1970: null where that makes it one of this century and not of the
 * future, unless its column is called after GPS, whose seconds count from 1980.
 */
export function otherEpochs(
  number: number,
  unit: EpochUnit,
  { name, now }: { readonly name: string; readonly now: Micros },
): OtherEpochs | null {
  const isLikely = (at: number) => at >= FROM_MS && at < now / 1000 + YEAR_MS;
  const ms = number / A_MS[unit];
  const isOfGps = /gps/i.test(name) && !/utc|unix|epoch/i.test(name);
  // What no calendar has is no time at all.
  if ((isLikely(ms) && !isOfGps) || Math.abs(ms) > LAST_DATE_MS) return null;
  const steps = unit === 'ns' ? STEPS.find(([, from]) => isLikely(from + number / STEPS_A_MS)) : undefined;
  const epochs = isLikely(ms) ? [GPS] : steps ? [] : EPOCHS;
  const since = epochs
    .map((epoch) => ({ epoch, ms: Date.parse(epoch) + ms }))
    .filter((other) => isLikely(other.ms))
    .map((other) => ({ epoch: other.epoch, day: dayOf(other.ms) }));
  return {
    read: dayOf(ms),
    since,
    steps: steps ? { epoch: steps[0], day: dayOf(steps[1] + number / STEPS_A_MS) } : null,
    kind: since.length > 0 ? ELAPSED[unit] : undefined,
  };
}
