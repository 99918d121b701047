import { parseInstant, type Micros } from '#shared/values/time.ts';
import { countOf, formatCount, formatSpan } from '../format.ts';
import type { Tried } from './use-tried.ts';

/* Words about trials of rules. */

export type TriedFiring = Tried[number]['firings'][number] & { readonly device_id: string };

/** `Would have fired 14 times in the last 30 days`; by tag also on how many of its devices. */
export function triedWords(found: Tried, days: number, isOfTag: boolean): string {
  const count = found.reduce((sum, one) => sum + one.count, 0);
  const span = `in the last ${days} days`;
  if (isOfTag && found.length === 0) return 'No device has this tag.';
  if (count === 0)
    return isOfTag
      ? `Would not have fired on any of ${countOf(found.length, 'device')} ${span}.`
      : `Would not have fired ${span}.`;
  const times = count === 1 ? 'once' : `${formatCount(count)} times`;
  const fired = found.filter((one) => one.count > 0).length;
  const where = isOfTag ? ` on ${formatCount(fired)} of ${countOf(found.length, 'device')}` : '';
  return `Would have fired ${times}${where} ${span}.`;
}

/** Why a trial may say less than is meant; null where nothing is amiss. */
export function triedProblem(found: Tried): string | null {
  const problems = found.flatMap(({ problem }) => problem ?? []);
  const [first = null] = problems;
  return first === null || found.length === 1 ? first : `${countOf(problems.length, 'device')}: ${first}`;
}

/** Firings of all devices, the newest first. */
export function triedFirings(found: Tried): readonly TriedFiring[] {
  return found
    .flatMap(({ device_id, firings }) => firings.map((firing) => ({ ...firing, device_id })))
    .toSorted((a, b) => (parseInstant(b.start) ?? 0) - (parseInstant(a.start) ?? 0));
}

/** How long it held: `28 min`, `for 2 h so far`. */
export function lastedWords({ start, end }: Pick<TriedFiring, 'start' | 'end'>, now: Micros): string {
  const from = parseInstant(start) ?? now;
  const length = spanWords(Math.max(0, (end === null ? now : (parseInstant(end) ?? from)) - from));
  return end === null ? `holds for ${length} by now` : length;
}

/** `30 min`, without seconds or minutes that are none. */
const spanWords = (micros: number) => formatSpan(micros).replace(/ 0 (s|min)$/, '');
