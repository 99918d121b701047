import { Button, Group } from '@mantine/core';
import { useTimeout } from '@mantine/hooks';
import { useCallback, useEffect, useEffectEvent, useMemo, useState, type PropsWithChildren } from 'react';
import { useOffline } from '../../../bridge/connection.ts';
import type { ChartAddress, ChartChange } from '../../../chart/address.ts';
import { useViews } from '../../../chart/controls/use-views.ts';
import { ChartBox } from '../../../chart/frame/chart-box.tsx';
import { useFullScreen } from '../../../chart/full-screen/use-full-screen.ts';
import { deviceChart } from '../../../chart/load/data.ts';
import type { ChartQuery } from '../../../chart/load/loader.ts';
import { lookOf } from '../../../chart/plot/palette.ts';
import { useChartColors } from '../../../chart/plot/use-chart-colors.ts';
import { useBooleansApart } from '../../../chart/states/use-booleans.ts';
import { ALL, labelOfRange, spanOfRange } from '../../../chart/time/range.ts';
import { viewOf, type ShownView } from '../../../chart/view.ts';
import { Problem } from '../../../components/work/problem.tsx';
import { WorkProgress } from '../../../components/work/work-progress.tsx';
import { countOf, formatCount } from '../../../format.ts';
import type { DeviceDetail } from '../../../stores/devices.ts';
import { useCorrections } from '../../../stores/corrections.ts';
import { useKeySettings } from '../../../stores/key-settings.ts';
import { ChartEmpty } from './empty/chart-empty.tsx';
import { ChartFar } from './chart-far.tsx';
import { whyEmpty } from './empty/empty-reason.ts';
import { LiveChart } from './live-chart.tsx';
import { TextStates } from './text-states.tsx';
import { useChartAddress } from './use-chart-address.ts';
import { rememberKeys, useLegendKeys } from './use-legend-keys.ts';

interface ChartPanelProps {
  readonly project_id: string;
  readonly detail: DeviceDetail;
  /** State in the address. */
  readonly chart: ChartAddress;
  /** View that the summary is of. */
  readonly shown: ShownView;
  readonly onImport: () => void;
}

