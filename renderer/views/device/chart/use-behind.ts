import { useEffect, useEffectEvent } from 'react';
import { LEFT_OUT } from '#shared/domain/corrections.ts';
import type { ChartAddress } from '../../../chart/address.ts';
import type { Picture } from '../../../chart/draw/picture.ts';
import { createChartSource } from '../../../chart/load/data.ts';
import type { ChartQuery } from '../../../chart/load/loader.ts';
import { useRates } from '../../../chart/rates/use-rates.ts';
import { ALL, spanOfRange } from '../../../chart/time/range.ts';
import { versionOf, type ShownView } from '../../../chart/view.ts';
import type { Corrections } from '../../../stores/corrections.ts';
import { deviceDetail, deviceKey } from '../../../stores/devices.ts';

interface Asked {
  readonly project_id: string;
  readonly device_id: string;
  readonly keys: readonly string[];
  readonly chart: ChartAddress;
  /** Of the plot, in pixels of the screen. */
  readonly width: number;
  readonly shown: ShownView;
  readonly corrections: Corrections;
}

/** What is drawn pale behind the lines. */
export interface Behind {
  readonly picture: Picture;
  /** `stored`: all as it was stored; `flagged`: corrected, with what is left out as bad or a test. */
  readonly what: 'stored' | 'flagged';
}

const source = createChartSource();
const NO_KEYS: readonly [] = [];

/** What is drawn pale behind a device's lines: in both views what was stored, in the corrected one what is flagged; null for nothing. */
export function useBehind(asked: Asked): Behind | null {
  const { project_id, device_id, keys, chart, width, shown, corrections } = asked;
  const { range = ALL, far = false, window: chosen = null, rates } = chart;
  const what = whatOf(shown, corrections, keys);
  const view = what === 'flagged' ? 'corrected' : 'raw';
  const of = deviceKey(project_id, device_id, view);
  const summary = deviceDetail.useEach(what ? [of] : NO_KEYS).get(of)?.value?.summary ?? null;
  const stored = source.useData();
  // Of a summary that is not known there is no picture, and nothing to count.
  const version = versionOf(summary?.records ?? 0, corrections.revision);
  const counted = { project_id, device_id, view, version } as const;
  const { data } = useRates(stored, keys, rates, counted);
  const isKnown = what !== null && summary !== null && keys.length > 0;
  const load = useEffectEvent((query: ChartQuery) => summary && source.load(query, summary));
  useEffect(() => {
    if (!isKnown) return;
    const span = spanOfRange(range);
    const flagged = view === 'corrected' ? ({ flagged: 'keep' } as const) : {};
    load({ project_id, device_id, keys, view, ...flagged, far, ...(span !== null && { span }) });
    return () => source.leave();
  }, [isKnown, project_id, device_id, keys, view, range, far]);
  useEffect(() => {
    if (what && summary) source.follow(summary);
  }, [what, summary]);
  useEffect(() => {
    if (what) source.look({ window: chosen, width });
  }, [what, chosen, width]);
  return what && data.picture ? { picture: data.picture, what } : null;
}

function whatOf(shown: ShownView, { list }: Corrections, keys: readonly string[]): Behind['what'] | null {
  if (shown === 'both') return 'stored';
  if (shown === 'raw') return null;
  const isFlagged = list.some(
    ({ quality, keys: own }) =>
      quality !== undefined && LEFT_OUT.has(quality) && (own?.some((key) => keys.includes(key)) ?? true),
  );
  return isFlagged ? 'flagged' : null;
}
