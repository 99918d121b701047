import { Anchor, Loader, Text } from '@mantine/core';
import { IconArrowsVertical } from '@tabler/icons-react';
import { useState } from 'react';
import type { Excursions } from '#shared/operations/records/excursions.ts';
import { ALL } from '../../../chart/time/range.ts';
import { viewOf, type ShownView } from '../../../chart/view.ts';
import { nameOfKey, normalText } from '../../../components/facts/key-words.ts';
import { spanText } from '../../../components/facts/span-words.ts';
import { Empty } from '../../../components/screen/empty.tsx';
import { Problem } from '../../../components/work/problem.tsx';
import { compareNames } from '../../../order.ts';
import { hrefTo } from '../../../router.ts';
import type { DeviceDetail } from '../../../stores/devices.ts';
import { useKeySettings } from '../../../stores/key-settings.ts';
import { nowMicros } from '../../../time.ts';
import { ViewLine } from '../corrections/view-line.tsx';
import type { DeviceShown, ListShown } from '../device-address.ts';
import { KindsNav } from '../times/kinds-nav.tsx';
import times from '../times/times-panel.module.css';
import { amountOf } from './excursion-rows.ts';
import { ofAllTime, spanShown } from './excursion-span.ts';
import classes from './excursions-panel.module.css';
import { KeyExcursions } from './key-excursions.tsx';
import { useAllExcursions } from './use-all-excursions.ts';

interface ExcursionsPanelProps extends Pick<DeviceShown, 'chart'> {
  readonly project_id: string;
  readonly detail: DeviceDetail;
  readonly list: ListShown;
  readonly shown: ShownView;
}

/** Each key with a normal range: how long it lay inside, outside, and was not measured, in the span of the chart. */
export function ExcursionsPanel({ project_id, detail, chart = {}, list, shown }: ExcursionsPanelProps) {
  const { device, summary } = detail;
  const device_id = device.id;
  const settingsOf = useKeySettings(project_id);
  // A range that moves on stands still while somebody reads, until they look again.
  const [now, setNow] = useState(nowMicros);
  const zone = chart.zone ?? 'local';
  const nameOf = (key: string) => nameOfKey(key, settingsOf(device_id, key));
  const ranged = summary.keys
    .flatMap(({ key, numeric }) => {
      const { low, high, longest_gap_s } = settingsOf(device_id, key);
      return numeric > 0 && (low !== null || high !== null) ? [[key, low, high, longest_gap_s] as const] : [];
    })
    .toSorted(([a], [b]) => compareNames(nameOf(a), nameOf(b)));
  const span = spanShown(chart, summary, now);
  const { value, error, isBehind } = useAllExcursions({
    project_id,
    device_id,
    view: viewOf(shown),
    keys: JSON.stringify(ranged.map(([key, ...settings]) => [key, settings])),
    span: ranged.length === 0 ? null : span,
    now,
  });
  const again = () => setNow(nowMicros());
  const at = { screen: 'device', project_id, device_id } as const;
  if (span === null)
    return (
      <Empty icon={IconArrowsVertical} title="No records">
        Once there are records, you see here when a key lay outside of its normal range.
      </Empty>
    );
  if (ranged.length === 0)
    return (
      <Empty
        icon={IconArrowsVertical}
        title="No key has a normal range"
        action={
          <Anchor href={hrefTo({ ...at, tab: 'keys', chart })} size="sm">
            Set one on Keys
          </Anchor>
        }
      >
        Excursions are the times that a value lies outside of its normal range.
      </Empty>
    );
  if (!value)
    return error === null ? (
      <Text c="dimmed" role="status" className={times['reading'] ?? ''}>
        <Loader size="xs" /> Looking for excursions…
      </Text>
    ) : (
      <Problem message={error} onRetry={again} />
    );
  const opened = value.find(({ key }) => key === list.open) ?? value.find(isAmiss) ?? value[0];
  const isPart = chart.window !== undefined || (chart.range ?? ALL) !== ALL;
  return (
    <>
      {error !== null && <Problem message={error} onRetry={again} />}
      <ViewLine {...{ project_id, device_id, shown, zone }} isChosen />
      <div className={classes['span']}>
        <span>
          {isPart ? 'As on the chart: ' : 'All records: '}
          {spanText(span.from, span.to, zone)}
        </span>
        {isPart && (
          <a href={hrefTo({ ...at, tab: 'excursions', chart: ofAllTime(chart), list })}>All records</a>
        )}
      </div>
      <div className={times['findings']}>
        <KindsNav
          label="Keys with a normal range"
          className={classes['keys']}
          kinds={value.map((one) => ({
            id: one.key,
            href: hrefTo({ ...at, tab: 'excursions', chart, list: { open: one.key } }),
            name: <bdi className={times['name']}>{nameOf(one.key)}</bdi>,
            amount: amountOf(one),
            isAmiss: isAmiss(one),
            isOpen: one === opened,
            title: normalText(settingsOf(device_id, one.key)),
          }))}
          isBehind={isBehind}
          again={again}
        />
        {opened && (
          <KeyExcursions
            key={opened.key}
            project_id={project_id}
            device={device}
            told={opened}
            view={viewOf(shown)}
            settings={settingsOf(device_id, opened.key)}
            zone={zone}
            hrefOf={(window) => hrefTo({ ...at, tab: 'chart', chart: { ...chart, window } })}
          />
        )}
      </div>
    </>
  );
}

const isAmiss = ({ excursion_count, not_measured_count }: Excursions) =>
  excursion_count > 0 || not_measured_count > 0;
