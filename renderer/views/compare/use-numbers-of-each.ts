import { useBooleansApartOfEach } from '../../chart/states/use-booleans.ts';
import type { Compared } from './compared.ts';

/** What was told before stays the same one, the list, too: what is drawn hangs on it. */
const told = new WeakMap<Compared, Compared>();
const lists = new WeakMap<readonly Compared[], readonly Compared[]>();

/** The devices of which it is known which keys are numbers and which states. `counted` is one list as long as it is the same. */
export function useNumbersOfEach(counted: readonly Compared[]): readonly Compared[] {
  const summaries = useBooleansApartOfEach(counted);
  const now = counted.flatMap((device, index): Compared[] => {
    const summary = summaries[index];
    if (!summary) return [];
    const before = told.get(device);
    const own = before?.summary === summary ? before : { ...device, summary };
    told.set(device, own);
    return [own];
  });
  const before = lists.get(counted);
  if (before?.length === now.length && now.every((each, i) => each === before[i])) return before;
  lists.set(counted, now);
  return now;
}
