import { Text } from '@mantine/core';
import type { FoundDevice, FoundValue } from '#shared/operations/metadata/devices.ts';
import { STATUSES } from '#shared/domain/device-status.ts';
import { may } from '../../../bridge/distant.ts';
import type { TableColumn } from '../../../components/table/column.ts';
import { countColumn, nameColumn } from '../../../components/table/usual-columns.ts';
import { DeviceStatus } from '../../../components/facts/device-status.tsx';
import { shortened } from '../../../format.ts';
import { compareNames, compareTexts } from '../../../order.ts';
import type { SettingsOf } from '../../../stores/key-settings.ts';
import { NameCell } from './name-cell.tsx';
import { makerOf } from '../../../components/facts/maker.ts';
import { RowMenu } from './row-menu.tsx';
import { SeenCell } from './seen-cell.tsx';
import type { WrittenAs } from './shown-keys.ts';
import { Sparkline } from './sparkline.tsx';
import { LastValue } from './values-cell.tsx';

export interface DeviceColumn extends TableColumn<FoundDevice> {
  /** Whether a device has anything in it: what none has is not shown. */
  readonly has?: (device: FoundDevice) => boolean;
}

/** Columns that can be chosen, in their order; those of keys stand where `values` does. */
export const CHOICES = [
  { id: 'status', label: 'Status' },
  { id: 'values', label: 'Last values' },
  { id: 'trend', label: 'Last day' },
  { id: 'seen', label: 'Last seen' },
  { id: 'records', label: 'Records' },
  { id: 'source', label: 'Source' },
  { id: 'maker', label: 'Brand and model' },
  { id: 'description', label: 'Description' },
  { id: 'id', label: 'Id' },
] as const;
export const FIRST_COLUMNS: readonly string[] = ['status', 'values', 'trend', 'seen', 'records'];

const VALUE = 'value:';
/** The column of the last value of a key. */
const valueColumn = (key: string) => VALUE + key;
/** The key whose last values stand in a column; null for any other. */
export const keyOfColumn = (id: string) => (id.startsWith(VALUE) ? id.slice(VALUE.length) : null);

interface Of {
  readonly project_id: string;
  /** Keys that have columns of their own. */
  readonly keys: readonly string[];
  readonly settingsOf: SettingsOf;
  /** The key whose course is shown; null: the first that a device has. */
  readonly trend: string | null;
  /** Returns the name of a key. */
  readonly nameOf: (key: string) => string;
  /** How the last values of each of the keys are written. */
  readonly numbers: readonly WrittenAs[];
}

const valueOf = (device: FoundDevice, key: string): FoundValue | undefined =>
  device.values.find((value) => value.key === key);

/** Pixels of a digit, at most, and of what stands beside a number: padding, and a mark where it is out of the ordinary. */
const LETTER = 8;
const CELL_PADDING = 38;

const isDrawn = ({ value }: FoundValue) => typeof value !== 'string';

/** Numbers by value, before texts; what has none comes last, whichever way the others go. */
function compareValues(a: FoundValue | undefined, b: FoundValue | undefined): number {
  const [x, y] = [a?.value, b?.value];
  if (typeof x === 'string' && typeof y === 'string') return compareNames(x, y);
  if (typeof x === 'string' || typeof y === 'string')
    return Number(typeof x === 'string') - Number(typeof y === 'string');
  return Number(x ?? 0) - Number(y ?? 0);
}

export function columnsOf(of: Of): readonly DeviceColumn[] {
  const { project_id, keys, trend, settingsOf, nameOf, numbers } = of;
  const trendKey = trend ?? keys[0] ?? '';
  const trendOf = (device: FoundDevice) => {
    // Under a key's name nothing else is drawn.
    if (trendKey === '') return device.values.find(isDrawn);
    const value = valueOf(device, trendKey);
    return value && isDrawn(value) ? value : undefined;
  };
  return [
    {
      id: 'status',
      header: 'Status',
      width: '92px',
      compare: (a, b) =>
        Number(b.outside) - Number(a.outside) || STATUSES.indexOf(a.status) - STATUSES.indexOf(b.status),
      cell: (device) => <DeviceStatus device={device} />,
    },
    nameColumn('minmax(min(180px, 40%), 2fr)', (device, isActive) => (
      <NameCell project_id={project_id} device={device} isActive={isActive} />
    )),
    ...keys.map((key, at): DeviceColumn => ({
      id: valueColumn(key),
      header: shortened(nameOf(key), 24),
      width: `${Math.max(120, CELL_PADDING + LETTER * (numbers[at]?.length ?? 0))}px`,
      align: 'end',
      rank: at === 0 ? 8 : 4 - at,
      compare: (a, b) => compareValues(valueOf(a, key), valueOf(b, key)),
      has: (device) => valueOf(device, key) !== undefined,
      cell: (device) => {
        const value = valueOf(device, key);
        return (
          value && (
            <LastValue value={value} settings={settingsOf(device.id, key)} alike={numbers[at]?.decimals} />
          )
        );
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
    {
      id: 'trend',
      header: trendKey === '' ? 'Last day' : `${shortened(nameOf(trendKey), 24)}, last day`,
      width: '120px',
      rank: 5,
      has: ({ values }) => may('series.get') && values.some(isDrawn),
      cell: (device) => {
        const value = trendOf(device);
        return (
          value && (
            <Sparkline
              project_id={project_id}
              device={device}
              keyName={value.key}
              settings={settingsOf(device.id, value.key)}
            />
          )
        );
      },
    },
    {
      id: 'seen',
      header: 'Last seen',
      width: '172px',
      rank: 6,
      compare: (a, b) => compareTexts(a.last_seen, b.last_seen),
      cell: (device) => <SeenCell device={device} />,
    },
    {
      ...countColumn('records', 'Records', '92px', 1),
      has: ({ records }) => records > 0,
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
        <RowMenu project_id={project_id} device={device} tabIndex={isActive ? 0 : -1} />
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
