import { Text } from '@mantine/core';
import type { FoundDevice, FoundValue } from '#shared/operations/metadata/devices.ts';
import { STATUSES } from '#shared/domain/device-status.ts';
import { nameColumn } from '../../../components/table/usual-columns.ts';
import { DeviceStatus } from '../../../components/facts/device-status.tsx';
import { formatCount, shortened, shortenedKey } from '../../../format.ts';
import { compareNames, compareTexts } from '../../../order.ts';
import { valueColumn } from '../shown/column-ids.ts';
import { NameCell } from './name-cell.tsx';
import { makerOf } from '../../../components/facts/maker.ts';
import { RowMenu } from './row-menu.tsx';
import { SeenCell } from './seen-cell.tsx';
import { widthOf, type DeviceColumn } from '../shown/device-column.ts';
import type { WrittenAs } from '../shown/shown-keys.ts';
import { deviationColumn, trendColumn, type TrendColumnsOf } from '../trends/trend-columns.tsx';
import { LastValue } from './values-cell.tsx';

/** Columns that can be chosen, in their order; those of keys stand where `values` does. */
export const CHOICES = [
  { id: 'status', label: 'Status' },
  { id: 'values', label: 'Last values' },
  { id: 'deviation', label: 'Deviation' },
  { id: 'trend', label: 'Last day' },
  { id: 'seen', label: 'Last seen' },
  { id: 'records', label: 'Records' },
  { id: 'source', label: 'Source' },
  { id: 'maker', label: 'Brand and model' },
  { id: 'description', label: 'Description' },
  { id: 'id', label: 'Id' },
] as const;
export const FIRST_COLUMNS: readonly string[] = ['status', 'values', 'deviation', 'trend', 'seen', 'records'];

interface Of extends TrendColumnsOf {
  /** Keys that have columns of their own. */
  readonly keys: readonly string[];
  /** How the last values of each of the keys are written. */
  readonly numbers: readonly WrittenAs[];
  /** Pixels of names and tags. */
  readonly nameWidth: number;
  /** Characters of the greatest count of records. */
  readonly countLength: number;
  /** Whether nothing came but from files. */
  readonly isRecordings: boolean;
}

const valueOf = (device: FoundDevice, key: string): FoundValue | undefined =>
  device.values.find((value) => value.key === key);

/** Numbers by value, before texts; what has none comes last, whichever way the others go. */
function compareValues(a: FoundValue | undefined, b: FoundValue | undefined): number {
  const [x, y] = [a?.value, b?.value];
  if (typeof x === 'string' && typeof y === 'string') return compareNames(x, y);
  if (typeof x === 'string' || typeof y === 'string')
    return Number(typeof x === 'string') - Number(typeof y === 'string');
  return Number(x ?? 0) - Number(y ?? 0);
}

/** The longest name has its room where there is any; before, other columns have theirs. */
const nameTrack = (width: number) => `minmax(min(${Math.min(NAME_LEAST, width)}px, 40%), ${width}px)`;
const NAME_LEAST = 136;

export function columnsOf(of: Of): readonly DeviceColumn[] {
  const { project_id, keys, settingsOf, nameOf, numbers, isRecordings } = of;
  // Beside the curves stand the values of their key, whatever else there is room for.
  const main = keys.includes(of.trend.key) ? of.trend.key : keys[0];
  return [
    {
      id: 'status',
      header: 'Status',
      width: '118px',
      compare: (a, b) =>
        Number(b.outside) - Number(a.outside) ||
        STATUSES.indexOf(a.status) - STATUSES.indexOf(b.status) ||
        Number(a.records > 0) - Number(b.records > 0),
      cell: (device) => <DeviceStatus device={device} />,
    },
    nameColumn(nameTrack(of.nameWidth), (device, isActive) => (
      <NameCell project_id={project_id} device={device} isActive={isActive} />
    )),
    ...keys.map((key, at): DeviceColumn => ({
      id: valueColumn(key),
      header: shortenedKey(nameOf(key), 24),
      width: widthOf(shortenedKey(nameOf(key), 24), numbers[at]?.length ?? 0),
      align: 'end',
      rank: key === main ? 8 : 4 - at,
      compare: (a, b) => compareValues(valueOf(a, key), valueOf(b, key)),
      has: (device) => valueOf(device, key) !== undefined,
      cell: (device) => {
        const value = valueOf(device, key);
        return value && <LastValue value={value} settings={settingsOf(device.id, key)} alike={numbers[at]} />;
      },
    })),
    ...(keys.length === 0
      ? [
          {
            id: 'values',
            header: 'Last values',
            width: 'minmax(240px, 2fr)',
            rank: 7,
            has: ({ values }: FoundDevice) => values.length > 0,
            cell: (device: FoundDevice) =>
              device.values.map((value) => (
                <LastValue key={value.key} value={value} settings={settingsOf(device.id, value.key)} named />
              )),
          },
        ]
      : []),
    deviationColumn(of),
    trendColumn(of),
    {
      id: 'seen',
      header: isRecordings ? 'Newest record' : 'Last seen',
      width: isRecordings ? '124px' : '172px',
      rank: 5,
      compare: (a, b) =>
        compareTexts(a.last_seen, b.last_seen) || compareTexts(a.newest ?? '', b.newest ?? ''),
      cell: (device) => <SeenCell device={device} ofRecords={isRecordings} />,
    },
    {
      id: 'records',
      header: 'Records',
      width: widthOf('Records', of.countLength - 2),
      align: 'end',
      rank: 1,
      compare: (a, b) => a.records - b.records,
      has: ({ records }) => records > 0,
      cell: ({ records }) => formatCount(records),
    },
    {
      id: 'source',
      header: 'Source',
      width: '78px',
      rank: 1,
      compare: (a, b) => compareTexts(a.source, b.source),
      cell: ({ source }) => source.toUpperCase(),
    },
    {
      id: 'maker',
      header: 'Brand and model',
      width: 'minmax(150px, 1fr)',
      rank: 0,
      compare: (a, b) => compareNames(makerOf(a), makerOf(b)),
      has: (device) => makerOf(device) !== '',
      cell: (device) => <Dimmed text={makerOf(device)} />,
    },
    {
      id: 'description',
      header: 'Description',
      width: 'minmax(180px, 2fr)',
      rank: 0,
      compare: (a, b) => compareNames(a.description, b.description),
      has: ({ description }) => description !== '',
      cell: ({ description }) => <Dimmed text={description} />,
    },
    {
      id: 'id',
      header: 'Id',
      width: '290px',
      rank: 0,
      cell: ({ id }) => <span className="mono">{id}</span>,
    },
    {
      id: 'actions',
      header: '',
      width: '44px',
      align: 'center',
      cell: (device, isActive) => (
        // An open menu is of its device, whose row another one may take.
        <RowMenu key={device.id} project_id={project_id} device={device} tabIndex={isActive ? 0 : -1} />
      ),
    },
  ];
}

function Dimmed({ text }: { readonly text: string }) {
  return (
    <Text span size="sm" c="dimmed" title={text}>
      <bdi>{shortened(text)}</bdi>
    </Text>
  );
}
