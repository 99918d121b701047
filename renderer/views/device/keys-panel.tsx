import { Badge, Text } from '@mantine/core';
import { IconList } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { matches } from '#shared/text.ts';
import type { DeviceSummary } from '#shared/operations/devices.ts';
import { Empty } from '../../components/screen/empty.tsx';
import { KeyName } from '../../components/facts/key-name.tsx';
import { SearchField } from '../../components/screen/search-field.tsx';
import { VirtualTable, type TableColumn } from '../../components/screen/virtual-table.tsx';
import { formatCount } from '../../format.ts';
import { compareNames } from '../../order.ts';

type KeySummary = DeviceSummary['keys'][number];

/** The data keys that the device has stored, how often, and what they hold. */
export function KeysPanel({ summary }: { readonly summary: DeviceSummary }) {
  const [search, setSearch] = useState('');
  const { keys, records } = summary;
  // A table sorts anew for other rows and other columns.
  const shown = useMemo(() => keys.filter(({ key }) => matches(search, key)), [keys, search]);
  const columns = useMemo(() => columnsOf(records), [records]);
  if (keys.length === 0)
    return (
      <Empty icon={IconList} title="No keys">
        Every name that a record carries becomes a key. There are no records now.
      </Empty>
    );
  return (
    <>
      <SearchField label="Search keys" value={search} onChange={setSearch} />
      {shown.length === 0 && <Text c="dimmed">No key matches “{search}”.</Text>}
      {shown.length > 0 && (
        <VirtualTable label="Keys" rows={shown} columns={columns} rowKey={({ key }) => key} />
      )}
    </>
  );
}

function columnsOf(records: number): readonly TableColumn<KeySummary>[] {
  return [
    {
      id: 'key',
      header: 'Key',
      width: 'minmax(200px, 2fr)',
      compare: (a, b) => compareNames(a.key, b.key),
      cell: ({ key }) => (
        <span className="mono">
          <KeyName name={key} />
        </span>
      ),
    },
    {
      id: 'kind',
      header: 'Values',
      width: '180px',
      compare: (a, b) => a.numeric / a.count - b.numeric / b.count,
      cell: (key) => (
        <Badge variant="light" size="sm" tt="none" fw={500} color={key.numeric > 0 ? 'petrol' : 'gray'}>
          {kindOf(key)}
        </Badge>
      ),
    },
    {
      id: 'count',
      header: 'Records',
      width: '160px',
      align: 'end',
      compare: (a, b) => a.count - b.count,
      cell: ({ count }) => formatCount(count),
    },
    {
      id: 'share',
      header: 'Of all',
      width: '120px',
      align: 'end',
      cell: ({ count }) => `${((count / records) * 100).toFixed(count === records ? 0 : 1)} %`,
    },
  ];
}

function kindOf({ count, numeric }: KeySummary): string {
  if (numeric === 0) return 'text';
  return numeric === count ? 'numeric' : 'numeric and text';
}
