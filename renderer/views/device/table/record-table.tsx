import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef } from 'react';
import { UPLINK } from '#shared/domain/decoder-names.ts';
import type { DataRecord } from '#shared/schema/schemas.ts';
import { parseInstant, type Micros } from '#shared/values/time.ts';
import type { KeySettings } from '#shared/operations/metadata/key-settings.ts';
import { TableFrame, useRows } from '../../../components/table/table-frame.tsx';
import { decimalsOf } from '../../../numbers.ts';
import type { Zone } from '../../../time.ts';
import { RecordHead } from './record-head.tsx';
import { RecordRow } from './record-row.tsx';

interface RecordTableProps {
  readonly keys: readonly string[];
  readonly records: readonly DataRecord[];
  /** How a key is shown. */
  readonly settingsOf: (key: string) => KeySettings;
  readonly zone: Zone;
  readonly onZone: (zone: Zone) => void;
  /** The newest record up to this time is brought into view; null for none. */
  readonly looked: Micros | null;
  /** A number is to be seen in the chart. */
  readonly onShow: (key: string, row: number) => void;
}

/** Room for a time to the microsecond, 26 characters, and for the mark of a payload that was not decoded. */
const TIME_WIDTH = 240;
const MARKED_WIDTH = 360;
const KEY_WIDTH = 220;

/** Records as rows and keys as columns, virtual both ways: a record may have hundreds of keys. */
export function RecordTable(props: RecordTableProps) {
  const { keys, records, settingsOf, zone, onZone, looked, onShow } = props;
  const frame = useRef<HTMLDivElement>(null);
  const rows = useRows(frame, records.length, 'dense');
  const found =
    looked === null ? -1 : records.findIndex(({ timestamp }) => (parseInstant(timestamp) ?? 0) <= looked);
  useEffect(() => {
    if (found >= 0) rows.scrollToIndex(found, { align: 'center' });
  }, [found, rows]);
  const timeWidth = records.some((record) => record[UPLINK.error] !== undefined) ? MARKED_WIDTH : TIME_WIDTH;
  // oxlint-disable-next-line react/incompatible-library -- only matters to the React compiler, which is not used
  const columns = useVirtualizer({
    horizontal: true,
    count: keys.length,
    getScrollElement: () => frame.current,
    estimateSize: () => KEY_WIDTH,
    paddingStart: timeWidth,
    overscan: 4,
  });
  const decimals = useMemo(() => decimalsIn(records), [records]);
  const shown = { keys, settingsOf, zone, timeWidth, columns: columns.getVirtualItems() };
  return (
    <TableFrame
      label="Records"
      density="dense"
      rows={rows}
      columns={{
        count: keys.length + 1,
        width: Math.max(columns.getTotalSize(), timeWidth + KEY_WIDTH),
      }}
      frame={{ ref: frame, tabIndex: 0, role: 'region', 'aria-label': 'Records, scrollable' }}
      head={<RecordHead {...shown} records={records} onZone={onZone} />}
      renderRow={({ index, start, size }) => {
        const record = records[index];
        return (
          record && (
            <RecordRow
              key={index}
              {...shown}
              record={record}
              index={index}
              top={start}
              height={size}
              isLooked={index === found}
              decimals={decimals}
              onShow={(key) => onShow(key, index)}
            />
          )
        );
      }}
    />
  );
}

/** The decimals of each key's numbers, so that those of a column stand under each other. */
function decimalsIn(records: readonly DataRecord[]): ReadonlyMap<string, number> {
  const numbers = new Map<string, number[]>();
  for (const record of records)
    for (const [key, value] of Object.entries(record)) {
      if (typeof value !== 'number') continue;
      const ofKey = numbers.get(key);
      if (ofKey) ofKey.push(value);
      else numbers.set(key, [value]);
    }
  return new Map([...numbers].map(([key, ofKey]) => [key, decimalsOf(ofKey)]));
}
