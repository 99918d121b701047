import { Button, Text } from '@mantine/core';
import { IconZoomReset } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import type { ChartAddress, ChartChange } from '../../chart/address.ts';
import { shiftedBy, type Align } from '../../chart/compare/shift.ts';
import { Deferred } from '../../chart/controls/deferred.tsx';
import { numbersOf, writerOf } from '../../chart/controls/legend/writer.ts';
import { RangeMenu } from '../../chart/controls/range-menu.tsx';
import { ToolbarLine } from '../../chart/controls/toolbar.tsx';
import { CLOSER, useAhead } from '../../chart/controls/use-ahead.ts';
import { stepBack, turnWheel, useViews } from '../../chart/controls/use-views.ts';
import { ChartBox } from '../../chart/frame/chart-box.tsx';
import { ChartFrame } from '../../chart/frame/chart-frame.tsx';
import { PAN_STEP, useChartKeyboard } from '../../chart/frame/use-chart-keyboard.ts';
import { useHiddenLines } from '../../chart/frame/use-hidden-lines.ts';
import { usePlotWidth } from '../../chart/frame/use-plot-width.ts';
import { useFullScreen } from '../../chart/full-screen/use-full-screen.ts';
import { useChartColors } from '../../chart/plot/use-chart-colors.ts';
import { ALL, spanOfRange } from '../../chart/time/range.ts';
import { selected } from '../../chart/time/window.ts';
import { Problem } from '../../components/work/problem.tsx';
import { formatCount } from '../../format.ts';
import type { SettingsOf } from '../../stores/key-settings.ts';
import type { CompareMode } from '../../chart/compare/modes.ts';
import { CompareLacks } from './compare-lacks.tsx';
import { readLines, windowOf } from '../../chart/compare/compare-lines.ts';
import { CompareMore } from './compare-more.tsx';
import { CompareOver } from './compare-over.tsx';
import classes from './compare.module.css';
import type { Compared } from '../../chart/compare/compared.ts';
import { DeviceSource } from '../../chart/compare/device-source.tsx';
import { keysOf, useComparison } from '../../chart/compare/use-comparison.ts';
import { useFigures } from './use-figures.ts';

interface CompareChartProps {
  readonly devices: readonly Compared[];
  readonly keys: readonly string[];
  readonly mode: CompareMode;
  readonly align: Align;
  /** Seconds, by device. */
  readonly shifts: Readonly<Record<string, number>>;
  readonly chart: ChartAddress;
  readonly settingsOf: SettingsOf;
  readonly onChart: (change: ChartChange) => void;
  /** What stands beside the range. */
  readonly children: ReactNode;
}

