import { useEffect, useEffectEvent, useState } from 'react';
import { useStore } from 'zustand';
import type { View } from '#shared/domain/corrections.ts';
import type { DeviceSummary } from '#shared/operations/metadata/devices.ts';
import type { ChartAddress } from '../../../chart/address.ts';
import { createChartSource } from '../../../chart/load/data.ts';
import { timeOf, type ChartData } from '../../../chart/load/loader.ts';
import { ALL, spanOfRange } from '../../../chart/time/range.ts';
import type { TimeSpan } from '../../../chart/time/window.ts';

interface Asked {
  readonly project_id: string;
  readonly device_id: string;
  readonly summary: DeviceSummary;
  readonly view: View;
  readonly keys: readonly string[];
  readonly chart: ChartAddress;
  /** Of the plot, in pixels. */
  readonly width: number;
}

interface ReportChart {
  readonly data: ChartData;
  /** Span of the report; null while that is not known, or for an empty one. It stands still from then on. */
  readonly span: TimeSpan | null;
  readonly retry: () => void;
}

/** The chart's data as they were when the report was opened; later records and corrections are left out. */
export function useReportChart(asked: Asked): ReportChart {
  const { project_id, device_id, summary, view, keys, chart, width } = asked;
  const [source] = useState(() => createChartSource({ isStill: true }));
  const data = useStore(source.useData);
  const { range = ALL, far = false, window = null } = chart;
  const [found, setFound] = useState<TimeSpan | null>(window);
  const last = spanOfRange(range);
  const query = { project_id, device_id, keys, view, far, ...(last !== null && { span: last }) };
  const isKnown = keys.length === 0 || data.state === 'ready';
  const next = isKnown ? (data.whole ?? timeOf(query, summary)) : null;
  if (found === null && next !== null) setFound(next);

  const question = JSON.stringify(keys);
  const load = useEffectEvent((drawn: readonly string[]) => source.load({ ...query, keys: drawn }, summary));
  useEffect(() => {
    const drawn = JSON.parse(question) as readonly string[];
    if (drawn.length > 0) load(drawn);
    return () => source.leave();
  }, [source, question]);
  useEffect(() => source.look({ window: found, width }), [source, found, width]);
  return { data, span: found, retry: () => source.reload() };
}
