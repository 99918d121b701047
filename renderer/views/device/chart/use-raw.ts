import { useEffect, useEffectEvent } from 'react';
import type { ChartAddress } from '../../../chart/address.ts';
import type { Picture } from '../../../chart/draw/picture.ts';
import { createChartSource } from '../../../chart/load/data.ts';
import type { ChartQuery } from '../../../chart/load/loader.ts';
import { useRates } from '../../../chart/rates/use-rates.ts';
import { ALL, spanOfRange } from '../../../chart/time/range.ts';
import { deviceDetail, deviceKey } from '../../../stores/devices.ts';

interface Asked {
  readonly project_id: string;
  readonly device_id: string;
  readonly keys: readonly string[];
  readonly chart: ChartAddress;
  /** Of the plot, in pixels of the screen. */
  readonly width: number;
  /** Nothing is asked of the service else. */
  readonly isShown: boolean;
}

const rawChart = createChartSource();
const NO_KEYS: readonly [] = [];

/** What the keys of a device's chart were stored as, to be drawn behind their corrected lines; null where that is not asked for. */
export function useRaw({ project_id, device_id, keys, chart, width, isShown }: Asked): Picture | null {
  const { range = ALL, far = false, window: chosen = null, rates } = chart;
  const of = deviceKey(project_id, device_id, 'raw');
  const summary = deviceDetail.useEach(isShown ? [of] : NO_KEYS).get(of)?.value?.summary ?? null;
  const stored = rawChart.useData();
  const counted = { project_id, device_id, view: 'raw', version: summary?.records ?? 0 } as const;
  const { data } = useRates(stored, keys, rates, counted);
  const isKnown = isShown && summary !== null && keys.length > 0;
  const load = useEffectEvent((query: ChartQuery) => summary && rawChart.load(query, summary));
  useEffect(() => {
    if (!isKnown) return;
    const span = spanOfRange(range);
    load({ project_id, device_id, keys, view: 'raw', far, ...(span !== null && { span }) });
    return () => rawChart.leave();
  }, [isKnown, project_id, device_id, keys, range, far]);
  useEffect(() => {
    if (isShown && summary) rawChart.follow(summary);
  }, [isShown, summary]);
  useEffect(() => {
    if (isShown) rawChart.look({ window: chosen, width });
  }, [isShown, chosen, width]);
  return isShown ? data.picture : null;
}
