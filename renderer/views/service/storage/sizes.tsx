import { Group, Progress, Text } from '@mantine/core';
import type { CSSProperties } from 'react';
import { formatBytes } from '../../../format.ts';
import type { TableColumn } from '../../../components/table/column.ts';
import { countColumn, nameColumn } from '../../../components/table/usual-columns.ts';

interface Held {
  readonly name: string;
  readonly records: number;
  readonly bytes: number;
}

/** As high as its rows, and no higher than is looked through at once: the rest scrolls inside. */
export const tableFrame = (rows: number): CSSProperties => ({
  display: 'flex',
  flexDirection: 'column',
  height: `min(${(rows + 1) * 44 + 4}px, max(300px, 60vh))`,
});

/** Columns of what holds records: its records, its bytes, and its share of all of them. */
export function sizeColumns<Row extends Held>(
  all: number,
  name: TableColumn<Row>['cell'],
): readonly TableColumn<Row>[] {
  return [
    nameColumn('minmax(160px, 3fr)', name),
    countColumn('records', 'Records', 'minmax(90px, 1fr)'),
    {
      id: 'size',
      header: 'Size',
      width: 'minmax(190px, 2fr)',
      align: 'end',
      compare: (a, b) => a.bytes - b.bytes,
      cell: ({ bytes }) => <Size bytes={bytes} all={all} />,
    },
  ];
}

function Size({ bytes, all }: { readonly bytes: number; readonly all: number }) {
  const share = all === 0 ? 0 : (100 * bytes) / all;
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      <Progress value={share} w={72} size="sm" color="petrol" aria-hidden />
      <Text span size="sm" w={64} ta="end">
        {formatBytes(bytes)}
      </Text>
      <Text span size="xs" c="dimmed" w={36} ta="end">
        {share > 0 && share < 1 ? '<1' : Math.round(share)} %
      </Text>
    </Group>
  );
}
