import { Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import type { DeviceSummary } from '#shared/operations/metadata/devices.ts';
import type { Device } from '#shared/schema/schemas.ts';
import type { ChartAddress } from '../../../chart/address.ts';
import { Deferred } from '../../../chart/controls/deferred.tsx';
import { Legend } from '../../../chart/controls/legend/legend.tsx';
import { MarksLine } from '../../../chart/controls/legend/marks-line.tsx';
import { MoreKeys } from '../../../chart/controls/legend/more-keys.tsx';
import { movedTo } from '../../../chart/controls/legend/moved-to.ts';
import { readAt } from '../../../chart/controls/legend/readings.ts';
import { useStatistics } from '../../../chart/controls/legend/use-statistics.ts';
import { numbersOf, writerOf } from '../../../chart/controls/legend/writer.ts';
import { useLive } from '../../../chart/live/use-live.ts';
import { StateStrips } from '../../../chart/states/state-strips.tsx';
import { usePlotPlace } from '../../../chart/states/use-plot-place.ts';
import type { FullScreen } from '../../../chart/full-screen/use-full-screen.ts';
import { isBlank } from '../../../chart/draw/line.ts';
import { deviceChart, FIRST_WIDTH } from '../../../chart/load/data.ts';
import type { ChartColors } from '../../../chart/plot/palette.ts';
import { Panes } from '../../../chart/plot/panes.tsx';
import { nameOfKey } from '../../../components/facts/key-words.ts';
import type { Views } from '../../../chart/controls/use-views.ts';
import { isSameSpan, type TimeSpan } from '../../../chart/time/window.ts';
import type { SettingsOf } from '../../../stores/key-settings.ts';
import { ChartMore } from './chart-more.tsx';
import { ChartToolbar } from './chart-toolbar.tsx';
import classes from './chart-panel.module.css';
import { PlotOver } from './plot-over.tsx';
import { Spoken } from './spoken.tsx';
import { spokenText } from './spoken-text.ts';
import { CLOSER, useAhead } from './use-ahead.ts';
import { useAxes } from './use-axes.ts';
import type { ChartChange } from './use-chart-address.ts';
import { useChartKeyboard } from './use-chart-keyboard.ts';
import { useChartLines } from './use-chart-lines.ts';
import { useChartNotes } from './use-chart-notes.ts';
import { useCursor } from './use-cursor.ts';
import { useHiddenLines } from './use-hidden-lines.ts';
import { useSelection } from './use-selection.ts';
import { useSelectionActions } from './use-selection-actions.ts';

interface LiveChartProps {
  readonly project_id: string;
  readonly device: Pick<Device, 'id' | 'name'>;
  /** The keys in the legend, and the look of each one's line (palette.ts). */
  readonly keys: readonly string[];
  readonly looks: readonly number[];
  /** All keys that carry numbers. */
  readonly numeric: readonly string[];
  /** Records of the device: the chart asks anew when there are others. */
  readonly records: number;
  readonly settingsOf: SettingsOf;
  readonly colors: ChartColors;
  readonly chart: ChartAddress;
  readonly change: (change: ChartChange) => void;
  readonly onPick: (keys: readonly string[]) => void;
  readonly views: Views;
  readonly summary: DeviceSummary;
  readonly full: FullScreen;
  /** Why there is nothing to draw; the plot makes room for it. */
  readonly empty: ReactNode;
  /** What is to be known of the records that are drawn. */
  readonly notes: ReactNode;
}

const STEP = 0.2;
const EMPTY_WINDOW: TimeSpan = { from: 0, to: 1 };

/** What has come of the records, drawn at the window that the technician chose; new ones come in on the right. */
export function LiveChart(props: LiveChartProps) {
  const { project_id, device, keys, looks, numeric, records, settingsOf, colors, chart, change, views } =
    props;
  const { full } = props;
  const data = deviceChart.useData();
  const { picture, newest } = data;
  const { window: chosen = null, zone = 'local', hidden: left = [], a, b } = chart;
  const [width, setWidth] = useState(FIRST_WIDTH);
  const [strong, setStrong] = useState<string | null>(null);

  const { from, to } = data.window ?? data.whole ?? EMPTY_WINDOW;
  const window = useMemo(() => ({ from, to }), [from, to]);
  const device_id = device.id;
  const { lines, hidden, drawing, panes } = useChartLines({
    device_id,
    keys,
    looks,
    settingsOf,
    chart,
    data,
    window,
    width,
  });
  const shown = panes.flatMap(({ places }) => places);
  const cursor = useCursor({ picture, newest, shown, window });
  const { instant, readout } = cursor;
  const statistics = useStatistics({
    project_id,
    device_id,
    keys,
    // What is computed of a window that is being left would keep the picture of the next one waiting.
    window: picture && isSameSpan(chosen, data.window) ? window : null,
    version: records,
  });
  // After the statistics: what they give up is given up before the service begins with the picture.
  useEffect(() => deviceChart.look({ window: chosen, width }), [chosen, width]);
  const selection = useSelection({ project_id, device_id, version: records });
  const frame = useRef<HTMLDivElement>(null);
  const act = useSelectionActions({
    project_id,
    device,
    keys: keys.filter((key) => !hidden.has(key)),
    selection,
    views,
    data,
    cursor,
  });
  useAhead({ data, window, selection: selection.selection, cursor });
  const notes = useChartNotes({ project_id, device_id, window, views });
  const axes = useAxes({ panes, chart, change, views, window });
  const live = useLive({
    window: chosen,
    whole: data.whole,
    records,
    onMove: (next) => change({ window: next }),
  });
  const plot = usePlotPlace(frame);

  const marks = useMemo(
    () => [a, b].map((at) => (at === undefined ? null : readAt(picture, at))),
    [picture, a, b],
  );
  const [first, second] = marks;
  const deltas =
    first && second
      ? keys.map((_, line) => {
          const [before, after] = [first[line], second[line]];
          return before && after ? after.value - before.value : null;
        })
      : null;
  const hiding = useHiddenLines({ keys, hidden: left, change });

  const onKeyDown = useChartKeyboard({
    pan: (by) => views.panBy(by * STEP, 'arrows'),
    closer: () => views.zoomBy(CLOSER, instant),
    farther: () => views.zoomBy(1 / CLOSER, instant),
    all: () => views.look(null),
    step(where) {
      const at = cursor.step(where);
      // The window goes along.
      if (at !== null && (at < from || at > to)) views.panBy((at - (from + to) / 2) / (to - from), 'step');
    },
    mark: (name) => readout && change({ [name]: Math.round(readout.from) }),
    nextNote: notes.next,
    follow: live.toggle,
    fullScreen: full.toggle,
    selectMarks: () =>
      a !== undefined && b !== undefined && selection.select({ from: Math.min(a, b), to: Math.max(a, b) }),
    extend: act.extend,
    back: views.back,
    forward: views.forward,
    zoomSelection: selection.selection && act.zoom,
    deleteSelection: selection.selection && act.remove,
    drop: selection.selection ? () => selection.select(null) : instant === null ? null : cursor.drop,
  });

  const names = lines.filter(({ id }) => !hidden.has(id)).map(({ label }) => label);
  const writeOf = writerOf(
    lines.map((line, index) => ({
      line,
      statistics: statistics.get(line.key),
      numbers: numbersOf(data.bounds[index], data.newest[index]),
    })),
    settingsOf,
  );
  const nameOf = (key: string) => nameOfKey(key, settingsOf(device_id, key));
  const isCut = panes.some((pane) => pane.isCut);
  return (
    <>
      <Deferred>
        <ChartToolbar chart={chart} change={change} views={views} seen={picture && window} axes={axes}>
          <ChartMore
            project_id={project_id}
            device={device}
            chart={chart}
            live={live}
            full={full}
            scene={picture && !props.empty ? { lines, hidden, panes, window, writeOf } : null}
            summary={props.summary}
            nameOf={nameOf}
            statistics={statistics}
            notes={notes.all}
          />
        </ChartToolbar>
      </Deferred>
      {props.notes}
      <div
        ref={frame}
        className={classes['chart']}
        role="group"
        aria-label={`Chart of ${names.join(', ')} over time. Arrow keys move, plus and minus zoom, 0 shows everything, comma and full stop go from record to record.`}
        tabIndex={0}
        onKeyDown={onKeyDown}
        style={{ minHeight: panes.length > 1 ? panes.length * 96 + 46 : undefined }}
      >
        {drawing && !props.empty && (
          <div className={classes['plot']}>
            <Panes
              panes={panes}
              window={window}
              colors={colors}
              zone={zone}
              marked={cursor.marked}
              strong={strong}
              onWidth={setWidth}
              onCursor={cursor.point}
              onSelect={(start, end) => {
                act.drag(start, end, width);
                // Enter zooms now, and Esc lets go.
                frame.current?.focus({ preventScroll: true });
              }}
              onPress={() => selection.select(null)}
              onWheel={axes.wheel}
              onBack={axes.doubleClick}
              renderOver={(pane, place) => (
                <PlotOver
                  pane={pane}
                  isFirst={place === 0}
                  isLast={place === panes.length - 1}
                  notes={notes.all}
                  onNote={notes.open}
                  isStacked={panes.length > 1}
                  window={window}
                  zone={zone}
                  colors={colors}
                  settingsOf={settingsOf}
                  cursor={instant}
                  a={a}
                  b={b}
                  strong={strong}
                  selection={selection}
                  actions={act}
                />
              )}
            />
          </div>
        )}
        {isCut && !props.empty && (
          <Group gap={6} className={classes['cut'] ?? ''} role="note" data-testid="chart-cut">
            <IconAlertTriangle size={14} aria-hidden />
            <Text span size="xs">
              Outliers lie beyond the axis (▲▼).
            </Text>
            <Button size="compact-xs" variant="default" onClick={() => change({ y: 'fit' })}>
              Show all
            </Button>
          </Group>
        )}
        {props.empty}
        {drawing &&
          !props.empty &&
          data.state === 'ready' &&
          isBlank(
            panes.flatMap((pane) => pane.drawing),
            window,
          ) && (
            <Text role="status" c="dimmed" className={classes['blank'] ?? ''}>
              These keys have no numbers in this span. Reset shows everything.
            </Text>
          )}
      </div>
      <StateStrips
        project_id={project_id}
        device_id={device_id}
        summary={props.summary}
        window={picture && window}
        place={plot}
        zone={zone}
        colors={colors}
        nameOf={nameOf}
      />
      <Spoken text={cursor.isByKeys && readout ? spokenText(readout, lines, hidden, writeOf, zone) : ''} />
      <Deferred>
        <Legend
          lines={lines}
          hidden={hidden}
          colors={colors}
          zone={zone}
          readout={props.empty ? null : readout}
          isNewest={instant === null}
          deltas={deltas}
          statistics={keys.map((key) => statistics.get(key))}
          writeOf={writeOf}
          head={<MarksLine a={a} b={b} zone={zone} onClear={() => change({ a: null, b: null })} />}
          foot={<MoreKeys keys={numeric} picked={keys} nameOf={nameOf} onPick={props.onPick} />}
          onToggle={hiding.toggle}
          onOnly={hiding.only}
          onFind={setStrong}
          onMove={(id, place) => props.onPick(movedTo(keys, id, place))}
        />
      </Deferred>
    </>
  );
}