/** A device's numbers over time: chosen keys and range, how far loading is, and why there may be nothing. */
export function ChartPanel({
  project_id,
  detail: { device, summary: counted },
  chart: told,
  shown,
  onImport,
}: ChartPanelProps) {
  const device_id = device.id;
  const apart = useBooleansApart({ project_id, device_id }, counted);
  const summary = apart ?? counted;
  // Until it is known which of them are states none is drawn.
  const drawn = apart?.keys ?? NO_KEYS;
  const numeric = useMemo(() => drawn.filter((key) => key.numeric > 0).map(({ key }) => key), [drawn]);
  const [chart, address] = useChartAddress({ project_id, device_id, chart: told });
  const { range = ALL, window = null, far: isFarShown = false, hidden } = chart;
  const change = useCallback(
    (part: ChartChange) => {
      // Before it is drawn: what is there already is drawn with it, and not once more behind it.
      const isSameRange = part.range === undefined || (part.range ?? ALL) === range;
      if (part.window !== undefined && isSameRange) deviceChart.glance(part.window);
      address(part);
    },
    [address, range],
  );
  const { state, whole, far, points, total, error } = deviceChart.useData();
  const settingsOf = useKeySettings(project_id);
  const corrections = useCorrections(project_id, device_id);
  const view = viewOf(shown);
  const found = useLegendKeys({ project_id, device_id, view, numeric, picked: chart.keys, settingsOf });
  // As text, so that the same keys do not load twice.
  const question = JSON.stringify(apart && found);
  const keys = useMemo(() => JSON.parse(question) as readonly string[] | null, [question]);
  const [known] = useState(() => new Map<string, number>());
  const looks = useMemo(
    () => lookOf(keys ?? [], numeric, known, (key) => settingsOf(device_id, key)),
    [keys, numeric, known, settingsOf, device_id],
  );
  const colors = useChartColors();
  const full = useFullScreen();
  // The notice above all screens says it, and what was read stays.
  const isAway = useOffline();
  const hasNumbers = summary.records > 0 && numeric.length > 0;
  const load = useEffectEvent((query: ChartQuery) => deviceChart.load(query, summary));
  useEffect(() => {
    if (!hasNumbers || keys === null || keys.length === 0) return;
    const span = spanOfRange(range);
    load({ project_id, device_id, keys, view, far: isFarShown, ...(span !== null && { span }) });
    return () => deviceChart.leave();
  }, [project_id, device_id, keys, view, range, isFarShown, hasNumbers]);
  useEffect(() => deviceChart.follow(summary), [summary]);
  const views = useViews({
    view: { range, window },
    whole,
    onView: useCallback((next) => change({ range: next.range, window: next.window }), [change]),
  });

  const reason = whyEmpty(summary, {
    nothing: state === 'ready' && whole === null,
    range: range === ALL ? null : labelOfRange(range),
    keys: keys?.filter((key) => !hidden?.includes(key)).length ?? 1,
  });
  const empty = reason && (
    <ChartEmpty
      project_id={project_id}
      device_id={device_id}
      reason={reason}
      onImport={onImport}
      onShowAll={() => views.show({ range: ALL, window: null })}
    />
  );
  return (
    <ChartBox
      name="chart"
      state={reason ? 'empty' : state}
      points={reason ? 0 : points}
      full={full}
      progress={!reason && state === 'loading' && <Loading points={points} total={total} />}
    >
      {reason?.kind === 'no-numbers' ? (
        <TextStates
          project_id={project_id}
          device_id={device_id}
          summary={summary}
          through={{ view, revision: corrections.revision }}
          chart={chart}
          colors={colors}
          empty={empty}
        />
      ) : !hasNumbers || keys === null ? (
        empty
      ) : (
        <LiveChart
          project_id={project_id}
          device={device}
          keys={keys}
          looks={looks}
          numeric={numeric}
          records={summary.records}
          shown={shown}
          corrections={corrections}
          settingsOf={settingsOf}
          colors={colors}
          chart={chart}
          change={change}
          onPick={(next) => {
            rememberKeys(device_id, next);
            change({ keys: next, hidden: hidden?.filter((key) => next.includes(key)) ?? null });
          }}
          views={views}
          summary={summary}
          full={full}
          empty={empty}
          notes={
            <>
              {error !== null && !(isAway && points > 0) && (
                <Problem message={error} onRetry={() => deviceChart.reload()} />
              )}
              {far && !reason && (
                <ChartFar
                  far={far}
                  isShown={isFarShown}
                  onShow={(next) => change({ far: next, window: null })}
                />
              )}
            </>
          }
        />
      )}
      {!reason && state === 'cancelled' && <Cancelled points={points} total={total} />}
    </ChartBox>
  );
}

const NO_KEYS: DeviceDetail['summary']['keys'] = [];

interface LoadedProps {
  readonly points: number;
  readonly total: number | null;
}

function Loading({ points, total }: LoadedProps) {
  return (
    <Patiently>
      <WorkProgress
        label="Loading records"
        done={points}
        total={total}
        format={(rows) => formatCount(rows)}
        onCancel={() => deviceChart.cancel()}
      />
    </Patiently>
  );
}

/** Records missing where loading was cancelled. */
function Cancelled({ points, total }: LoadedProps) {
  return (
    <Group gap="sm">
      {total === null
        ? 'Cancelled.'
        : `Cancelled: the newest ${countOf(points, 'record')} of ${formatCount(total)} are shown.`}
      <Button size="compact-sm" variant="default" onClick={() => deviceChart.reload()}>
        Load all
      </Button>
    </Group>
  );
}

const PATIENCE_MS = 300;

/** Shows itself after a while: what goes away before that would only flash. */
function Patiently({ children }: PropsWithChildren) {
  const [isDue, setIsDue] = useState(false);
  useTimeout(() => setIsDue(true), PATIENCE_MS, { autoInvoke: true });
  return isDue && children;
}
