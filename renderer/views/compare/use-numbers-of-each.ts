import { useRef } from 'react';
import { useBooleansApartOfEach } from '../../chart/states/use-booleans.ts';
import type { Compared } from './compared.ts';

/**
 * The devices of which it is known which keys are numbers and which states. One that was told before stays the same one, and
 * so does the list: what is drawn hangs on it.
 */
export function useNumbersOfEach(counted: readonly Compared[]): readonly Compared[] {
  const last = useRef<readonly Compared[]>([]);
  const summaries = useBooleansApartOfEach(counted);
  const now = counted.flatMap((device, index): Compared[] => {
    const summary = summaries[index];
    if (!summary) return [];
    const before = last.current.find(({ device_id }) => device_id === device.device_id);
    return [before?.summary === summary && before.label === device.label ? before : { ...device, summary }];
  });
  const isSame = now.length === last.current.length && now.every((each, i) => each === last.current[i]);
  if (!isSame) last.current = now;
  return last.current;
}
