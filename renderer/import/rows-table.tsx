import { ActionIcon, Button, Checkbox, Menu, Text } from '@mantine/core';
import { useState } from 'react';
import { matches } from '#shared/values/text.ts';
import type { Column, Inspection } from '#shared/operations/records/records.ts';
import { parseInstant } from '#shared/values/time.ts';
import { Moment } from '../components/facts/moment.tsx';
import { shortened } from '../format.ts';
import { Cell, isValue, numberText, TimeCell } from './row-cells.tsx';
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
/** So many are ticked one by one: a search and "none" would stand between them and the eye. */
const AT_A_GLANCE = 8;

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
  const values = valueColumns(inspection);
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
      {isCsv && values.length > AT_A_GLANCE && (
        <ColumnTools
          inspection={inspection}
          choices={choices}
          found={valueColumns({ columns: found })}
          search={search}
          onSearch={setSearch}
          onChange={onChange}
        />
      )}
      {isCsv && <LinesAbove inspection={inspection} onSay={say} />}
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
      {values.length <= AT_A_GLANCE && !values.some(({ name }) => isImported(name)) && (
        <Text size="sm" c="danger" role="status" aria-label="Columns">
          No column comes in: choose what to import.
        </Text>
      )}
      <Ends inspection={inspection} />
    </div>
  );
}

const ROLES = { time: 'time', 'row-number': 'row number, left out', value: '', empty: 'empty so far' };
const headWords = ({ name, role, kind }: Column) => `${name || '(no name)'} ${ROLES[role] || kind}`;

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
