import { useMemo } from 'react';
import type { ChartAddress } from '../address.ts';
import type { Difference } from './difference.ts';
import { offsetsOf, wholeOf, type Align } from './shift.ts';
import type { ChartSource } from '../load/data.ts';
import { numbersIn } from '../scale/outliers.ts';
import { panesOf, type Pane } from '../scale/panes.ts';
import type { TimeSpan } from '../time/window.ts';
import type { SettingsOf } from '../../stores/key-settings.ts';
import type { CompareMode } from './modes.ts';
import {
  comparedLines,
  differencesOf,
  drawLines,
  windowOf,
  type ComparedLine,
  type Side,
} from './compare-lines.ts';
import type { Compared } from './compared.ts';
import { useData, useSources, type Pace } from './use-sources.ts';

interface Shown {
  readonly devices: readonly Compared[];
  readonly keys: readonly string[];
  readonly mode: CompareMode;
  readonly align: Align;
  /** Seconds, by device. */
  readonly shifts: Readonly<Record<string, number>>;
  readonly chart: ChartAddress;
  readonly settingsOf: SettingsOf;
  /** Of the plot, in pixels of the screen. */
  readonly width: number;
  /** Has what comes drawn when its turn has come; absent: at once. The same one each time. */
  readonly pace?: Pace;
}

export interface Comparison {
  readonly sources: readonly ChartSource[];
  readonly sides: readonly Side[];
  /** All that there is to see, and what is seen; null while nothing has come. */
  readonly whole: TimeSpan | null;
  readonly window: TimeSpan | null;
  readonly lines: readonly ComparedLine[];
  readonly differences: readonly (Difference | null)[];
  readonly hidden: ReadonlySet<string>;
  readonly panes: readonly Pane[];
  /** Has each device's part of a window read that will probably be looked at next. */
  readonly expect: (window: TimeSpan) => void;
  /** Shows each device's part of a window at once, where nothing has to be asked for it; null is all. */
  readonly glance: (window: TimeSpan | null) => void;
}

/** The data of all devices under one clock, and the plots of it. */
export function useComparison(shown: Shown): Comparison {
  const { devices, keys, mode, align, shifts, chart, settingsOf, width, pace } = shown;
  const sources = useSources(devices.map(({ device_id }) => device_id));
  const asked = useMemo(
    () => sources.filter((_, index) => keysOf(devices[index]!, keys).length > 0),
    [sources, devices, keys],
  );
  const data = useData(sources, asked, pace);
  const sides = useMemo(() => {
    const offsets = offsetsOf(
      devices.map(({ device_id }, index) => ({
        whole: data[index]?.whole ?? null,
        shift: Math.round((shifts[device_id] ?? 0) * 1e6),
      })),
      align,
    );
    return devices.flatMap((device, index): Side[] => {
      const own = data[index];
      return own ? [{ device, data: own, keys: keysOf(device, keys), offset: offsets[index] ?? 0 }] : [];
    });
  }, [devices, data, keys, align, shifts]);
  const whole = useSpan(
    wholeOf(
      sides.map((side) => side.data),
      sides.map(({ offset }) => offset),
    ),
  );
  const window = useSpan(chart.window ?? whole);
  const isDifference = mode === 'difference';
  const lines = useMemo(
    () => comparedLines(sides, keys, isDifference, settingsOf),
    [sides, keys, isDifference, settingsOf],
  );
  const differences = useMemo(
    () => (window && isDifference ? differencesOf(sides, lines, window) : []),
    [sides, lines, window, isDifference],
  );
  const { hidden: left, y, fixed } = chart;
  const hidden = useMemo(() => new Set(left), [left]);
  const panes = useMemo(() => {
    if (!window) return [];
    const isStacked = mode === 'stacked';
    const found = panesOf({
      // A pane is a device's; in any other mode all lines are in one.
      lines: lines.map(({ line }) => (isStacked ? { ...line, key: line.device_id } : line)),
      drawing: drawLines(sides, lines, differences, window, width),
      hidden,
      isStacked,
      mode: y ?? (isDifference ? 'zero' : 'auto'),
      fixed: fixed ?? {},
      numbersOf(place) {
        const { side = 0, place: column = 0 } = lines[place] ?? {};
        const of = sides[side];
        if (!of?.data.picture || isDifference) return new Float64Array();
        const own = { from: window.from - of.offset, to: window.to - of.offset };
        return numbersIn(of.data.picture, column, own);
      },
    });
    return isStacked && keys.length === 1 ? alike(found) : found;
  }, [sides, lines, differences, window, width, hidden, mode, isDifference, y, fixed, keys.length]);
  const expect = (next: TimeSpan) =>
    sides.forEach((side, index) => {
      const own = windowOf(side, next);
      if (own) sources[index]?.expect(own);
    });
  const glance = (next: TimeSpan | null) =>
    sides.forEach((side, index) => sources[index]?.glance(next && windowOf(side, next)));
  return { sources, sides, whole, window, lines, differences, hidden, panes, expect, glance };
}

/** The same span for as long as its ends are the same. */
function useSpan(span: TimeSpan | null): TimeSpan | null {
  const [from, to] = [span?.from ?? null, span?.to ?? null];
  return useMemo(() => (from === null || to === null ? null : { from, to }), [from, to]);
}

/** The keys that a device has numbers of, of those that are meant. */
export function keysOf({ summary, only }: Compared, keys: readonly string[]): readonly string[] {
  const own = only ? keys.filter((key) => only.includes(key)) : keys;
  return own.filter((key) => summary.keys.some((one) => one.key === key && one.numeric > 0));
}

/** Panes of one key reach over the same values: what is higher in one is higher in all. */
function alike(panes: readonly Pane[]): readonly Pane[] {
  const spans = panes.flatMap(({ ranges }) => (ranges.left ? [ranges.left] : []));
  if (spans.length === 0) return panes;
  const left = [Math.min(...spans.map(([low]) => low)), Math.max(...spans.map(([, high]) => high))] as const;
  return panes.map((pane) => ({ ...pane, ranges: { left } }));
}
