import type { Correction } from '../../shared/domain/corrections.ts';
import type { Lens } from '../../electron/core/store/store.ts';
import { FIRST_TIME } from './data.ts';

const SECOND = 1_000_000;
const DAY = 86_400 * SECOND;
const KEY = 'temperature';

/** The first day's clock an hour ahead of a later one, a probe that reads 0.4 low, and ten bad spans. */
export function lensOf(last: number): Lens {
  const flags = Array.from({ length: 10 }, (_, n): Correction => {
    const from = FIRST_TIME + Math.floor(((last - FIRST_TIME) * (n + 1)) / 12);
    return { kind: 'quality', keys: [KEY], from, to: from + 600 * SECOND, quality: 'fail' };
  });
  const from = FIRST_TIME + 2 * DAY;
  return {
    corrections: [
      {
        kind: 'calibration',
        key: KEY,
        points: [
          [0, 0.4],
          [50, 50.5],
        ],
      },
      ...flags,
      { kind: 'time', from, to: from + DAY, by: { shift: -3600 * SECOND } },
    ],
    formers: [],
  };
}
