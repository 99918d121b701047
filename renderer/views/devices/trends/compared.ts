import type { Comparison, Deviation } from './comparison.ts';
import { compareDays, type DayDeviation } from './like-spans.ts';
import { commonScale, type Scale } from './scale.ts';
import type { Level } from './trends.ts';

/** How devices are beside one another, by a key. */
export interface Compared {
  /** Null: too few to be compared, or not read yet. */
  readonly by: Comparison | null;
  /** Of the devices that are compared. */
  readonly deviations: ReadonlyMap<string, DayDeviation>;
  /** How many are unlike the others. */
  readonly unlike: number;
  /** The lowest and the highest; none without any. */
  readonly ends: readonly Deviation[];
  /** The scale of all curves; null while nothing is known. */
  readonly scale: Scale | null;
  /** Devices that are still to be read. */
  readonly left: number;
  /** Whether all were read. */
  readonly isKnown: boolean;
}

export const NOT_COMPARED: Compared = {
  by: null,
  deviations: new Map(),
  unlike: 0,
  ends: [],
  scale: null,
  left: 0,
  isKnown: false,
};

/** Compares all of these levels. */
export function compareAll(levels: ReadonlyMap<string, Level>): Compared {
  const { by, measure } = compareDays(levels);
  const deviations = new Map<string, DayDeviation>();
  let [low, high]: (Deviation | null)[] = [null, null];
  let unlike = 0;
  for (const [id, level] of levels) {
    const deviation = measure(level);
    if (!deviation) continue;
    deviations.set(id, deviation);
    if (deviation.isUnlike) unlike++;
    if (!low || deviation.difference < low.difference) low = deviation;
    if (!high || deviation.difference > high.difference) high = deviation;
  }
  const scaled = [...levels].map(([id, level]) => ({
    ...level,
    isUnlike: deviations.get(id)?.isUnlike ?? false,
  }));
  return {
    by,
    deviations,
    unlike,
    ends: low && high ? [low, high] : [],
    scale: commonScale(scaled),
    left: 0,
    isKnown: true,
  };
}
