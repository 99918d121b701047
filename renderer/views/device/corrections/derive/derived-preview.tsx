import { Table, Text } from '@mantine/core';
import { trendPath } from '../../../../chart/draw/trend-path.ts';
import { spanText } from '../../../../components/facts/span-words.ts';
import { countOf } from '../../../../format.ts';
import { exactNumber, formatNumber } from '../../../../numbers.ts';
import { formatTime, type Zone } from '../../../../time.ts';
import classes from '../calibrate/preview.module.css';
import { curveOf, type FormulaRow } from './formula-rows.ts';

interface DerivedPreviewProps {
  /** Oldest first. */
  readonly rows: readonly FormulaRow[];
  /** Operands, by their names. */
  readonly names: readonly string[];
  readonly name: string;
  readonly unit: string;
  readonly zone: Zone;
}

const [WIDTH, HEIGHT] = [400, 80];
/** Newest values that are listed, and operands beside them. */
const NEWEST = 4;
const MOST_OPERANDS = 3;
/** Digits that a computed number is shown with. */
const DIGITS = 10;

/** What a formula makes of the newest records: its curve, its ends, and the last values beside what they were computed of. */
export function DerivedPreview({ rows, names, name, unit, zone }: DerivedPreviewProps) {
  const curve = curveOf(rows, WIDTH);
  const [first, last] = [rows[0], rows.at(-1)];
  if (!curve || !first || !last)
    return (
      <Text size="sm" c="dimmed" data-testid="derived-preview">
        None of the newest records has a value by it.
      </Text>
    );
  const numbers = rows.map(({ value }) => value);
  const least = numbers.reduce((a, b) => Math.min(a, b));
  const most = numbers.reduce((a, b) => Math.max(a, b));
  const withUnit = unit === '' ? '' : ` ${unit}`;
  const words = `${countOf(rows.length, 'value')}, ${formatNumber(least)} to ${formatNumber(most)}${withUnit}`;
  const shown = names.slice(0, MOST_OPERANDS);
  return (
    <div>
      <svg
        className={classes['curve']}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        height={HEIGHT}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Preview. ${words}`}
      >
        <path className={classes['corrected']} d={trendPath(curve, HEIGHT)} />
      </svg>
      <Text size="sm" c="dimmed" data-testid="derived-preview">
        {words} ({spanText(first.at, last.at, zone)}).
      </Text>
      <Table.ScrollContainer minWidth={0} tabIndex={0} aria-label="Newest values" role="group">
        <Table aria-label="Newest values" verticalSpacing={2} fz="sm" className={classes['values'] ?? ''}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Time</Table.Th>
              {shown.map((each) => (
                <Table.Th key={each}>{each}</Table.Th>
              ))}
              <Table.Th>{`${name === '' ? 'Value' : name}${unit === '' ? '' : ` (${unit})`}`}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows
              .slice(-NEWEST)
              .toReversed()
              .map(({ at, of, value }, place) => (
                <Table.Tr key={`${at} ${place}`}>
                  <Table.Td>{formatTime(at, zone)}</Table.Td>
                  {shown.map((each, operand) => (
                    <Table.Td key={each}>{numberText(of[operand])}</Table.Td>
                  ))}
                  <Table.Td>
                    <b>{numberText(value)}</b>
                  </Table.Td>
                </Table.Tr>
              ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </div>
  );
}

/** An operand that only a mean asks for need not be in the record. */
const numberText = (value: number | undefined) =>
  value === undefined || Number.isNaN(value) ? '–' : exactNumber(Number(value.toPrecision(DIGITS)));
