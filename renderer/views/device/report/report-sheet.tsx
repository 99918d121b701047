import { useMemo, useState } from 'react';
import type { ChartAddress } from '../../../chart/address.ts';
import { lookOf } from '../../../chart/plot/palette.ts';
import { viewOf } from '../../../chart/view.ts';
import { Problem } from '../../../components/work/problem.tsx';
import type { DeviceDetail } from '../../../stores/devices.ts';
import type { SettingsOf } from '../../../stores/key-settings.ts';
import { nowMicros } from '../../../time.ts';
import { useChartLines } from '../chart/use-chart-lines.ts';
import { ReportBody } from './report-body.tsx';
import { ReportHead } from './report-head.tsx';
import classes from './report.module.css';
import { useReportChart } from './use-report-chart.ts';
import { Loading } from '../../../components/work/loading.tsx';

interface ReportSheetProps {
  readonly project_id: string;
  readonly detail: DeviceDetail;
  readonly chart: ChartAddress;
  readonly keys: readonly string[];
  readonly numeric: readonly string[];
  readonly settingsOf: SettingsOf;
  /** Author, as typed. */
  readonly by: string;
  /** Called when all of it is drawn, or not yet. */
  readonly onReady: (isReady: boolean) => void;
}

/** Pixels of the plot: as wide as a page has room for at the size of its text. */
const WIDTH = 720;
const NOWHERE = { from: 0, to: 1 };

/** Sheet to print: all of it of the moment when it was opened, on white whatever the theme is. */
export function ReportSheet({
  project_id,
  detail: opened,
  chart,
  keys,
  numeric,
  settingsOf,
  ...rest
}: ReportSheetProps) {
  const { by, onReady } = rest;
  // Facts that come later are none of the report's.
  const [detail] = useState(opened);
  const { device, summary } = detail;
  const device_id = device.id;
  const [made] = useState(nowMicros);
  const view = viewOf(chart.view ?? 'corrected');
  const { data, span, retry } = useReportChart({
    project_id,
    device_id,
    summary,
    view,
    keys,
    chart,
    width: WIDTH,
  });
  const looks = useMemo(
    () => lookOf(keys, numeric, new Map(), (key) => settingsOf(device_id, key)),
    [keys, numeric, settingsOf, device_id],
  );
  const { lines, panes } = useChartLines({
    device_id,
    keys,
    looks,
    settingsOf,
    // What is hidden on the chart is not among the keys, and a report has what is stored.
    chart: { ...chart, hidden: [], rates: {} },
    data,
    window: span ?? NOWHERE,
    width: WIDTH,
  });
  if (data.error !== null) return <Problem message={data.error} onRetry={retry} />;
  if (span === null && summary.records > 0) return <Loading h={480} label="Loading the report" />;
  const { zone = 'local' } = chart;
  const head = { project_id, detail, zone, view, made, by };
  return (
    <article className={classes['sheet']} aria-label={`Report of ${device.name}`}>
      {span === null ? (
        <>
          <ReportHead {...head} corrections={[]} span={null} records={0} />
          <p>This device has no records.</p>
        </>
      ) : (
        <ReportBody
          head={head}
          span={span}
          hasNumbers={numeric.length > 0}
          isDrawn={keys.length === 0 || data.state === 'ready'}
          far={chart.far ? null : data.far}
          {...{ lines, panes, settingsOf, onReady }}
        />
      )}
    </article>
  );
}
