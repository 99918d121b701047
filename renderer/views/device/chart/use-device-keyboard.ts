import type { ChartAddress, ChartChange } from '../../../chart/address.ts';
import { CLOSER } from '../../../chart/controls/use-ahead.ts';
import type { Views } from '../../../chart/controls/use-views.ts';
import { PAN_STEP, useChartKeyboard } from '../../../chart/frame/use-chart-keyboard.ts';
import type { FullScreen } from '../../../chart/full-screen/use-full-screen.ts';
import type { DeviceChart } from './use-device-chart.ts';

interface Asked {
  readonly seen: DeviceChart;
  readonly chart: ChartAddress;
  readonly change: (change: ChartChange) => void;
  readonly views: Views;
  readonly full: FullScreen;
}

/** The keys of a device's chart; what is returned is for its frame. */
export function useDeviceKeyboard({ seen, chart: { a, b }, change, views, full }: Asked) {
  const { window, cursor, selection, act, notes, live } = seen;
  const { from, to } = window;
  const { instant, readout } = cursor;
  return useChartKeyboard({
    pan: (by) => views.panBy(by * PAN_STEP, 'arrows'),
    closer: () => views.zoomBy(CLOSER, instant),
    farther: () => views.zoomBy(1 / CLOSER, instant),
    all: () => views.look(null),
    fullScreen: full.toggle,
    back: views.back,
    forward: views.forward,
    ofDevice: {
      step(where) {
        const at = cursor.step(where);
        // The window goes along.
        if (at !== null && (at < from || at > to)) views.panBy((at - (from + to) / 2) / (to - from), 'step');
      },
      mark: (name) => readout && change({ [name]: Math.round(readout.from) }),
      nextNote: notes.next,
      follow: live.toggle,
      selectMarks: () =>
        a !== undefined && b !== undefined && selection.select({ from: Math.min(a, b), to: Math.max(a, b) }),
      extend: act.extend,
      zoomSelection: selection.selection && act.zoom,
      correctSelection: selection.selection ? act.correct : [],
      deleteSelection: selection.selection && act.remove,
      drop: selection.selection ? () => selection.select(null) : instant === null ? null : cursor.drop,
    },
  });
}
