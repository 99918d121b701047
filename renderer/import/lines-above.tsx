import { Button, Text } from '@mantine/core';
import type { Inspection } from '#shared/operations/records/records.ts';
import { shortened } from '../format.ts';
import type { LineHolds } from './columns.ts';
import classes from './rows-table.module.css';

interface LinesAboveProps {
  readonly inspection: Inspection;
  readonly onSay: (line: number, holds: LineHolds) => void;
}

const HOLDS = { names: 'names', units: 'units', other: 'left out' } as const;

/** The lines above the data as the file writes them; a click says that one holds the names, or the units. */
export function LinesAbove({ inspection, onSay }: LinesAboveProps) {
  const { lines_before: before, head_lines: head, first_line: first } = inspection;
  const hidden = first - 1 - before.length;
  const lines = [
    ...before.map((text, at) => ({ line: at + 1, text, holds: unitsIn(inspection, at + 1) })),
    ...head,
  ];
  // Names alone stand in the heads of the columns.
  if (before.length === 0 && head.length < 2) return null;
  return (
    <ol className={classes['above']} aria-label="Lines above the data">
      {lines.map(({ line, text, holds }) => (
        <li key={line} data-holds={holds}>
          <span className={classes['number']}>{line}</span>
          <span className={classes['text']} dir="auto" title={shortened(text)}>
            {shortened(text) || ' '}
          </span>
          {holds !== 'before' && <span className={classes['holds']}>{HOLDS[holds]}</span>}
          {holds !== 'names' && text.trim() !== '' && (
            <Say line={line} onClick={() => onSay(line, 'names')}>
              Names are here
            </Say>
          )}
          {holds !== 'units' && holds !== 'names' && text.trim() !== '' && (
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
      ))}
      {hidden > 0 && (
        <Text component="li" size="xs" c="dimmed">
          And {hidden} more above the names.
        </Text>
      )}
    </ol>
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
