import { Button, Text } from '@mantine/core';
import { IconZoomReset } from '@tabler/icons-react';
import { useCallback, useState, type KeyboardEvent, type ReactNode } from 'react';
import type { KeyStatistics } from '#shared/operations/records/statistics.ts';
import type { ChartAddress } from '../../chart/address.ts';
import { Deferred } from '../../chart/controls/deferred.tsx';
import { Legend } from '../../chart/controls/legend/legend.tsx';
import { numbersOf, writerOf } from '../../chart/controls/legend/writer.ts';
import { RangeMenu } from '../../chart/controls/range-menu.tsx';
import { ToolbarLine } from '../../chart/controls/toolbar.tsx';
import { useViews } from '../../chart/controls/use-views.ts';
import { askedOf, shiftedBy, type Align } from '../../chart/compare/shift.ts';
import { FullScreenButton } from '../../chart/full-screen/full-screen-button.tsx';
import fullClasses from '../../chart/full-screen/full-screen.module.css';
import { useFullScreen } from '../../chart/full-screen/use-full-screen.ts';
import { FIRST_WIDTH } from '../../chart/load/data.ts';
import { PictureMenu } from '../../chart/picture-file/picture-menu.tsx';
import { legendOf } from '../../chart/picture-file/scene-of.ts';
import { useChartColors } from '../../chart/plot/use-chart-colors.ts';
import { Panes } from '../../chart/plot/panes.tsx';
import { ALL, spanOfRange } from '../../chart/time/range.ts';
import { selected } from '../../chart/time/window.ts';
import { useShortcuts } from '../../components/screen/use-shortcuts.ts';
import { Problem } from '../../components/work/problem.tsx';
import { formatCount } from '../../format.ts';
import type { SettingsOf } from '../../stores/key-settings.ts';
import type { CompareMode } from './compare-address.ts';
import { readLines } from './compare-lines.ts';
import { CompareLacks } from './compare-lacks.tsx';
import { CompareOver } from './compare-over.tsx';
import classes from './compare.module.css';
import type { Compared } from './compared.ts';
import { DeviceSource } from './device-source.tsx';
import { statisticsOfDifference } from './difference-statistics.ts';
import { keysOf, useComparison } from './use-comparison.ts';
import type { ChartChange } from './use-compare-address.ts';

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

const STEP = 0.2;

