import { useEffect, useMemo, useState } from 'react';
import type { ChartAddress, ChartChange } from '../../../chart/address.ts';
import { useAhead } from '../../../chart/controls/use-ahead.ts';
import { readAt } from '../../../chart/controls/legend/readings.ts';
import { useStatistics, useStatisticsOfSelection } from '../../../chart/controls/legend/use-statistics.ts';
import type { Views } from '../../../chart/controls/use-views.ts';
import type { Picture } from '../../../chart/draw/picture.ts';
import { useRates, useRateStatistics, withRates } from '../../../chart/rates/use-rates.ts';
import { useLive } from '../../../chart/live/use-live.ts';
import { deviceChart, FIRST_WIDTH } from '../../../chart/load/data.ts';
import { isSameSpan, type TimeSpan } from '../../../chart/time/window.ts';
import { versionOf, viewOf, type ShownView, type Through } from '../../../chart/view.ts';
import type { Device } from '#shared/schema/schemas.ts';
import type { Corrections } from '../../../stores/corrections.ts';
import type { SettingsOf } from '../../../stores/key-settings.ts';
import { useSelectionActions } from './selection/use-selection-actions.ts';
import { useSelection } from './selection/use-selection.ts';
import { useAxes } from './use-axes.ts';
import { useBehind } from './use-behind.ts';
import { useChartLines } from './use-chart-lines.ts';
import { useChartNotes } from './use-chart-notes.ts';
import { useCursor } from './use-cursor.ts';

export interface DeviceChartAsked {
  readonly project_id: string;
  readonly device: Pick<Device, 'id' | 'name'>;
  /** The keys in the legend, and the look of each one's line (palette.ts). */
  readonly keys: readonly string[];
  readonly looks: readonly number[];
  /** Records of the device: the chart asks anew when there are others. */
  readonly records: number;
  readonly shown: ShownView;
  readonly corrections: Corrections;
  readonly settingsOf: SettingsOf;
  readonly chart: ChartAddress;
  readonly change: (change: ChartChange) => void;
  readonly views: Views;
}

export type DeviceChart = ReturnType<typeof useDeviceChart>;

const EMPTY_WINDOW: TimeSpan = { from: 0, to: 1 };

/** State of a device's chart over the loaded records, and its actions. */
export function useDeviceChart(asked: DeviceChartAsked) {
  const { project_id, device, keys, looks, records, settingsOf, chart, change, views } = asked;
  const { shown, corrections } = asked;
  const device_id = device.id;
  const stored = deviceChart.useData();
  const through: Through = { view: viewOf(shown), revision: corrections.revision };
  const version = versionOf(records, through.revision);
  const counted = { project_id, device_id, view: through.view, version };
  const { data, rates, counting } = useRates(stored, keys, chart.rates, counted);
  const { picture, newest } = data;
  const { window: chosen = null } = chart;
  const [width, setWidth] = useState(FIRST_WIDTH);
  const { from, to } = data.window ?? data.whole ?? EMPTY_WINDOW;
  const window = useMemo(() => ({ from, to }), [from, to]);
  const behind = useBehind({ project_id, device_id, keys, chart, width, shown, corrections });
  const drawn = useChartLines({ device_id, keys, looks, settingsOf, chart, data, behind, window, width });
  const { hidden, gaps, panes } = drawn;
  const cursor = useCursor({ picture, newest, shown: panes.flatMap(({ places }) => places), window });
  // What is computed of a window that is being left would keep the picture of the next one waiting.
  const measured = picture && isSameSpan(chosen, data.window) ? window : null;
  const ofKeys = { project_id, device_id, keys, view: through.view, version };
  const ofRates = { picture, keys, rates, gaps, asked: chart.rates, of: counted };
  const statistics = withRates(
    useStatistics({ ...ofKeys, window: measured }),
    rates,
    useRateStatistics({ ...ofRates, window: measured }),
  );
  // After the statistics: what they give up is given up before the service begins with the picture.
  useEffect(() => deviceChart.look({ window: chosen, width }), [chosen, width]);
  const selection = useSelection({ project_id, device_id, view: through.view, version });
  const chosenFigures = useStatisticsOfSelection({ ...ofKeys, window: selection.selection });
  const chosenRates = useRateStatistics({ ...ofRates, window: selection.selection });
  const ofSelection = chosenFigures && withRates(chosenFigures, rates, chosenRates);
  const act = useSelectionActions({
    project_id,
    device,
    keys: keys.filter((key) => !hidden.has(key)),
    zone: chart.zone ?? 'local',
    shown,
    corrections: corrections.list,
    selection,
    views,
    data,
    cursor,
  });
  useAhead({
    isReady: data.state === 'ready',
    whole: data.whole,
    window,
    selection: selection.selection,
    instant: cursor.instant,
    isByKeys: cursor.isByKeys,
    expect: (next) => deviceChart.expect(next),
  });
  const notes = useChartNotes({ project_id, device_id, view: through.view, window, views });
  const axes = useAxes({ panes, chart, change, views, window });
  const live = useLive({
    window: chosen,
    whole: data.whole,
    records,
    onMove: (next) => change({ window: next }),
  });
  const deltas = useDeltas(picture, keys, chart);
  return {
    ...drawn,
    data,
    /** As they are stored. */
    stored,
    rates,
    through,
    version,
    counting,
    width,
    setWidth,
    window,
    cursor,
    statistics,
    ofSelection,
    selection,
    act,
    notes,
    axes,
    live,
    deltas,
  };
}

/** From mark A to mark B, one a key; null without both marks. */
function useDeltas(
  picture: Picture | null,
  keys: readonly string[],
  { a, b }: ChartAddress,
): readonly (number | null)[] | null {
  const marks = useMemo(
    () => [a, b].map((at) => (at === undefined ? null : readAt(picture, at))),
    [picture, a, b],
  );
  const [first, second] = marks;
  if (!first || !second) return null;
  return keys.map((_, line) => {
    const [before, after] = [first[line], second[line]];
    return before && after ? after.value - before.value : null;
  });
}
