import type { VirtualItem } from '@tanstack/react-virtual';
import type { DataRecord } from '#shared/schema/schemas.ts';
import { parseInstant } from '#shared/values/time.ts';
import type { KeySettings } from '#shared/operations/metadata/key-settings.ts';
import { KeyName } from '../../../components/facts/key-name.tsx';
import table from '../../../components/table/table.module.css';
import { localZone, zoneOffset, type Zone } from '../../../time.ts';
import classes from './record-table.module.css';

/** Layout shared by header and rows of the records. */
export interface RecordColumns {
  readonly keys: readonly string[];
  readonly settingsOf: (key: string) => KeySettings;
  readonly zone: Zone;
  /** Pixels. */
  readonly timeWidth: number;
  /** The keys that are in sight, by their places. */
  readonly columns: readonly VirtualItem[];
}

interface RecordHeadProps extends RecordColumns {
  readonly records: readonly DataRecord[];
  readonly onZone: (zone: Zone) => void;
}

/** Over the records: whose time theirs is, and what their keys are called. */
export function RecordHead({ keys, settingsOf, zone, timeWidth, columns, records, onZone }: RecordHeadProps) {
  return (
    <>
      <div
        role="columnheader"
        aria-colindex={1}
        className={`${table['cell']} ${classes['time']}`}
        style={{ width: timeWidth }}
      >
        <button
          type="button"
          className={classes['link']}
          title={zone === 'utc' ? `Show ${localZone()}` : 'Show UTC'}
          onClick={() => onZone(zone === 'utc' ? 'local' : 'utc')}
        >
          Time ({zoneOf(records, zone)})
        </button>
      </div>
      {columns.map(({ index, start, size }) => (
        <div
          role="columnheader"
          key={index}
          aria-colindex={index + 2}
          className={`${table['cell']} ${classes['cell']}`}
          data-align={isNumber(keys[index] ?? '', records) ? 'end' : undefined}
          style={{ left: start, width: size }}
        >
          <KeyHeader name={keys[index] ?? ''} settings={settingsOf(keys[index] ?? '')} />
        </div>
      ))}
    </>
  );
}

/** The offset of the records' times; the name of the zone where that changes among them. */
function zoneOf(records: readonly DataRecord[], zone: Zone): string {
  const ends = [records[0], records.at(-1)].map((record) => parseInstant(record?.timestamp ?? '') ?? 0);
  const [offset = '', ...others] = new Set(ends.map((at) => zoneOffset(at, zone)));
  return others.length === 0 ? offset : localZone();
}

/** Whether a key's values are numbers, judged by the newest: its header stands where they do. */
function isNumber(key: string, records: readonly DataRecord[]): boolean {
  return typeof records.find((record) => record[key] !== undefined)?.[key] === 'number';
}

/** Header with a key's title and unit; its own name shows on hover. */
function KeyHeader({ name, settings }: { readonly name: string; readonly settings: KeySettings }) {
  if (settings.shown_as === '' && settings.unit === '') return <KeyName name={name} />;
  return (
    <span title={name}>
      {settings.shown_as === '' ? <KeyName name={name} /> : settings.shown_as}
      {settings.unit !== '' && <span className={classes['unit']}> {settings.unit}</span>}
    </span>
  );
}
