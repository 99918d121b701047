import { RecordFault } from '../../ingest/record.ts';
import { quote } from '#shared/values/validate.ts';
import type { Cell } from '../text/csv.ts';
import { createLocalTime, type LocalTime } from './local-time.ts';
import { zoneInColumn, type ZoneColumn } from './said-zone.ts';

/** The zone of each row by a column that says it. Throws RecordFault where a row says none. */
export function createRowZones(column: ZoneColumn): (cells: readonly Cell[]) => LocalTime {
  const known = new Map<string, LocalTime>();
  return (cells) => {
    const text = cells[column.index]?.text.trim() ?? '';
    const found = known.get(text);
    if (found) return found;
    const word = zoneInColumn(text, column);
    if (!word)
      throw new RecordFault(
        `${column.name} must be the zone of the row's time, such as "+02:00" or "Europe/Berlin", got ${quote(text)}; say the time zone where one holds for all rows [zone=…]`,
      );
    const local = createLocalTime(word.zone);
    known.set(text, local);
    return local;
  };
}
