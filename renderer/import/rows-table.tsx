import { ActionIcon, Button, Checkbox, Menu, Text } from '@mantine/core';
import { useState } from 'react';
import { matches } from '#shared/values/text.ts';
import type { Column, Inspection } from '#shared/operations/records/records.ts';
import { parseInstant } from '#shared/values/time.ts';
import { Moment } from '../components/facts/moment.tsx';
import { shortened } from '../format.ts';
import { exactNumber } from '../numbers.ts';
import { ColumnHead } from './column-head.tsx';
import { ColumnTools } from './column-tools.tsx';
import { isIn, sayLine, tickColumns, valueColumns, type LineHolds } from './columns.ts';
import { Curve, rangeOf } from './curve.tsx';
import type { FileItem } from './files/file-items.ts';
import type { ImportChoices } from './import-choices.ts';
import { LinesAbove } from './lines-above.tsx';
import { pointShifts } from './point-shifts.ts';
import classes from './rows-table.module.css';
import { TimeHead } from './time-head.tsx';

interface RowsTableProps {
  readonly item: FileItem;
  readonly inspection: Inspection;
  readonly choices: ImportChoices;
  readonly onChange: (choices: ImportChoices) => void;
  readonly onUnit: (column: string, unit: string) => void;
}

/** Columns that are drawn at once: fields for thousands keep a window busy. */
const MOST_COLUMNS = 40;

interface Placed extends Column {
  readonly place: number;
}

