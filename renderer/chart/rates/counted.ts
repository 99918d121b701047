import type { View } from '#shared/domain/corrections.ts';
import type { RatesPicture } from '#shared/bridge/wire.ts';
import type { Rate } from '#shared/domain/rates.ts';
import { useMay } from '../../bridge/distant.ts';
import type { Picture } from '../draw/picture.ts';
import { readRates } from '../load/read.ts';
import type { Question } from '../load/asker.ts';
import { useAsked } from '../load/use-asked.ts';
import type { TimeSpan } from '../time/window.ts';

/* Differences that the service takes, of records that are too many to be at hand. It reads all of them: that takes a while. */

/** The device whose records they are; `version` changes with them. */
export interface CountedOf {
  readonly project_id: string;
  readonly device_id: string;
  readonly view: View;
  readonly version: string;
}

interface Of extends Omit<CountedOf, 'version'> {
  readonly rates: readonly (Rate & { readonly key: string })[];
  readonly width: number;
}

export interface Counting {
  /** What came last of these differences, perhaps of another span; null: nothing. */
  readonly counted: RatesPicture | null;
  /** Whether they are being taken. */
  readonly isUnderWay: boolean;
  /** Why they are not there, in words for people. */
  readonly problem: string | null;
  /** Whether this service takes them at all. */
  readonly isOffered: boolean;
}

/** Differences of the keys that are asked for, in a window of so many pixels; null: none are to be taken. */
export function useCounted(
  { project_id, device_id, view, version }: CountedOf,
  keys: readonly string[],
  asked: Readonly<Record<string, Rate>> | undefined,
  look: { readonly window: TimeSpan; readonly width: number } | null,
): Counting {
  const isOffered = useMay('chart.rates');
  const rates = keys.flatMap((key) => (asked?.[key] ? { key, ...asked[key] } : []));
  const question: Question<Of> | null =
    isOffered && look && rates.length > 0
      ? { of: { project_id, device_id, view, rates, width: look.width }, window: look.window }
      : null;
  const { answer, problem } = useAsked(question, version, read);
  const isOfThem =
    answer?.to.of.device_id === device_id &&
    answer.to.of.view === view &&
    JSON.stringify(answer.to.of.rates) === JSON.stringify(rates);
  return {
    counted: isOfThem ? answer.value : null,
    isUnderWay:
      question !== null && problem === null && JSON.stringify(answer?.to) !== JSON.stringify(question),
    problem,
    isOffered,
  };
}

const read = ({ of, window: { from, to } }: Question<Of>, signal: AbortSignal): Promise<RatesPicture> =>
  readRates({ ...of, start: Math.round(from), end: Math.round(to) }, signal);

/** What a picture is of, where it is one of summarised records. */
export const lookOfSeries = (picture: Picture | null) =>
  picture?.kind === 'series'
    ? {
        window: { from: picture.series.start, to: picture.series.end },
        width: picture.series.width,
      }
    : null;
