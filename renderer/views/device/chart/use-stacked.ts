import { useMemo, useState } from 'react';
import type { ChartAddress } from '../../../chart/address.ts';
import { needsMoreAxes, type Measured } from '../../../chart/scale/group-axes.ts';
import { keep, readKept } from '../../../stores/kept.ts';

interface Asked {
  readonly device_id: string;
  readonly keys: readonly string[];
  /** Of each key; null while nothing is known of them. */
  readonly measured: readonly Measured[] | null;
  /** Whether they will stay as they are, but for what comes. */
  readonly isKnown: boolean;
  readonly chart: Pick<ChartAddress, 'stacked'>;
}

/** More plots above one another are for who asks for them. */
const MOST_PLOTS = 8;

const placeOf = (device_id: string) => `stacked ${device_id}`;

/** Remembers how somebody chose to see a device's keys. */
export function rememberStacked(device_id: string, stacked: boolean): void {
  keep(placeOf(device_id), stacked ? '1' : '0');
}

/**
 * Whether each key has a plot of its own: as the address says, else as it was chosen for this device the last time, else
 * where two axes are too few for what the keys are. That is found once for the same keys: the chart does not change its
 * form while records come, or while lines are hidden.
 */
export function useStacked({ device_id, keys, measured, isKnown, chart }: Asked): boolean {
  const [found, setFound] = useState<{ readonly of: string; readonly stacked: boolean } | null>(null);
  const of = JSON.stringify([device_id, keys.toSorted()]);
  const isFound = found?.of === of;
  const first =
    !isFound && measured !== null && keys.length <= MOST_PLOTS && needsMoreAxes(measured) ? true : null;
  if (!isFound && isKnown && measured !== null) setFound({ of, stacked: first ?? false });
  const { stacked } = chart;
  // Read again where the address says nothing any more: the choice may have been made meanwhile.
  const kept = useMemo(
    () => (stacked === undefined ? readKept(placeOf(device_id)) : null),
    [device_id, stacked],
  );
  if (stacked !== undefined) return stacked;
  if (kept !== null) return kept === '1';
  return isFound ? found.stacked : (first ?? false);
}
