import type { Excursions } from '#shared/operations/records/excursions.ts';
import { parseInstant } from '#shared/values/time.ts';
import { roughDuration } from '../../components/facts/duration-words.ts';
import { countOf } from '../../format.ts';
import { stripOf, type Paint, type Strip } from './strip.ts';

/* How long a key lay inside its normal range, outside of it, and was not measured, as a strip and in words. */

const WORDS: Readonly<Record<string, { readonly word: string; readonly paint: Paint }>> = {
  inside: { word: 'in range', paint: 'plain' },
  above: { word: 'above', paint: 'warning' },
  below: { word: 'below', paint: 'warning' },
  not_measured: { word: 'not measured', paint: 'hatched' },
};

/** Null where it was not asked for as a picture, or there is nothing of it. */
export function excursionStrip({ key, runs }: Excursions): Strip | null {
  if (runs === null || runs.length === 0) return null;
  const told = runs.map((run) => ({
    ...run,
    value: typeof run.value === 'string' ? (WORDS[run.value]?.word ?? run.value) : null,
  }));
  const strip = stripOf({ key, words: 1, last_time: null, runs: told }, Infinity);
  return strip && { ...strip, paints: strip.words.map(paintOf) };
}

const paintOf = (word: string) => Object.values(WORDS).find((one) => one.word === word)?.paint ?? 'plain';

/** `3 excursions, 1 h 8 min outside · 10 min not measured`; `in range` where that is all there is. */
export function excursionWords(told: Excursions): string {
  const { excursion_count: count, inside_us, outside_us } = told;
  const silence = silenceOf(told);
  const silent = silence > 0 ? `${roughDuration(silence / 1e6)} not measured` : '';
  const length = outside_us === 0 ? 'one reading each' : `${roughDuration(outside_us / 1e6)} outside`;
  const out = count > 0 ? `${countOf(count, 'excursion')}, ${length}` : '';
  const calm = count === 0 && inside_us > 0 ? 'in range' : '';
  return [out, calm, silent].filter(Boolean).join(' · ');
}

/** µs that were not measured, without a beginning or an end of the picture that is too short to be a gap: what comes next may fill it. */
function silenceOf({ runs, longest_gap_us, not_measured_us }: Excursions): number {
  const ends = [...new Set([runs?.at(0), runs?.at(-1)])];
  return ends.reduce((sum, run) => {
    if (run?.value !== 'not_measured') return sum;
    const length = (parseInstant(run.to) ?? 0) - (parseInstant(run.from) ?? 0);
    return length > (longest_gap_us ?? 0) ? sum : sum - length;
  }, not_measured_us);
}

type Times = Pick<Excursions, 'inside_us' | 'outside_us' | 'not_measured_us'>;

/** A part of a span in percent: whole where it is all of it, and nowhere else. */
export function shareOf(part: number, { inside_us, outside_us, not_measured_us }: Times): string {
  const whole = inside_us + outside_us + not_measured_us;
  if (part === whole) return '100 %';
  return `${Math.min(99.9, Math.max(0.1, (part / whole) * 100)).toFixed(1)} %`;
}
