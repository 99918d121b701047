import { useRef, type ReactNode } from 'react';
import type { Rate } from '#shared/domain/rates.ts';
import { NO_SETTINGS } from '#shared/operations/metadata/key-defaults.ts';
import type { DeviceSummary } from '#shared/operations/metadata/devices.ts';
import type { ChartAddress, ChartChange } from '../../../chart/address.ts';
import { Deferred } from '../../../chart/controls/deferred.tsx';
import { MarksLine } from '../../../chart/controls/legend/marks-line.tsx';
import { movedTo } from '../../../chart/controls/legend/moved-to.ts';
import { numbersOf, writerOf } from '../../../chart/controls/legend/writer.ts';
import { isBlank } from '../../../chart/draw/line.ts';
import { ChartFrame } from '../../../chart/frame/chart-frame.tsx';
import { useHiddenLines } from '../../../chart/frame/use-hidden-lines.ts';
import type { FullScreen } from '../../../chart/full-screen/use-full-screen.ts';
import type { ChartColors } from '../../../chart/plot/palette.ts';
import { StateStrips } from '../../../chart/states/state-strips.tsx';
import { usePlotPlace } from '../../../chart/states/use-plot-place.ts';
import type { TimeSpan } from '../../../chart/time/window.ts';
import { messageOf } from '../../../bridge/ask.ts';
import { tableText } from '../../../chart/controls/legend/table-text.ts';
import { nameOfKey } from '../../../components/facts/key-words.ts';
import { sayDone, sayFailed } from '../../../components/work/notices.ts';
import { formatSpan } from '../../../format.ts';
import { MoreKeys } from '../../../chart/controls/legend/more-keys.tsx';
import { ViewLine } from '../corrections/view-line.tsx';
import { KeyMark } from '../corrections/key-mark.tsx';
import { ExcursionStrips } from '../../../chart/states/excursion-strips.tsx';
import { RateMenu } from '../../../chart/rates/rate-menu.tsx';
import { RatesNote } from '../../../chart/rates/rates-note.tsx';
import type { SettingsOf } from '../../../stores/key-settings.ts';
import { ChartMore } from './chart-more.tsx';
import { ChartToolbar } from './chart-toolbar.tsx';
import { PlotNotices } from './plot-notices.tsx';
import { PlotOver } from './plot-over.tsx';
import { Spoken } from './spoken.tsx';
import { spokenText } from './spoken-text.ts';
import { useDeviceChart, type DeviceChartAsked } from './use-device-chart.ts';
import { useDeviceKeyboard } from './use-device-keyboard.ts';

interface LiveChartProps extends DeviceChartAsked {
  /** All keys that carry numbers. */
  readonly numeric: readonly string[];
  readonly colors: ChartColors;
  readonly onPick: (keys: readonly string[]) => void;
  readonly summary: DeviceSummary;
  readonly full: FullScreen;
  /** Why there is nothing to draw; the plot makes room for it. */
  readonly empty: ReactNode;
  /** Notes on the drawn records. */
  readonly notes: ReactNode;
}

