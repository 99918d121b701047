import { useEffect, useEffectEvent } from 'react';
import { writerOf } from '../../../chart/controls/legend/writer.ts';
import type { ChartLine } from '../../../chart/draw/chart-line.ts';
import type { FarOff } from '../../../chart/records/far-off.ts';
import type { Pane } from '../../../chart/scale/panes.ts';
import type { TimeSpan } from '../../../chart/time/window.ts';
import { nameOfKey } from '../../../components/facts/key-words.ts';
import { Problem } from '../../../components/work/problem.tsx';
import { countOf } from '../../../format.ts';
import type { SettingsOf } from '../../../stores/key-settings.ts';
import { ReportAlarms } from './report-alarms.tsx';
import { ReportChart } from './report-chart.tsx';
import { ReportExcursions } from './report-excursions.tsx';
import { ReportHead, type HeadProps } from './report-head.tsx';
import { ReportKeys } from './report-keys.tsx';
import { ReportNotes } from './report-notes.tsx';
import { ReportTimes } from './report-times.tsx';
import { useReport } from './use-report.ts';
import { Loading } from '../../../components/work/loading.tsx';

interface ReportBodyProps {
  readonly head: Omit<HeadProps, 'span' | 'records' | 'corrections'>;
  readonly span: TimeSpan;
  readonly lines: readonly ChartLine[];
  readonly panes: readonly Pane[];
  readonly hasNumbers: boolean;
  /** Whether the lines are all there. */
  readonly isDrawn: boolean;
  /** Records that the chart leaves out. */
  readonly far: FarOff | null;
  readonly settingsOf: SettingsOf;
  readonly onReady: (isReady: boolean) => void;
}

/** A report of a span, once all of it has been read. */
export function ReportBody({ head, span, lines, panes, settingsOf, ...rest }: ReportBodyProps) {
  const { hasNumbers, isDrawn, far, onReady } = rest;
  const { project_id, detail, zone, view } = head;
  const keys = lines.map(({ key }) => key);
  const { value, error, retry } = useReport({
    project_id,
    device_id: detail.device.id,
    keys,
    ranged: keys.filter((key) => {
      const { low, high } = settingsOf(detail.device.id, key);
      return low !== null || high !== null;
    }),
    span,
    summary: detail.summary,
    view,
  });
  const isReady = value !== null && isDrawn;
  const tell = useEffectEvent(onReady);
  useEffect(() => {
    tell(isReady);
    return () => tell(false);
  }, [isReady]);
  if (error !== null) return <Problem message={error} onRetry={retry} />;
  if (!isReady) return <Loading h={480} label="Loading the report" />;
  const { statistics, corrections, notes, times, excursions, alarms } = value;
  const nameOf = (key: string) => nameOfKey(key, settingsOf(detail.device.id, key));
  const strips = value.strips.map((strip) => ({ strip, label: nameOf(strip.key) }));
  const chart = { name: detail.device.name, panes, span, zone, notes, lines, strips };
  const known = lines.map((line) => ({ line, statistics: statistics.get(line.key), numbers: [] }));
  const writeOf = writerOf(known, settingsOf);
  const rows = lines.map((line) => ({
    line,
    settings: settingsOf(line.device_id, line.key),
    statistics: statistics.get(line.key),
    write: writeOf(line),
  }));
  return (
    <>
      <ReportHead {...head} corrections={corrections} span={span} records={times.records} />
      {rows.length === 0 ? (
        <>
          <p>{hasNumbers ? 'No key is chosen.' : 'This device has no numbers.'}</p>
          {strips.length > 0 && <ReportChart {...chart} />}
        </>
      ) : (
        <>
          <ReportChart {...chart} />
          {far && (
            <p>
              {countOf(far.records, 'record')} far from all others {far.records === 1 ? 'is' : 'are'} left
              out.
            </p>
          )}
          <ReportKeys rows={rows} />
          <ReportExcursions rows={rows} excursions={excursions} zone={zone} />
        </>
      )}
      <ReportTimes times={times} zone={zone} />
      <ReportAlarms
        alarms={alarms}
        zone={zone}
        settingsOf={(key) => settingsOf(detail.device.id, key)}
        made={head.made}
      />
      <ReportNotes notes={notes} zone={zone} />
    </>
  );
}
