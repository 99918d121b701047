import { formatCount } from '#shared/values/counts.ts';
import { formatMicros } from '#shared/values/time.ts';
import type { CutWindow } from '../../rules/firing.ts';
import { MOST_READINGS } from '../../rules/sliding-window.ts';

/** Says of a `change` that it may have been missed. */
export const cutWords = ({ key, width, at }: CutWindow): string =>
  `In the ${width / 1_000_000} s up to ${formatMicros(at)} there are more than ${formatCount(MOST_READINGS)} readings of "${key}": ` +
  `only the newest ${formatCount(MOST_READINGS)} were compared. A smaller within_s compares all.`;