/** Several devices on one chart, with one cursor and one legend. */
export function CompareChart(props: CompareChartProps) {
  const { devices, keys, mode, align, shifts, chart, settingsOf, onChart, children } = props;
  const { window: chosen = null, range = ALL, zone = 'local', hidden: left = [] } = chart;
  const [width, setWidth] = useState(FIRST_WIDTH);
  const [cursor, setCursor] = useState<number | null>(null);
  const [strong, setStrong] = useState<string | null>(null);
  const [statistics, setStatistics] = useState<ReadonlyMap<string, ReadonlyMap<string, KeyStatistics>>>(
    new Map(),
  );
  const learn = useCallback(
    (device_id: string, found: ReadonlyMap<string, KeyStatistics>) =>
      setStatistics((before) => new Map(before).set(device_id, found)),
    [],
  );
  const colors = useChartColors();
  const comparison = useComparison({ devices, keys, mode, align, shifts, chart, settingsOf, width });
  const { sources, sides, whole, window, lines, differences, hidden, panes } = comparison;
  const views = useViews({
    view: { range, window: chosen },
    whole,
    onView: (view) => onChart({ range: view.range === ALL ? null : view.range, window: view.window }),
  });
  const readout = readLines(sides, lines, differences, cursor);
  const errors = sides.flatMap(({ device, data }) =>
    data.error === null ? [] : `${device.label}: ${data.error}`,
  );
  const toggle = (id: string) =>
    onChart({ hidden: left.includes(id) ? left.filter((one) => one !== id) : [...left, id] });
  const only = (id: string) => {
    const others = lines.map(({ line }) => line.id).filter((one) => one !== id);
    const isAlone = !left.includes(id) && others.every((one) => left.includes(one));
    onChart({ hidden: isAlone ? null : others });
  };
  const steps = new Map([
    ['ArrowLeft', () => views.panBy(-STEP, 'arrows')],
    ['ArrowRight', () => views.panBy(STEP, 'arrows')],
    ['+', () => views.zoomBy(0.5, cursor)],
    ['-', () => views.zoomBy(2, cursor)],
    ['0', () => views.look(null)],
    ['Backspace', () => views.back?.()],
  ]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps.get(event.key);
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    step();
  };
  const full = useFullScreen();
  useShortcuts({ f: full.toggle });
  const shownLines = lines.map(({ line }) => line);
  const figures = lines.map(({ line }, index) => {
    const difference = differences[index];
    if (difference && window) return statisticsOfDifference(line.key, difference, window);
    return statistics.get(line.device_id)?.get(line.key);
  });
  const isTwin = (name: string) => devices.filter((device) => device.name === name).length > 1;
  const writeOf = writerOf(
    lines.map(({ line, side, place, minus }, index) => {
      const { bounds, newest } = sides[side]!.data;
      const numbers = minus ? [] : numbersOf(bounds[place], newest[place]);
      return { line, statistics: figures[index], numbers };
    }),
    settingsOf,
  );
  const sceneOf = () =>
    window && {
      title: devices.map(({ label }) => label).join(mode === 'difference' ? ' − ' : ', '),
      about: aboutOf(devices, { align, shifts }),
      window,
      zone,
      panes,
      strips: [],
      legend: legendOf(shownLines, hidden, figures, writeOf),
      notes: [],
    };
  // What has none of the keys is never asked.
  const drawn = sides.filter(({ keys: own }) => own.length > 0);
  const isLoading = drawn.some(({ data }) => data.state === 'loading');
  const points = drawn.reduce((sum, { data }) => sum + data.points, 0);
  const hasSummaries = mode === 'difference' && sides.some(({ data }) => data.picture?.kind === 'series');
  return (
    <div
      className={`${classes['panel']} ${full.isFull ? fullClasses['full'] : ''}`}
      data-testid="compare"
      data-state={isLoading ? 'loading' : 'ready'}
      data-points={points}
    >
      {devices.map((device, index) => (
        <DeviceSource
          key={device.device_id}
          device={device}
          source={sources[index]!}
          keys={keysOf(device, keys)}
          span={spanOfRange(range)}
          asked={
            chosen &&
            askedOf(shiftedBy(chosen, -(sides[index]?.offset ?? 0)), sides[index]?.data.whole ?? null)
          }
          measured={window && mode !== 'difference' ? shiftedBy(window, -(sides[index]?.offset ?? 0)) : null}
          width={width}
          onStatistics={learn}
        />
      ))}
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
        <PictureMenu
          sceneOf={sceneOf}
          devices={devices.map(({ name, device_id }) => ({ name, id: device_id, isTwin: isTwin(name) }))}
        />
        <FullScreenButton full={full} />
      </ToolbarLine>
      {errors.map((message) => (
        <Problem
          key={message}
          message={message}
          onRetry={() => sources.forEach((source) => source.reload())}
        />
      ))}
      <CompareLacks devices={devices} keys={keys} mode={mode} settingsOf={settingsOf} />
      <div
        className={classes['chart']}
        role="group"
        aria-label={`Chart of ${lines.map(({ line }) => line.label).join(', ')} over time. Arrow keys move, plus and minus zoom, 0 shows everything.`}
        tabIndex={0}
        onKeyDown={onKeyDown}
        style={{ minHeight: panes.length > 1 ? panes.length * 96 + 46 : undefined }}
      >
        {window && whole && panes.length > 0 && (
          <div className={classes['plot']}>
            <Panes
              panes={panes}
              window={window}
              colors={colors}
              zone={zone}
              marked={[]}
              strong={strong}
              onWidth={setWidth}
              onCursor={setCursor}
              onSelect={(start, end) => views.look(selected(start, end, whole))}
              onPress={() => setCursor(null)}
              onWheel={(step) => {
                if (step.kind === 'axis') return false;
                if (step.kind === 'pan') views.panBy(step.share, 'wheel');
                else views.zoomBy(step.factor, window.from + step.place * (window.to - window.from), 'wheel');
                return chosen !== null || (step.kind === 'zoom' && step.factor < 1);
              }}
              onBack={() => (views.back ?? (() => views.look(null)))()}
              renderOver={(pane) => (
                <CompareOver pane={pane} mode={mode} devices={devices} window={window} cursor={cursor} />
              )}
            />
          </div>
        )}
      </div>
      {hasSummaries && (
        <Text role="note" className={classes['note'] ?? ''}>
          Of so many records the difference is taken once for each column of pixels. Zoom in for every record.
        </Text>
      )}
      <Deferred>
        <Legend
          lines={shownLines}
          hidden={hidden}
          colors={colors}
          zone={zone}
          readout={readout}
          isNewest={cursor === null}
          deltas={null}
          statistics={figures}
          writeOf={writeOf}
          foot={<Count points={points} isLoading={isLoading} />}
          onToggle={toggle}
          onOnly={only}
          onFind={setStrong}
        />
      </Deferred>
    </div>
  );
}

function Count({ points, isLoading }: { readonly points: number; readonly isLoading: boolean }) {
  return (
    <Text size="xs" c="dimmed" role="status">
      {isLoading ? 'Loading records…' : `${formatCount(points)} records compared`}
    </Text>
  );
}

/** How the devices' times are moved, for who reads the picture later. */
function aboutOf(
  devices: readonly Compared[],
  { align, shifts }: Pick<CompareChartProps, 'align' | 'shifts'>,
): string {
  const moved = devices.flatMap(({ device_id, label }) => {
    const seconds = shifts[device_id] ?? 0;
    return seconds === 0 ? [] : `${label} ${seconds > 0 ? '+' : '−'}${Math.abs(seconds)} s`;
  });
  return [align === 'start' ? 'Each from its own beginning' : '', ...moved].filter(Boolean).join(' · ');
}
