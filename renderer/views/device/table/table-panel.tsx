import { Group, Pagination, Skeleton, Text } from '@mantine/core';
import { IconTable } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { Empty } from '../../../components/screen/empty.tsx';
import { Problem } from '../../../components/work/problem.tsx';
import { formatCount } from '../../../format.ts';
import type { DeviceDetail } from '../../../stores/devices.ts';
import {
  readTable,
  RECORDS_A_PAGE,
  showTablePage,
  useTablePage,
  watchTable,
} from '../../../stores/table-page.ts';
import { RecordTable } from './record-table.tsx';

interface TablePanelProps {
  readonly project_id: string;
  readonly detail: DeviceDetail;
}

const CONTROLS = { first: 'First page', previous: 'Previous page', next: 'Next page', last: 'Last page' };

/** The records themselves, exactly as stored, newest first, a page at a time. */
export function TablePanel({ project_id, detail: { device, summary } }: TablePanelProps) {
  const [wanted, setWanted] = useState(1);
  const pages = Math.max(1, Math.ceil(summary.records / RECORDS_A_PAGE));
  const page = Math.min(wanted, pages);
  const { records, error } = useTablePage();
  useEffect(() => watchTable(device.id), [device.id]);
  useEffect(() => showTablePage({ project_id, device_id: device.id, page }), [project_id, device.id, page]);

  if (summary.records === 0)
    return (
      <Empty icon={IconTable} title="No records">
        What the device stores, or a recording that is dropped on this page, shows up here.
      </Empty>
    );
  const first = (page - 1) * RECORDS_A_PAGE + 1;
  const last = Math.min(summary.records, page * RECORDS_A_PAGE);
  return (
    <>
      {error !== null && <Problem message={error} onRetry={readTable} />}
      {records ? (
        <RecordTable keys={summary.keys.map(({ key }) => key)} records={records} />
      ) : (
        <Skeleton flex={1} />
      )}
      <Group justify="space-between">
        <Text size="sm" c="dimmed" style={{ fontVariantNumeric: 'tabular-nums' }}>
          {formatCount(first)}–{formatCount(last)} of {formatCount(summary.records)}
        </Text>
        <Pagination
          total={pages}
          value={page}
          onChange={setWanted}
          withEdges
          size="sm"
          siblings={1}
          getItemProps={(number) => ({ 'aria-label': `Page ${number}` })}
          getControlProps={(control) => ({ 'aria-label': CONTROLS[control] })}
        />
      </Group>
    </>
  );
}
