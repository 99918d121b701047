import type { DataRecord } from '#shared/schema/schemas.ts';
import { parseInstant } from '#shared/values/time.ts';
import { isOutside } from '#shared/operations/metadata/key-defaults.ts';
import { OutsideMark } from '../../../components/facts/outside-mark.tsx';
import table from '../../../components/table/table.module.css';
import { shortened } from '../../../format.ts';
import { decimalPlaces, formatNumber } from '../../../numbers.ts';
import { formatTime } from '../../../time.ts';
import { NotDecodedMark } from './not-decoded-mark.tsx';
import type { RecordColumns } from './record-head.tsx';
import classes from './record-table.module.css';

interface RecordRowProps extends RecordColumns {
  readonly record: DataRecord;
  readonly index: number;
  /** Pixels from the top of the first row. */
  readonly top: number;
  readonly height: number;
  /** Whether its time was gone to. */
  readonly isLooked: boolean;
  /** Of each key's numbers. */
  readonly decimals: ReadonlyMap<string, number>;
  readonly onShow: (key: string) => void;
}

/** Letters of a value that are told to who points at it. */
const MOST_POINTED_AT = 2_000;
/** Characters of a number that a column has room for: the digits of any double, and their commas. */
const NUMBER_ROOM = 24;

/** A record: its time, and a value a key. */
export function RecordRow(props: RecordRowProps) {
  const { record, index, top, height, isLooked, keys, columns, zone, timeWidth, onShow } = props;
  const instant = parseInstant(record.timestamp);
  const time = instant === null ? record.timestamp : formatTime(instant, zone);
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className={table['row']}
      {...(isLooked && { 'data-looked': true, 'aria-current': 'true' as const })}
      style={{ height, transform: `translateY(${top}px)` }}
    >
      <div
        role="cell"
        aria-colindex={1}
        className={`${table['cell']} ${classes['time']}`}
        style={{ width: timeWidth }}
        title={record.timestamp}
      >
        <button
          type="button"
          className={classes['link']}
          aria-label={`${time}, show in the chart`}
          onClick={() => onShow(firstNumber(record, keys))}
        >
          {time}
        </button>
        <NotDecodedMark record={record} />
      </div>
      {columns.map((place) => (
        <ValueCell key={place.index} {...props} place={place} />
      ))}
    </div>
  );
}

function ValueCell({
  record,
  keys,
  settingsOf,
  decimals,
  onShow,
  place: { index, start, size },
}: RecordRowProps & { readonly place: RecordColumns['columns'][number] }) {
  const key = keys[index] ?? '';
  const value = record[key];
  const settings = settingsOf(key);
  return (
    <div
      role="cell"
      aria-colindex={index + 2}
      className={`${table['cell']} ${classes['cell']}`}
      data-align={typeof value === 'number' ? 'end' : undefined}
      style={{ left: start, width: size }}
      title={shortened(value === undefined ? '' : String(value), MOST_POINTED_AT)}
    >
      {isOutside(value, settings) && <OutsideMark settings={settings} short />}
      {typeof value === 'number' ? (
        <button
          type="button"
          // Every cell would be a stop of Tab; the row's time is the one.
          tabIndex={-1}
          className={classes['link']}
          onClick={() => onShow(key)}
        >
          {formatNumber(value, {
            given: settings.decimals,
            alike: Math.max(decimals.get(key) ?? 0, decimalPlaces(value)),
            room: NUMBER_ROOM,
          })}
        </button>
      ) : (
        value !== undefined && shortened(String(value))
      )}
    </div>
  );
}

/** The first shown key with a number, for who goes to the chart by a record's time. */
function firstNumber(record: DataRecord, keys: readonly string[]): string {
  return keys.find((key) => typeof record[key] === 'number') ?? keys[0] ?? '';
}
