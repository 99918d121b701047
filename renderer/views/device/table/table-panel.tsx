import { Group, Pagination, Text } from '@mantine/core';
import { IconTable } from '@tabler/icons-react';
import { useEffect, useMemo, useState } from 'react';
import { formatMicros, parseInstant, type Micros } from '#shared/values/time.ts';
import { ask, messageOf } from '../../../bridge/ask.ts';
import { Empty } from '../../../components/screen/empty.tsx';
import { Problem } from '../../../components/work/problem.tsx';
import { formatCount } from '../../../format.ts';
import { nameOfKey } from '../../../components/facts/key-words.ts';
import { goTo, keepAddress } from '../../../router.ts';
import { useKeySettings } from '../../../stores/key-settings.ts';
import type { DeviceDetail } from '../../../stores/devices.ts';
import type { Zone } from '../../../time.ts';
import {
  readTable,
  RECORDS_A_PAGE,
  showTablePage,
  useTablePage,
  watchTable,
} from '../../../stores/table-page.ts';
import type { DeviceShown, ListShown } from '../device-address.ts';
import { useCorrections } from '../../../stores/corrections.ts';
import { ViewLine } from '../corrections/view-line.tsx';
import { useHiddenColumns } from './hidden-columns.ts';
import { RecordTable } from './record-table.tsx';
import { TableTools } from './table-tools.tsx';
import { Loading } from '../../../components/work/loading.tsx';

interface TablePanelProps extends Pick<DeviceShown, 'chart'> {
  readonly project_id: string;
  readonly detail: DeviceDetail;
  /** Time zone of the times. */
  readonly zone: Zone;
  readonly onZone: (zone: Zone) => void;
  /** `open` is the time of the record that was looked for. */
  readonly list: ListShown;
}

/** Records on either side of one that a chart shows with it. */
const AROUND = 25;

const CONTROLS = { first: 'First page', previous: 'Previous page', next: 'Next page', last: 'Last page' };

/** The records themselves, exactly as stored, newest first, a page at a time. */
export function TablePanel({ project_id, detail: { device, summary }, ...told }: TablePanelProps) {
  const { chart, list, zone, onZone } = told;
  const device_id = device.id;
  const [wanted, setWanted] = useState(1);
  const [problem, setProblem] = useState<string | null>(null);
  const [hidden, hide] = useHiddenColumns(device_id);
  const pages = Math.max(1, Math.ceil(summary.records / RECORDS_A_PAGE));
  const page = Math.min(wanted, pages);
  const { records, error } = useTablePage();
  const settingsOf = useKeySettings(project_id);
  const isCorrected = useCorrections(project_id, device_id).list.length > 0;
  useEffect(() => watchTable(device_id), [device_id]);
  useEffect(() => showTablePage({ project_id, device_id, page }), [project_id, device_id, page]);
  const all = useMemo(() => summary.keys.map(({ key }) => key), [summary.keys]);
  const looked = list.open === undefined ? null : parseInstant(list.open);
  useEffect(() => {
    if (looked === null) return;
    const given = new AbortController();
    const find = async () => {
      try {
        setWanted(await pageOf({ project_id, device_id }, looked, given.signal));
        setProblem(null);
      } catch (failure) {
        if (!given.signal.aborted) setProblem(messageOf(failure));
      }
    };
    void find();
    return () => given.abort();
  }, [project_id, device_id, looked]);

  if (summary.records === 0)
    return (
      <Empty icon={IconTable} title="No records">
        What the device stores, or a recording that is dropped on this page, shows up here.
      </Empty>
    );
  const here = { screen: 'device', project_id, device_id, tab: 'table', ...(chart && { chart }) } as const;
  const first = (page - 1) * RECORDS_A_PAGE + 1;
  const last = Math.min(summary.records, page * RECORDS_A_PAGE);
  return (
    <>
      <TableTools
        keys={all}
        hidden={hidden}
        nameOf={(key) => nameOfKey(key, settingsOf(device_id, key))}
        zone={zone}
        onHide={hide}
        onJump={(instant) => goTo({ ...here, list: { open: formatMicros(instant) } })}
      />
      <ViewLine {...{ project_id, device_id, zone }} shown="raw" />
      {error !== null && <Problem message={error} onRetry={readTable} />}
      {problem !== null && <Problem message={problem} />}
      {records ? (
        <RecordTable
          keys={all.filter((key) => !hidden.has(key))}
          records={records}
          zone={zone}
          onZone={onZone}
          settingsOf={(key) => settingsOf(device_id, key)}
          looked={looked}
          onShow={(key, row) => {
            const window = windowAround(records, row);
            const at = parseInstant(records[row]?.timestamp ?? '');
            const shown = {
              ...(key !== '' && { keys: [key] }),
              ...(window && { window }),
              ...(at !== null && { a: at }),
            };
            // It stands there as it was stored.
            const view = isCorrected && ({ view: 'raw' } as const);
            goTo({ ...here, tab: 'chart', chart: { ...shown, ...view, ...(zone === 'utc' && { zone }) } });
          }}
        />
      ) : (
        <Loading flex={1} label="Loading the records" />
      )}
      <Group justify="space-between">
        <Text size="sm" c="dimmed" style={{ fontVariantNumeric: 'tabular-nums' }}>
          {formatCount(first)}–{formatCount(last)} of {formatCount(summary.records)}
        </Text>
        <Pagination
          total={pages}
          value={page}
          onChange={(next) => {
            setWanted(next);
            // The record that was looked for is on another page.
            if (looked !== null) keepAddress(here);
          }}
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

/** The page on which the newest record up to an instant is. */
async function pageOf(
  device: { readonly project_id: string; readonly device_id: string },
  instant: Micros,
  signal: AbortSignal,
): Promise<number> {
  const { records: newer } = await ask(
    'records.count',
    { ...device, start: formatMicros(instant + 1) },
    { signal },
  );
  return Math.floor(newer / RECORDS_A_PAGE) + 1;
}

/** The span of a record and its neighbours; null where it stands alone. */
function windowAround(records: readonly { readonly timestamp: string }[], row: number) {
  const from = parseInstant(records[Math.min(records.length - 1, row + AROUND)]?.timestamp ?? '');
  const to = parseInstant(records[Math.max(0, row - AROUND)]?.timestamp ?? '');
  return from !== null && to !== null && from < to ? { from, to } : undefined;
}
