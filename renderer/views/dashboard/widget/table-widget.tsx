import { useMemo } from 'react';
import { showsOfLayout } from '#shared/domain/dashboard.ts';
import type { DataRecord } from '#shared/schema/schemas.ts';
import { parseInstant } from '#shared/values/time.ts';
import { nameOfKey, nameWithUnit, shortValue } from '../../../components/facts/key-words.ts';
import { Moment } from '../../../components/facts/moment.tsx';
import { OutsideMark } from '../../../components/facts/outside-mark.tsx';
import { shownName } from '../../../components/facts/shown-name.ts';
import type { TableColumn } from '../../../components/table/column.ts';
import { VirtualTable } from '../../../components/table/virtual-table.tsx';
import { Loading } from '../../../components/work/loading.tsx';
import { Problem } from '../../../components/work/problem.tsx';
import { compareNames } from '../../../order.ts';
import type { LiveSource } from '../../../stores/dashboard/live-groups.ts';
import { newestRecords } from '../../../stores/dashboard/newest-records.ts';
import { deviceKey } from '../../../stores/devices.ts';
import type { SettingsOf } from '../../../stores/key-settings.ts';
import { useLive } from '../live/dashboard-live.ts';
import type { Live } from '../live/live-store.ts';
import type { WidgetViewProps } from './widget-view.ts';

/** Last values of many sources, or the newest records of a device. */
export function TableWidget(props: WidgetViewProps) {
  return showsOfLayout(props.widget.layout) === 'records' ? <Records {...props} /> : <Values {...props} />;
}

interface Row extends LiveSource {
  readonly live: Live | undefined;
}

function Values({ widget, sources, settingsOf }: WidgetViewProps) {
  const lives = useLive(sources);
  const rows = useMemo(
    () => sources.map((source, at): Row => ({ ...source, live: lives[at] })),
    [sources, lives],
  );
  const columns = useMemo(() => columnsOf(settingsOf), [settingsOf]);
  const error = lives.find((live) => live.error !== null)?.error ?? null;
  return (
    <>
      {error !== null && <Problem message={error} />}
      <VirtualTable
        label={widget.title}
        density="compact"
        rows={rows}
        rowKey={({ device_id, key }) => `${device_id} ${key}`}
        columns={columns}
      />
    </>
  );
}

function columnsOf(settingsOf: SettingsOf): readonly TableColumn<Row>[] {
  const deviceName = ({ live }: Row) =>
    live?.device ? shownName(live.device.name) : live?.isKnown ? 'Not here any more' : '';
  const keyName = ({ device_id, key }: Row) => nameOfKey(key, settingsOf(device_id, key));
  return [
    {
      id: 'device',
      header: 'Device',
      width: 'minmax(90px, 2fr)',
      cell: deviceName,
      compare: (a, b) => compareNames(deviceName(a), deviceName(b)),
    },
    {
      id: 'key',
      header: 'Key',
      width: 'minmax(80px, 1fr)',
      cell: keyName,
      compare: (a, b) => compareNames(keyName(a), keyName(b)),
    },
    {
      id: 'value',
      header: 'Value',
      width: 'minmax(90px, 1fr)',
      align: 'end',
      cell: ({ device_id, key, live }) => {
        const settings = settingsOf(device_id, key);
        return (
          live?.value && (
            <>
              {live.value.outside && <OutsideMark settings={settings} short />}{' '}
              {shortValue(live.value.value, settings)}
            </>
          )
        );
      },
    },
    {
      id: 'time',
      header: 'When',
      width: '120px',
      rank: 1,
      cell: ({ live }) => {
        const at = live?.value ? parseInstant(live.value.timestamp) : null;
        return at !== null && <Moment at={at} relative />;
      },
    },
  ];
}

function Records({ project_id, widget, sources, settingsOf }: WidgetViewProps) {
  const [first] = sources;
  const device_id = first?.device_id ?? '';
  const own = useMemo(() => sources.filter((source) => source.device_id === device_id), [sources, device_id]);
  const of = deviceKey(project_id, device_id);
  newestRecords.useWatch(of);
  const { value: records, error } = newestRecords.useValue(of);
  const columns = useMemo(() => recordColumns(own, settingsOf), [own, settingsOf]);
  return (
    <>
      {error !== null && <Problem message={error} />}
      {records === null && error === null && <Loading h={60} label="Loading records" />}
      {records && (
        <VirtualTable
          label={widget.title}
          density="compact"
          rows={records}
          rowKey={(record) => `${record.timestamp} ${records.indexOf(record)}`}
          columns={columns}
        />
      )}
    </>
  );
}

function recordColumns(
  sources: readonly LiveSource[],
  settingsOf: SettingsOf,
): readonly TableColumn<DataRecord>[] {
  const time: TableColumn<DataRecord> = {
    id: 'time',
    header: 'Time',
    width: 'minmax(150px, 1fr)',
    cell: ({ timestamp }) => {
      const at = parseInstant(timestamp);
      return at === null ? timestamp : <Moment at={at} coarse />;
    },
  };
  const keys = sources.map(({ device_id, key }, place): TableColumn<DataRecord> => {
    const settings = settingsOf(device_id, key);
    return {
      id: `key ${key}`,
      header: nameWithUnit(key, settings),
      width: 'minmax(80px, 1fr)',
      rank: sources.length - place,
      align: 'end',
      cell: (record) => {
        const value = record[key];
        return value === undefined ? '' : shortValue(value, { ...settings, unit: '' });
      },
    };
  });
  return [time, ...keys];
}