/** The rows of a file as they will be stored; in the heads of its columns what is made of each. */
export function RowsTable({ item, inspection, choices, onChange, onUnit }: RowsTableProps) {
  const [search, setSearch] = useState('');
  const [most, setMost] = useState(MOST_COLUMNS);
  const isCsv = inspection.format === 'csv';
  const columns = inspection.columns.map((column, place): Placed => ({ ...column, place }));
  const found = columns.filter(({ name, role }) => search === '' || role === 'time' || matches(search, name));
  const shown = found.slice(0, most);
  const isImported = isIn(choices);
  const shifts = new Map(
    shown.map(({ place }) => [
      place,
      pointShifts(inspection.rows.map((_, at) => numberText(inspection.row_values[at]?.[place]))),
    ]),
  );
  const say = (line: number, holds: LineHolds) => onChange(sayLine(choices, line, holds));
  const tick = (name: string, ticked: boolean) =>
    onChange(tickColumns(choices, inspection, new Set([name]), ticked));
  return (
    <div className={classes['all']}>
      {isCsv && <LinesAbove inspection={inspection} onSay={say} />}
      {isCsv && (
        <ColumnTools
          inspection={inspection}
          choices={choices}
          found={valueColumns({ columns: found })}
          search={search}
          onSearch={setSearch}
          onChange={onChange}
        />
      )}
      <div className={classes['scroll']} role="group" aria-label="Rows and columns">
        <table className={classes['table']} aria-label="First rows">
          <thead>
            <tr>
              <th scope="col" className={classes['line']}>
                {isCsv ? <LineMenu line={inspection.first_line} onSay={say} /> : 'Line'}
              </th>
              <th scope="col" className={classes['time']} aria-label="Time as it is stored">
                <TimeHead inspection={inspection} choices={choices} onChange={onChange} />
              </th>
              {shown.map((column) => (
                <th key={column.name} scope="col" aria-label={headWords(column)} data-role={column.role}>
                  {isCsv && isValue(column) ? (
                    <ColumnHead
                      item={item}
                      column={column}
                      choices={choices}
                      isIn={isImported(column.name)}
                      onTick={(ticked) => tick(column.name, ticked)}
                      onChange={onChange}
                      onUnit={(unit) => onUnit(column.name, unit)}
                    />
                  ) : (
                    <PlainHead item={item} column={column} onTick={() => tick(column.name, true)} />
                  )}
                </th>
              ))}
              {found.length > shown.length && (
                <th scope="col" className={classes['more']}>
                  <Button size="compact-xs" variant="subtle" onClick={() => setMost(most + MOST_COLUMNS)}>
                    {found.length - shown.length} more…
                  </Button>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {inspection.rows.map((row, at) => {
              const line = inspection.row_lines[at] ?? 0;
              return (
                <tr key={line}>
                  <td className={classes['line']}>{isCsv ? <LineMenu line={line} onSay={say} /> : line}</td>
                  <TimeCell inspection={inspection} at={at} />
                  {shown.map((column) => (
                    <Cell
                      key={column.name}
                      column={column}
                      written={row[column.place] ?? ''}
                      value={inspection.row_values[at]?.[column.place] ?? null}
                      isIn={isValue(column) && isImported(column.name)}
                      shift={shifts.get(column.place)?.[at] ?? 0}
                    />
                  ))}
                  {found.length > shown.length && <td />}
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      <Ends inspection={inspection} />
    </div>
  );
}

const ROLES = { time: 'time', 'row-number': 'row number, left out', value: '', empty: 'empty so far' };
const headWords = ({ name, role, kind }: Column) => `${name || '(no name)'} ${ROLES[role] || kind}`;
const isValue = ({ role }: Column) => role === 'value' || role === 'empty';

/** A column that is no key, or one of NDJSON, which says itself what it is called. */
function PlainHead({
  item: { report },
  column,
  onTick,
}: {
  readonly item: FileItem;
  readonly column: Column;
  readonly onTick: () => void;
}) {
  const { name, role, kind } = column;
  const found = report.state === 'read' ? report.found.course : null;
  const course = isValue(column) ? found?.keys.find((one) => one.key === name) : undefined;
  return (
    <div className={classes['head']}>
      <div className={classes['pair']}>
        {role === 'row-number' && (
          <Checkbox size="xs" aria-label={`Import ${name}`} checked={false} onChange={onTick} />
        )}
        <span className={classes['title']} dir="auto" title={name}>
          {shortened(name) || '(no name)'}
        </span>
      </div>
      <Text size="xs" c="dimmed">
        {role === 'time' ? 'as the file writes it' : ROLES[role] || kind}
      </Text>
      {isValue(column) && (
        <>
          <Curve name={name} times={found?.times ?? []} course={course} />
          <span className={classes['range']}>{course ? rangeOf(course) : ''}</span>
        </>
      )}
    </div>
  );
}

function TimeCell({ inspection, at }: { readonly inspection: Inspection; readonly at: number }) {
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
function Cell({ column, written, value, isIn: isImported, shift }: CellProps) {
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

const numberText = (value: Stored | undefined) => (typeof value === 'number' ? exactNumber(value) : null);

const textOf = (value: string | number | boolean) =>
  typeof value === 'number' ? exactNumber(value) : String(value);

/** The number of a line, and what can be said of it. */
function LineMenu({
  line,
  onSay,
}: {
  readonly line: number;
  readonly onSay: (line: number, holds: LineHolds) => void;
}) {
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          w="100%"
          className={classes['lineButton'] ?? ''}
          aria-label={`Line ${line}`}
        >
          {line}
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onSay(line, 'names')}>Names are here</Menu.Item>
        <Menu.Item onClick={() => onSay(line, 'units')}>Units are here</Menu.Item>
        <Menu.Item onClick={() => onSay(line, 'data')}>Data begin here, without names</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** The times that the file lies between. */
function Ends({ inspection }: { readonly inspection: Inspection }) {
  const first = parseInstant(inspection.first ?? '');
  const last = parseInstant(inspection.last ?? '');
  if (first === null) return null;
  return (
    <Text size="sm">
      First row: <Moment at={first} />
      {last !== null && (
        <>
          {' '}
          · last row: <Moment at={last} />
        </>
      )}
    </Text>
  );
}
