import { Button, Text } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import type { Inspection } from '#shared/operations/records/records.ts';
import { countOf, shortened } from '../format.ts';
import type { LineHolds } from './columns.ts';
import classes from './rows-table.module.css';

interface LinesAboveProps {
  readonly inspection: Inspection;
  readonly onSay: (line: number, holds: LineHolds) => void;
}

interface Line {
  readonly line: number;
  readonly text: string;
  readonly holds: 'before' | 'names' | 'units' | 'other';
}

const HOLDS = { names: 'names', units: 'units', other: 'left out' } as const;

/**
 * The lines above the data as the file writes them; a click says that one holds the names, or the units. Below a title those
 * down to the names are folded, so that the rows of the table stay in sight: the names stand in its heads.
 */
export function LinesAbove({ inspection, onSay }: LinesAboveProps) {
  const [isOpen, setOpen] = useState(false);
  const { lines_before: before, head_lines: head, first_line: first } = inspection;
  const lines: Line[] = [
    ...before.map((text, at) => ({ line: at + 1, text, holds: unitsIn(inspection, at + 1) })),
    ...head,
  ];
  // Names alone stand in the heads of the columns.
  if (before.length === 0 && head.length < 2) return null;
  const [names] = head.filter(({ holds }) => holds === 'names');
  const last = names?.line ?? first - 1;
  const hidden = first - 1 - before.length;
  const isTitled = before.length > 0;
  const shown = isTitled && !isOpen ? lines.filter(({ line }) => line > last) : lines;
  return (
    <div className={classes['above']}>
      {isTitled && (
        <button
          type="button"
          className={classes['foldLine']}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <span className={classes['number']}>{last === 1 ? '1' : `1–${last}`}</span>
          <IconChevronRight size={14} className={classes['chevron']} />
          <span className={classes['folded']}>
            {countOf(last, 'line')} above{names ? `, names in line ${names.line}` : ''}
            {unitsAbove(inspection, last)}
          </span>
          {!isOpen && (
            <span className={classes['text']} dir="auto">
              {shortened(before.find((text) => text.trim() !== '') ?? '')}
            </span>
          )}
        </button>
      )}
      {shown.length > 0 && (
        <ol aria-label="Lines above the data">
          {shown.map((line) => (
            <LineAbove key={line.line} {...line} onSay={onSay} />
          ))}
          {isOpen && hidden > 0 && (
            <Text component="li" size="xs" c="dimmed">
              And {hidden} more above the names.
            </Text>
          )}
        </ol>
      )}
    </div>
  );
}

const unitsAbove = ({ units_line: units }: Inspection, last: number) =>
  units !== null && units <= last ? `, units in line ${units}` : '';

function LineAbove({ line, text, holds, onSay }: Line & Pick<LinesAboveProps, 'onSay'>) {
  const isEmpty = text.trim() === '';
  return (
    <li data-holds={holds}>
      <span className={classes['number']}>{line}</span>
      <span className={classes['text']} dir="auto" title={shortened(text)}>
        {shortened(text) || ' '}
      </span>
      {holds !== 'before' && <span className={classes['holds']}>{HOLDS[holds]}</span>}
      {holds !== 'names' && !isEmpty && (
        <Say line={line} onClick={() => onSay(line, 'names')}>
          Names are here
        </Say>
      )}
      {holds !== 'units' && holds !== 'names' && !isEmpty && (
        <Say line={line} onClick={() => onSay(line, 'units')}>
          Units are here
        </Say>
      )}
      {holds !== 'before' && holds !== 'names' && (
        <Say line={line} onClick={() => onSay(line, 'no-units')}>
          It is data
        </Say>
      )}
    </li>
  );
}

const unitsIn = ({ units_line: units }: Inspection, line: number): 'units' | 'before' =>
  line === units ? 'units' : 'before';

function Say({
  line,
  onClick,
  children,
}: {
  readonly line: number;
  readonly onClick: () => void;
  readonly children: string;
}) {
  return (
    <Button
      size="compact-xs"
      variant="subtle"
      className={classes['say'] ?? ''}
      aria-label={`${children}, line ${line}`}
      onClick={onClick}
    >
      {children}
    </Button>
  );
}