/** Live chart: the loaded records in the chosen window; new ones come in on the right. */
export function LiveChart(props: LiveChartProps) {
  const { project_id, device, keys, numeric, settingsOf, colors, chart, change, views, full, empty } = props;
  const { zone = 'local', hidden: left = [], a, b } = chart;
  const { shown, corrections } = props;
  const isCorrected = corrections.list.length > 0;
  const seen = useDeviceChart(props);
  const { data, lines, hidden, drawing, panes, window, cursor, statistics, selection, act, notes } = seen;
  const { axes, rates } = seen;
  const { rates: asked = {} } = chart;
  // What is set of the stored numbers, such as decimals, says nothing of their differences.
  const settingsShown: SettingsOf = (of, key) => (asked[key] ? NO_SETTINGS : settingsOf(of, key));
  const { instant, readout } = cursor;
  const frame = useRef<HTMLDivElement>(null);
  const table = useRef<HTMLTableElement>(null);
  const plot = usePlotPlace(frame);
  const hiding = useHiddenLines({
    ids: keys,
    hidden: left,
    // With the keys, so that the address says what is drawn: an export of the chart, a report and a saved view read it there.
    onHide: (next, all) => change({ hidden: next, keys: all }),
  });
  const onKeyDown = useDeviceKeyboard({ seen, chart, change, views, full });
  const writeOf = writerOf(
    lines.map((line, index) => ({
      line,
      statistics: statistics.get(line.key),
      numbers: numbersOf(data.bounds[index], data.newest[index]),
    })),
    settingsShown,
  );
  const nameOf = (key: string) => nameOfKey(key, settingsOf(device.id, key));
  const isDrawn = drawing !== null && !empty;
  const inSight = data.picture && window;
  const copyFigures = async () => {
    try {
      await navigator.clipboard.writeText(tableText(table.current));
      sayDone('Figures copied', 'Paste them into a sheet: tabs lie between them.');
    } catch (error) {
      sayFailed('Nothing was copied', messageOf(error));
    }
  };
  return (
    <>
      <Deferred>
        <ChartToolbar chart={chart} change={change} views={views} seen={inSight}>
          <ChartMore
            project_id={project_id}
            device={device}
            chart={chart}
            change={change}
            isStacked={seen.isStacked}
            axes={axes}
            onCopy={() => void copyFigures()}
            live={seen.live}
            full={full}
            scene={data.picture && !empty ? { lines, hidden, panes, window, writeOf } : null}
            summary={props.summary}
            nameOf={nameOf}
            statistics={statistics}
            notes={notes.all}
            shown={isCorrected ? shown : null}
          />
        </ChartToolbar>
      </Deferred>
      {isCorrected && (
        <ViewLine project_id={project_id} device_id={device.id} shown={shown} zone={zone} isChosen isDrawn />
      )}
      {props.notes}
      <ChartFrame
        ref={frame}
        names={lines.filter(({ id }) => !hidden.has(id)).map(({ label }) => label)}
        moreKeys=", comma and full stop go from record to record"
        onKeyDown={onKeyDown}
        lines={lines}
        hidden={hidden}
        colors={colors}
        zone={zone}
        panes={panes}
        window={isDrawn ? window : null}
        plot={{
          marked: cursor.marked,
          onWidth: seen.setWidth,
          onCursor: cursor.point,
          onSelect(start, end) {
            act.drag(start, end, seen.width);
            // Enter zooms now, and Esc lets go.
            frame.current?.focus({ preventScroll: true });
          },
          onPress: () => selection.select(null),
          onWheel: axes.wheel,
          onBack: axes.doubleClick,
        }}
        renderOver={(pane, place, strong, top) => (
          <PlotOver
            project_id={project_id}
            device={device}
            shown={shown}
            corrections={corrections.list}
            pane={pane}
            isTop={place === top}
            isLast={place === panes.length - 1}
            notes={notes.all}
            onNote={notes.open}
            isStacked={panes.length > 1}
            window={window}
            zone={zone}
            colors={colors}
            settingsOf={settingsShown}
            cursor={instant}
            a={a}
            b={b}
            strong={strong}
            selection={selection}
            actions={act}
          />
        )}
        over={
          <>
            <PlotNotices
              isCut={!empty && panes.some((pane) => pane.isCut)}
              isBlank={
                isDrawn &&
                data.state === 'ready' &&
                isBlank(
                  panes.flatMap((pane) => pane.drawing),
                  window,
                )
              }
              onShowAll={() => change({ y: 'fit' })}
            />
            {empty}
          </>
        }
        legend={{
          table,
          renderChoice: ({ key }) => (
            <>
              {isCorrected && shown !== 'raw' && (
                <KeyMark project_id={project_id} device_id={device.id} dataKey={key} zone={zone} />
              )}
              <RateMenu
                name={nameOf(key)}
                rate={asked[key] ?? null}
                largest={seen.stored.bounds[keys.indexOf(key)]?.max ?? 0}
                onRate={(rate) => change(withRate(chart, key, rate))}
              />
            </>
          ),
          readout: empty ? null : readout,
          isNewest: instant === null,
          deltas: seen.deltas,
          statistics: keys.map((key) => (seen.ofSelection ?? statistics).get(key)),
          figuresOf: seen.ofSelection && selection.selection ? ofSpan(selection.selection) : null,
          writeOf,
          head: <MarksLine a={a} b={b} zone={zone} onClear={() => change({ a: null, b: null })} />,
          foot: <MoreKeys keys={numeric} picked={keys} nameOf={nameOf} onPick={props.onPick} />,
          ...hiding,
          onMove: (id, place) => props.onPick(movedTo(keys, id, place)),
        }}
      >
        {inSight && (
          <RatesNote
            rates={rates}
            counting={seen.counting}
            records={data.points}
            labelOf={(key) => lines.find((line) => line.key === key)?.label ?? key}
            picture={data.picture}
            window={inSight}
          />
        )}
        <ExcursionStrips
          project_id={project_id}
          device_id={device.id}
          keys={keys.filter((key) => !hidden.has(key))}
          settingsOf={settingsShown}
          version={seen.version}
          view={seen.through.view}
          window={inSight}
          place={plot}
          zone={zone}
          colors={colors}
          nameOf={nameOf}
        />
        <StateStrips
          project_id={project_id}
          device_id={device.id}
          summary={props.summary}
          through={seen.through}
          window={inSight}
          place={plot}
          zone={zone}
          colors={colors}
          nameOf={nameOf}
        />
        <Spoken text={cursor.isByKeys && readout ? spokenText(readout, lines, hidden, writeOf, zone) : ''} />
      </ChartFrame>
    </>
  );
}

/** Shows a key as a difference per time, or as it is stored; axes that were fixed for the other numbers are let go. */
function withRate({ rates = {} }: ChartAddress, key: string, rate: Rate | null): ChartChange {
  const { [key]: _before, ...others } = rates;
  const next = rate ? { ...others, [key]: rate } : others;
  return { rates: Object.keys(next).length > 0 ? next : null, fixed: null };
}

const ofSpan = ({ from, to }: TimeSpan) => `Of the selected ${formatSpan(to - from)}`;
