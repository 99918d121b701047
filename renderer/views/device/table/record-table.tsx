import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef } from 'react';
import type { DataRecord } from '#shared/schema/schemas.ts';
import { parseInstant, type Micros } from '#shared/values/time.ts';
import { isOutside } from '#shared/operations/metadata/key-defaults.ts';
import type { KeySettings } from '#shared/operations/metadata/key-settings.ts';
import { KeyName } from '../../../components/facts/key-name.tsx';
import { OutsideMark } from '../../../components/facts/outside-mark.tsx';
import { shortened } from '../../../format.ts';
import { decimalPlaces, decimalsOf, formatNumber } from '../../../numbers.ts';
import { formatTime, localZone, zoneOffset, type Zone } from '../../../time.ts';
import classes from './record-table.module.css';

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

const ROW_HEIGHT = 32;
/** Letters of a value that are told to who points at it. */
const MOST_POINTED_AT = 2_000;
/** Room for a time to the microsecond, 26 characters. */
const TIME_WIDTH = 240;
const KEY_WIDTH = 220;
/** Characters of a number that a column has room for: the digits of any double, and their commas. */
const NUMBER_ROOM = 24;

/** Records as rows and keys as columns, virtual both ways: a record may have hundreds of keys. */
export function RecordTable(props: RecordTableProps) {
  const { keys, records, settingsOf, zone, onZone, looked, onShow } = props;
  const frame = useRef<HTMLDivElement>(null);
  // oxlint-disable-next-line react/incompatible-library -- only matters to the React compiler, which is not used
  const rows = useVirtualizer({
    count: records.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 10,
  });
  const found =
    looked === null ? -1 : records.findIndex(({ timestamp }) => (parseInstant(timestamp) ?? 0) <= looked);
  useEffect(() => {
    if (found >= 0) rows.scrollToIndex(found, { align: 'center' });
  }, [found, rows]);
  const columns = useVirtualizer({
    horizontal: true,
    count: keys.length,
    getScrollElement: () => frame.current,
    estimateSize: () => KEY_WIDTH,
    paddingStart: TIME_WIDTH,
    overscan: 4,
  });
  const shown = columns.getVirtualItems();
  const decimals = useMemo(() => decimalsIn(records), [records]);
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
            <button
              type="button"
              className={classes['zone']}
              title={zone === 'utc' ? `Show ${localZone()}` : 'Show UTC'}
              onClick={() => onZone(zone === 'utc' ? 'local' : 'utc')}
            >
              Time ({zoneOf(records, zone)})
            </button>
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
              <KeyHeader name={keys[index] ?? ''} settings={settingsOf(keys[index] ?? '')} />
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
                {...(row.index === found && { 'data-looked': true, 'aria-current': 'true' as const })}
                style={{ transform: `translateY(${row.start}px)` }}
              >
                <div
                  role="cell"
                  aria-colindex={1}
                  className={classes['time']}
                  style={{ width: TIME_WIDTH }}
                  title={record.timestamp}
                >
                  <button
                    type="button"
                    className={classes['show']}
                    aria-label={`${instant === null ? record.timestamp : formatTime(instant, zone)}, show in the chart`}
                    onClick={() => onShow(firstNumber(record, keys), row.index)}
                  >
                    {instant === null ? record.timestamp : formatTime(instant, zone)}
                  </button>
                </div>
                {shown.map(({ index, start }) => {
                  const value = record[keys[index] ?? ''];
                  const exact = value === undefined ? '' : String(value);
                  const settings = settingsOf(keys[index] ?? '');
                  return (
                    <div
                      role="cell"
                      key={index}
                      aria-colindex={index + 2}
                      className={classes['cell']}
                      data-kind={typeof value}
                      style={{ left: start, width: KEY_WIDTH }}
                      title={shortened(exact, MOST_POINTED_AT)}
                    >
                      {isOutside(value, settings) && <OutsideMark settings={settings} short />}
                      {typeof value === 'number' ? (
                        <button
                          type="button"
                          // Every cell would be a stop of Tab; the row's time is the one.
                          tabIndex={-1}
                          className={classes['show']}
                          onClick={() => onShow(keys[index] ?? '', row.index)}
                        >
                          {formatNumber(value, {
                            given: settings.decimals,
                            alike: Math.max(decimals.get(keys[index] ?? '') ?? 0, decimalPlaces(value)),
                            room: NUMBER_ROOM,
                          })}
                        </button>
                      ) : (
                        value !== undefined && shortened(String(value))
                      )}
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

/** The offset of the records' times; the name of the zone where that changes among them. */
function zoneOf(records: readonly DataRecord[], zone: Zone): string {
  const ends = [records[0], records.at(-1)].map((record) => parseInstant(record?.timestamp ?? '') ?? 0);
  const [offset = '', ...others] = new Set(ends.map((at) => zoneOffset(at, zone)));
  return others.length === 0 ? offset : localZone();
}

/** What people call a key, and its unit; its own name is what is pointed at. */
function KeyHeader({ name, settings }: { readonly name: string; readonly settings: KeySettings }) {
  if (settings.shown_as === '' && settings.unit === '') return <KeyName name={name} />;
  return (
    <span title={name}>
      {settings.shown_as === '' ? <KeyName name={name} /> : settings.shown_as}
      {settings.unit !== '' && <span className={classes['unit']}> {settings.unit}</span>}
    </span>
  );
}

/** The first shown key with a number, for who goes to the chart by a record's time. */
function firstNumber(record: DataRecord, keys: readonly string[]): string {
  return keys.find((key) => typeof record[key] === 'number') ?? keys[0] ?? '';
}

/** What a key's values are, judged by the newest: its header stands where they do. */
function kindOf(key: string, records: readonly DataRecord[]): string {
  return typeof records.find((record) => record[key] !== undefined)?.[key];
}