/** Several devices on one chart, with one cursor and one legend. */
export function CompareChart(props: CompareChartProps) {
  const { devices, keys, mode, align, shifts, chart, settingsOf, onChart, children } = props;
  const { window: chosen = null, range = ALL, zone = 'local', hidden: left = [] } = chart;
  const { frame, width, setWidth } = usePlotWidth();
  const [cursor, setCursor] = useState<number | null>(null);
  const colors = useChartColors();
  const comparison = useComparison({ devices, keys, mode, align, shifts, chart, settingsOf, width });
  const { sources, sides, whole, window, lines: compared, differences, hidden, panes } = comparison;
  const { figures, learn } = useFigures(comparison);
  const views = useViews({
    view: { range, window: chosen },
    whole,
    onView(view) {
      // Before it is drawn: what is there already is drawn with it, and not once more behind it.
      if (view.range === range) comparison.glance(view.window);
      onChart({ range: view.range === ALL ? null : view.range, window: view.window });
    },
  });
  const full = useFullScreen();
  const onKeyDown = useChartKeyboard({
    pan: (by) => views.panBy(by * PAN_STEP, 'arrows'),
    closer: () => views.zoomBy(CLOSER, cursor),
    farther: () => views.zoomBy(1 / CLOSER, cursor),
    all: () => views.look(null),
    fullScreen: full.toggle,
    back: views.back,
    forward: views.forward,
  });
  const lines = compared.map(({ line }) => line);
  const hiding = useHiddenLines({
    ids: lines.map(({ id }) => id),
    hidden: left,
    onHide: (next) => onChart({ hidden: next }),
  });
  const errors = sides.flatMap(({ device, data }) =>
    data.error === null ? [] : `${device.label}: ${data.error}`,
  );
  const writeOf = writerOf(
    compared.map(({ line, side, place, minus }, index) => {
      const { bounds, newest } = sides[side]!.data;
      const numbers = minus ? [] : numbersOf(bounds[place], newest[place]);
      return { line, statistics: figures[index], numbers };
    }),
    settingsOf,
  );
  // What has none of the keys is never asked.
  const drawn = sides.filter(({ keys: own }) => own.length > 0);
  const isLoading = drawn.some(({ data }) => data.state === 'loading');
  const points = drawn.reduce((sum, { data }) => sum + data.points, 0);
  useAhead({ isReady: !isLoading, whole, window, instant: cursor, expect: comparison.expect });
  const hasSummaries = mode === 'difference' && sides.some(({ data }) => data.picture?.kind === 'series');
  return (
    <ChartBox name="compare" state={isLoading ? 'loading' : 'ready'} points={points} full={full}>
      {(width > 0 ? devices : []).map((device, index) => (
        <DeviceSource
          key={device.device_id}
          device={device}
          source={sources[index]!}
          keys={keysOf(device, keys)}
          span={spanOfRange(range)}
          asked={chosen && windowOf(sides[index]!, chosen)}
          measured={window && mode !== 'difference' ? shiftedBy(window, -sides[index]!.offset) : null}
          width={width}
          onStatistics={learn}
        />
      ))}
      <Deferred>
        <ToolbarLine>
          {children}
          <RangeMenu
            view={{ range, window: chosen }}
            seen={window}
            zone={zone}
            onView={(view) => views.show(view)}
            onZone={(next) => onChart({ zone: next === 'utc' ? next : null })}
          />
          <Button
            variant="default"
            leftSection={<IconZoomReset size={16} />}
            title="All of the range (0)"
            data-spare
            {...(chosen === null && { 'data-disabled': true, 'aria-disabled': true })}
            onClick={() => views.look(null)}
          >
            Reset
          </Button>
          <CompareMore
            devices={devices}
            mode={mode}
            align={align}
            shifts={shifts}
            zone={zone}
            full={full}
            window={window}
            panes={panes}
            lines={lines}
            hidden={hidden}
            figures={figures}
            writeOf={writeOf}
          />
        </ToolbarLine>
      </Deferred>
      {errors.map((message) => (
        <Problem
          key={message}
          message={message}
          onRetry={() => sources.forEach((source) => source.reload())}
        />
      ))}
      <CompareLacks devices={devices} keys={keys} mode={mode} settingsOf={settingsOf} />
      <ChartFrame
        ref={frame}
        names={lines.map(({ label }) => label)}
        onKeyDown={onKeyDown}
        lines={lines}
        hidden={hidden}
        colors={colors}
        zone={zone}
        panes={panes}
        window={whole && panes.length > 0 ? window : null}
        plot={{
          marked: NOTHING_MARKED,
          onWidth: setWidth,
          onCursor: setCursor,
          onSelect: (start, end) => whole && views.look(selected(start, end, whole)),
          onPress: () => setCursor(null),
          onWheel: (step) =>
            window !== null &&
            step.kind !== 'axis' &&
            turnWheel(step, { views, window, isChosen: chosen !== null }),
          onBack: () => stepBack(views),
        }}
        renderOver={(pane) =>
          window && <CompareOver pane={pane} mode={mode} devices={devices} window={window} cursor={cursor} />
        }
        legend={{
          readout: readLines(sides, compared, differences, cursor),
          isNewest: cursor === null,
          deltas: null,
          statistics: figures,
          writeOf,
          foot: <Count points={points} isLoading={isLoading} />,
          ...hiding,
        }}
      >
        {hasSummaries && (
          <Text role="note" className={classes['note'] ?? ''}>
            Of so many records the difference is taken once for each column of pixels. Zoom in for every
            record.
          </Text>
        )}
      </ChartFrame>
    </ChartBox>
  );
}

const NOTHING_MARKED: readonly null[] = [];

function Count({ points, isLoading }: { readonly points: number; readonly isLoading: boolean }) {
  return (
    <Text size="xs" c="dimmed" role="status">
      {isLoading ? 'Loading records…' : `${formatCount(points)} records compared`}
    </Text>
  );
}
