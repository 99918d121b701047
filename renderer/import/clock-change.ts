import { clockChangeWords } from '#shared/domain/words/clock-change-words.ts';
import type { Doubt, Inspection } from '#shared/operations/records/records.ts';
import { parseInstant, type Micros } from '#shared/values/time.ts';

/** Instants between the first and the last row whose offsets are looked at: a change lasts for months. */
const LOOKS = 64;

/** The offset of a zone at an instant, as it is named: `UTC+02:00`. */
function offsetAt(format: Intl.DateTimeFormat, at: Micros): string {
  const parts = format.formatToParts(at / 1000);
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
  return name === 'GMT' || name === 'GMT+00:00' ? 'UTC' : name.replace('GMT', 'UTC');
}

/** The offsets that clocks of a zone stood at from `first` to `last`, the first one first. */
export function offsetsBetween(zone: string, first: Micros, last: Micros): readonly string[] {
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
  const instants = Array.from({ length: LOOKS + 1 }, (_, at) => first + ((last - first) / LOOKS) * at);
  return [...new Set(instants.map((instant) => offsetAt(format, instant)))];
}

/** Doubts of a file: a change of clocks, whose answers are tried on the whole file, and all others. */
export interface FileDoubts {
  readonly clock: Doubt | null;
  readonly others: readonly Doubt[];
}

const known = new WeakMap<Inspection, { readonly zone: string | undefined; readonly doubts: FileDoubts }>();

/** Returns the doubts of a file as it is read by a zone. An encoding is said with a word of the file; there is nothing to answer. */
export function doubtsOfFile(inspection: Inspection, zone: string | undefined): FileDoubts {
  const before = known.get(inspection);
  if (before && before.zone === zone) return before.doubts;
  const clock = clockChange(inspection, zone);
  const others = inspection.doubts.filter((doubt) => doubt !== clock && doubt.setting !== 'encoding');
  const doubts = { clock, others };
  known.set(inspection, { zone, doubts });
  return doubts;
}

/**
 * Where clocks of the zone changed while a file was written: whether the logger's clock was changed, too, which nothing in
 * the file tells. The service asks it of the rows that it has looked at. Null where the question does not arise.
 */
function clockChange(inspection: Inspection, zone: string | undefined): Doubt | null {
  const { zone_needed: isNeeded, start_needed: isElapsed, doubts } = inspection;
  const [first, last] = [parseInstant(inspection.first ?? ''), parseInstant(inspection.last ?? '')];
  const asked = doubts.find(({ setting }) => setting === 'zone');
  if (asked) return asked.options.length > 1 ? asked : null;
  const isFixed = zone === undefined || /^UTC([+-]|$)/.test(zone);
  if (!isNeeded || isElapsed || isFixed || first === null || last === null) return null;
  const offsets = offsetsBetween(zone, first, last);
  const [before, after] = offsets;
  if (before === undefined || after === undefined) return null;
  return {
    setting: 'zone',
    columns: [],
    options: [zone, ...offsets],
    message: clockChangeWords(zone, before, after),
  };
}
