import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import type { DataRecord } from '#shared/schemas.ts';
import { parseInstant } from '#shared/time.ts';
import { KeyName } from '../../../components/facts/key-name.tsx';
import { shortened } from '../../../format.ts';
import { formatLocal } from '../../../time.ts';
import classes from './record-table.module.css';

interface RecordTableProps {
  readonly keys: readonly string[];
  readonly records: readonly DataRecord[];
}

const ROW_HEIGHT = 32;
/** Letters of a value that are told to who points at it. */
const MOST_POINTED_AT = 2_000;
/** Room for a time to the microsecond, 26 characters. */
const TIME_WIDTH = 240;
/** Room for the longest a double is written: `-1.7976931348623157e+308`. */
const KEY_WIDTH = 220;

/** Records as rows and keys as columns, virtual both ways: a record may have hundreds of keys. */
export function RecordTable({ keys, records }: RecordTableProps) {
  const frame = useRef<HTMLDivElement>(null);
  // oxlint-disable-next-line react/incompatible-library -- only matters to the React compiler, which is not used
  const rows = useVirtualizer({
    count: records.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 10,
  });
  const columns = useVirtualizer({
    horizontal: true,
    count: keys.length,
    getScrollElement: () => frame.current,
    estimateSize: () => KEY_WIDTH,
    paddingStart: TIME_WIDTH,
    overscan: 4,
  });
  const shown = columns.getVirtualItems();
  const width = Math.max(columns.getTotalSize(), TIME_WIDTH + KEY_WIDTH);
  return (
    <div ref={frame} className={classes['frame']} tabIndex={0} role="region" aria-label="Records, scrollable">
      <div
        role="table"
        aria-label="Records"
        aria-rowcount={records.length + 1}
        aria-colcount={keys.length + 1}
        style={{ width, minWidth: '100%' }}
      >
        <div role="row" aria-rowindex={1} className={classes['head']}>
          <div
            role="columnheader"
            aria-colindex={1}
            className={classes['time']}
            style={{ width: TIME_WIDTH }}
          >
            Time (local)
          </div>
          {shown.map(({ index, start }) => (
            <div
              role="columnheader"
              key={index}
              aria-colindex={index + 2}
              className={classes['cell']}
              data-kind={kindOf(keys[index] ?? '', records)}
              style={{ left: start, width: KEY_WIDTH }}
            >
              <KeyName name={keys[index] ?? ''} />
            </div>
          ))}
        </div>
        <div role="rowgroup" className={classes['body']} style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map((row) => {
            const record = records[row.index];
            if (!record) return null;
            const instant = parseInstant(record.timestamp);
            return (
              <div
                role="row"
                key={row.index}
                aria-rowindex={row.index + 2}
                className={classes['row']}
                style={{ transform: `translateY(${row.start}px)` }}
              >
                <div
                  role="cell"
                  aria-colindex={1}
                  className={classes['time']}
                  style={{ width: TIME_WIDTH }}
                  title={record.timestamp}
                >
                  {instant === null ? record.timestamp : formatLocal(instant)}
                </div>
                {shown.map(({ index, start }) => {
                  const value = record[keys[index] ?? ''];
                  const text = value === undefined ? '' : String(value);
                  return (
                    <div
                      role="cell"
                      key={index}
                      aria-colindex={index + 2}
                      className={classes['cell']}
                      data-kind={typeof value}
                      style={{ left: start, width: KEY_WIDTH }}
                      title={shortened(text, MOST_POINTED_AT)}
                    >
                      {shortened(text)}
                    </div>
                  );
                })}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

/** What a key's values are, judged by the newest: its header stands where they do. */
function kindOf(key: string, records: readonly DataRecord[]): string {
  return typeof records.find((record) => record[key] !== undefined)?.[key];
}
