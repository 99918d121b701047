import { Text } from '@mantine/core';
import { memo, useMemo, useState } from 'react';
import { readLines, windowOf, type Side } from '../../../chart/compare/compare-lines.ts';
import type { Compared } from '../../../chart/compare/compared.ts';
import { DeviceSource } from '../../../chart/compare/device-source.tsx';
import { keysOf, useComparison } from '../../../chart/compare/use-comparison.ts';
import { numbersOf, writerOf } from '../../../chart/controls/legend/writer.ts';
import { LineSwatch } from '../../../chart/controls/line-swatch.tsx';
import { usePlotWidth } from '../../../chart/frame/use-plot-width.ts';
import type { ChartSource } from '../../../chart/load/data.ts';
import { Panes } from '../../../chart/plot/panes.tsx';
import { Marks } from '../../../chart/plot/overlay/marks.tsx';
import { useChartColors } from '../../../chart/plot/use-chart-colors.ts';
import { spanOfRange } from '../../../chart/time/range.ts';
import { selected, type TimeSpan } from '../../../chart/time/window.ts';
import { Loading } from '../../../components/work/loading.tsx';
import { Problem } from '../../../components/work/problem.tsx';
import { useLive, usePace } from '../live/dashboard-live.ts';
import { grown } from './grown.ts';
import { useDevicesOf } from './live-summary.ts';
import type { WidgetViewProps } from './widget-view.ts';
import classes from './widget.module.css';

/** Keys of devices over time, as the comparison draws them. */
export function ChartWidget(props: WidgetViewProps) {
  const { project_id, sources } = props;
  const { devices, isKnown, error } = useDevicesOf(project_id, sources);
  const keys = useMemo(() => [...new Set(sources.map(({ key }) => key))], [sources]);
  const hasNumbers = devices.some((device) => keysOf(device, keys).length > 0);
  return (
    <>
      {error !== null && <Problem message={error} />}
      {!isKnown && error === null && <Loading h={60} label="Loading the devices" />}
      {isKnown && !hasNumbers && devices.length > 0 && (
        <Text size="sm" c="dimmed">
          No numbers of {keys.length === 1 ? 'this key' : 'these keys'} are stored yet.
        </Text>
      )}
      {isKnown && hasNumbers && <Lines {...props} devices={devices} keys={keys} />}
    </>
  );
}

interface LinesProps extends WidgetViewProps {
  readonly devices: readonly Compared[];
  readonly keys: readonly string[];
}

const NO_SHIFTS = {};
const NOTHING_MARKED: readonly null[] = [];

/** Drawn anew by what comes for its own lines alone. */
const Lines = memo(function Lines({ devices, keys, span, zone, settingsOf, onLook }: LinesProps) {
  const { frame, width, setWidth } = usePlotWidth();
  const [cursor, setCursor] = useState<number | null>(null);
  const colors = useChartColors();
  const pace = usePace();
  const chart = useMemo(() => ({ range: span.range, ...(span.window && { window: span.window }) }), [span]);
  const comparison = useComparison({
    devices,
    keys,
    mode: 'overlay',
    align: 'time',
    shifts: NO_SHIFTS,
    chart,
    settingsOf,
    width,
    pace,
  });
  const { sources, sides, whole, window, lines, panes } = comparison;
  const drawn = sides.filter(({ keys: own }) => own.length > 0);
  const isLoading = drawn.some(({ data }) => data.state === 'loading');
  const errors = [...new Set(drawn.flatMap(({ data }) => data.error ?? []))];
  const points = drawn.reduce((sum, { data }) => sum + data.points, 0);
  const writeOf = writerOf(
    lines.map(({ line, side, place }) => {
      const { bounds, newest } = sides[side]!.data;
      return { line, statistics: undefined, numbers: numbersOf(bounds[place], newest[place]) };
    }),
    settingsOf,
  );
  const readout = readLines(sides, lines, [], cursor);
  const names = lines.map(({ line }) => line.label).join(', ');
  return (
    <div
      className={classes['chart']}
      data-testid="widget-chart"
      data-state={isLoading ? 'loading' : 'ready'}
      data-points={points}
    >
      {(width > 0 ? devices : []).map((device, index) => (
        <LiveDevice
          key={device.device_id}
          device={device}
          source={sources[index]!}
          keys={keys}
          span={spanOfRange(span.range)}
          {...spanAsked(span.window, sides[index])}
          width={width}
        />
      ))}
      {errors.map((message) => (
        <Problem
          key={message}
          message={message}
          onRetry={() => sources.forEach((source) => source.reload())}
        />
      ))}
      <div ref={frame} className={classes['plot']} role="img" aria-label={`Chart of ${names} over time`}>
        {window && whole && panes.length > 0 && (
          <Panes
            panes={panes}
            window={window}
            colors={colors}
            zone={zone}
            marked={NOTHING_MARKED}
            strong={null}
            onWidth={setWidth}
            onCursor={setCursor}
            onSelect={(from, to) => onLook?.(selected(from, to, whole))}
            onPress={() => setCursor(null)}
            onWheel={() => false}
            onBack={() => onLook?.(null)}
            renderOver={() => <Marks window={window} cursor={cursor} />}
          />
        )}
        {!isLoading && errors.length === 0 && points === 0 && (
          <Text size="sm" c="dimmed">
            Nothing was stored in this span.
          </Text>
        )}
      </div>
      <ul className={classes['legend']} aria-label="Lines">
        {lines.map(({ line }, index) => {
          const numbers = readout?.values[index]?.numbers ?? [];
          const write = writeOf(line);
          const value = numbers.map((number) => write(number)).join(' – ');
          return (
            <li key={line.id}>
              <LineSwatch look={line.look} colors={colors} />
              <span className={classes['name']} dir="auto" title={line.label}>
                {line.label}
              </span>
              <span className={classes['number']}>
                {value}
                {value !== '' && line.unit !== '' && `\u00A0${line.unit}`}
              </span>
            </li>
          );
        })}
      </ul>
    </div>
  );
});

interface LiveDeviceProps {
  readonly device: Compared;
  readonly source: ChartSource;
  readonly keys: readonly string[];
  readonly span: number | null;
  /** Span of the device's own time that is looked at; both null: all of it. */
  readonly from: number | null;
  readonly to: number | null;
  readonly width: number;
}

/** Returns the span that a device is asked for of a window. */
function spanAsked(window: TimeSpan | null, side: Side | undefined): Pick<LiveDeviceProps, 'from' | 'to'> {
  const asked = window && side ? windowOf(side, window) : window;
  return { from: asked?.from ?? null, to: asked?.to ?? null };
}

const untold = () => undefined;

/** Keeps a device's lines loaded, by what is known of it in its turn. Draws nothing, and is not looked at again with each picture. */
const LiveDevice = memo(function LiveDevice(props: LiveDeviceProps) {
  const { device, source, keys, span, from, to, width } = props;
  const { device_id, only = [] } = device;
  const [key = ''] = only;
  const [live] = useLive(useMemo(() => [{ device_id, key }], [device_id, key]));
  const found = live?.device ?? null;
  const now = useMemo(() => ({ ...device, summary: grown(device.summary, found) }), [device, found]);
  const asked = useMemo(() => (from === null || to === null ? null : { from, to }), [from, to]);
  return (
    <DeviceSource
      device={now}
      source={source}
      keys={keysOf(device, keys)}
      span={span}
      asked={asked}
      measured={null}
      width={width}
      onStatistics={untold}
    />
  );
});
