import { Loader, Text } from '@mantine/core';
import { IconClock } from '@tabler/icons-react';
import { useMemo } from 'react';
import type { TimeFinding } from '#shared/operations/records/times.ts';
import { parseInstant } from '#shared/values/time.ts';
import { useMay } from '../../../bridge/distant.ts';
import { roughDuration } from '../../../components/facts/duration-words.ts';
import { Empty } from '../../../components/screen/empty.tsx';
import { VirtualTable } from '../../../components/table/virtual-table.tsx';
import { viewOf, type ShownView } from '../../../chart/view.ts';
import { Problem } from '../../../components/work/problem.tsx';
import { formatCount } from '../../../format.ts';
import { goTo, hrefTo } from '../../../router.ts';
import type { DeviceDetail } from '../../../stores/devices.ts';
import { useCorrections } from '../../../stores/corrections.ts';
import { openDialog } from '../../../stores/dialog.ts';
import { ViewLine } from '../corrections/view-line.tsx';
import type { DeviceShown, ListShown } from '../device-address.ts';
import { amountOf, FINDING_REASONS, FINDING_TITLES } from './finding-words.ts';
import { KindsNav } from './kinds-nav.tsx';
import { placeColumns, windowAround, type Place } from './place-columns.tsx';
import { SkewChart } from './skew-chart.tsx';
import classes from './times-panel.module.css';
import { useTimes } from './use-times.ts';

interface TimesPanelProps extends Pick<DeviceShown, 'chart'> {
  readonly project_id: string;
  readonly detail: DeviceDetail;
  readonly list: ListShown;
  readonly shown: ShownView;
}

/** Times of records against times of receipt: the difference over the history, and findings. */
export function TimesPanel({ project_id, detail: { device, summary }, chart, list, shown }: TimesPanelProps) {
  const device_id = device.id;
  const { value: times, error, isBehind, again } = useTimes(project_id, device_id, viewOf(shown));
  const isCorrected = useCorrections(project_id, device_id).list.length > 0 && shown !== 'raw';
  if (summary.records === 0)
    return (
      <Empty icon={IconClock} title="No records">
        Once there are records, their own times are compared with when they were received.
      </Empty>
    );
  if (!times)
    return error === null ? (
      <Text c="dimmed" role="status" className={classes['reading'] ?? ''}>
        <Loader size="xs" /> Looking through {formatCount(summary.records)} records…
      </Text>
    ) : (
      <Problem message={error} onRetry={again} />
    );

  const opened =
    times.findings.find(({ kind }) => kind === list.open) ??
    times.findings.find(({ places }) => places > 0) ??
    null;
  const at = { screen: 'device', project_id, device_id } as const;
  return (
    <>
      {error !== null && <Problem message={error} onRetry={again} />}
      <ViewLine {...{ project_id, device_id, shown }} zone={chart?.zone ?? 'local'} isChosen />
      <SkewChart
        times={times}
        onOpen={(from, to) => goTo({ ...at, tab: 'chart', chart: { ...chart, window: { from, to } } })}
      />
      <div className={classes['findings']}>
        <KindsNav
          label="What is odd"
          kinds={times.findings.map((finding) => ({
            id: finding.kind,
            href: hrefTo({ ...at, tab: 'times', ...(chart && { chart }), list: { open: finding.kind } }),
            name: <span className={classes['name']}>{FINDING_TITLES[finding.kind]}</span>,
            amount: amountOf(finding),
            isAmiss: finding.places > 0,
            isOpen: finding === opened,
          }))}
          isBehind={isBehind}
          again={again}
        />
        {opened && (
          <Places
            finding={opened}
            exact={times.exact}
            gap={times.gap_us}
            hrefOf={(place) =>
              hrefTo({ ...at, tab: 'chart', chart: { ...chart, window: windowAround(place) } })
            }
            // What goes is what was stored, and may stand at other times.
            isDeleting={!isCorrected}
            onDelete={({ start, end, records }) =>
              openDialog({
                kind: 'delete-found',
                project_id,
                device,
                span: { from: parseInstant(start) ?? 0, to: parseInstant(end) ?? 0 },
                records,
                what: FINDING_TITLES[opened.kind],
              })
            }
          />
        )}
      </div>
    </>
  );
}

interface PlacesProps {
  readonly finding: TimeFinding;
  readonly exact: boolean;
  readonly gap: number | null;
  readonly hrefOf: (place: Place) => string;
  /** Whether it is offered to delete what was found. */
  readonly isDeleting: boolean;
  readonly onDelete: (place: Place) => void;
}

function Places({ finding, exact, gap, hrefOf, isDeleting, onDelete }: PlacesProps) {
  const { kind, list, places } = finding;
  const mayDelete = useMay('records.delete') && isDeleting;
  const columns = useMemo(() => {
    const all = placeColumns(kind, hrefOf, onDelete);
    return mayDelete ? all : all.filter(({ id }) => id !== 'delete');
  }, [kind, hrefOf, onDelete, mayDelete]);
  return (
    <section className={classes['places']} aria-label={FINDING_TITLES[kind]}>
      <Text size="sm" c="dimmed">
        {places === 0 && 'None found. '}
        {FINDING_REASONS[kind]}
        {kind === 'gap' &&
          (gap === null
            ? ' No key comes often enough to say how long that is.'
            : ` A gap is longer than ${roughDuration(gap / 1e6)}, ten of the usual intervals.`)}
        {kind === 'equal_records' && !exact && ' There may be more: not all at one instant were compared.'}
        {places > list.length &&
          ` The ${kind === 'gap' ? 'longest' : 'first'} ${formatCount(list.length)} of ${formatCount(places)} are listed.`}
      </Text>
      {list.length > 0 && (
        <VirtualTable
          key={kind}
          label={FINDING_TITLES[kind]}
          rows={list}
          columns={columns}
          rowKey={({ start, end }) => `${start} ${end}`}
        />
      )}
    </section>
  );
}
