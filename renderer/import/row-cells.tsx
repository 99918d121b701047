import type { Column, Inspection } from '#shared/operations/records/records.ts';
import { parseInstant } from '#shared/values/time.ts';
import { Moment } from '../components/facts/moment.tsx';
import { shortened } from '../format.ts';
import { exactNumber } from '../numbers.ts';
import classes from './rows-table.module.css';

export const isValue = ({ role }: Column) => role === 'value' || role === 'empty';

/** The time of a row as it is stored, or why there is none. */
export function TimeCell({ inspection, at }: { readonly inspection: Inspection; readonly at: number }) {
  const { row_times: times, row_values: values, row_lines: lines, first_fault: fault } = inspection;
  const time = parseInstant(times[at] ?? '');
  if (time !== null)
    return (
      <td className={classes['time']}>
        <Moment at={time} />
      </td>
    );
  const isStored = values[at]?.some((value) => value !== null) === true;
  const message = fault !== null && fault.line === lines[at] ? fault.message : undefined;
  return (
    <td className={classes['time']} data-left={!isStored || undefined} title={message}>
      {isStored ? 'When it is imported' : inspection.problem === null ? 'Left out' : '–'}
    </td>
  );
}

interface CellProps {
  readonly column: Column;
  readonly written: string;
  readonly value: Inspection['row_values'][number][number];
  readonly isIn: boolean;
  /** Characters that its decimal point stands further left. */
  readonly shift: number;
}

/** A value as it is stored; what is not, as the file writes it, in grey. */
export function Cell({ column, written, value, isIn: isImported, shift }: CellProps) {
  const isStored = isImported && value !== null;
  const isMisfit = isStored && typeof value === 'string' && column.odd !== undefined;
  return (
    <td
      dir={typeof value === 'number' ? undefined : 'auto'}
      title={shortened(written)}
      data-left={!isStored || undefined}
      data-misfit={isMisfit || undefined}
      data-number={typeof value === 'number' || undefined}
      // Of a number that stays out the text of the file is shown.
      style={isStored && shift > 0 ? { paddingRight: `calc(8px + ${shift}ch)` } : undefined}
    >
      {shortened(isStored ? textOf(value) : written)}
    </td>
  );
}

type Stored = CellProps['value'];

export const numberText = (value: Stored | undefined) =>
  typeof value === 'number' ? exactNumber(value) : null;

const textOf = (value: string | number | boolean) =>
  typeof value === 'number' ? exactNumber(value) : String(value);
