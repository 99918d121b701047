import { useCallback, useState } from 'react';
import type { KeyStatistics } from '#shared/operations/records/statistics.ts';
import { statisticsOfDifference } from '../../chart/compare/difference-statistics.ts';
import type { Comparison } from '../../chart/compare/use-comparison.ts';

type OfKeys = ReadonlyMap<string, KeyStatistics>;

interface Figures {
  /** One a line. */
  readonly figures: readonly (KeyStatistics | undefined)[];
  /** Hears what the service says of a device's keys. */
  readonly learn: (device_id: string, found: OfKeys) => void;
}

/** What the lines of a comparison come to in the span that is seen. */
export function useFigures({ lines, differences, window }: Comparison): Figures {
  const [statistics, setStatistics] = useState<ReadonlyMap<string, OfKeys>>(new Map());
  const learn = useCallback(
    (device_id: string, found: OfKeys) => setStatistics((before) => new Map(before).set(device_id, found)),
    [],
  );
  const figures = lines.map(({ line: { key, device_id } }, at) => {
    const difference = differences[at];
    if (difference && window) return statisticsOfDifference(key, difference, window);
    return statistics.get(device_id)?.get(key);
  });
  return { figures, learn };
}
