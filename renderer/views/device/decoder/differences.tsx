import { Button, Table, Text } from '@mantine/core';
import { IconArrowRight, IconEqual, IconMinus, IconPlus } from '@tabler/icons-react';
import { useState, type ComponentType } from 'react';
import { UPLINK } from '#shared/domain/decoder-names.ts';
import type { DataRecord } from '#shared/schema/schemas.ts';
import { parseInstant } from '#shared/values/time.ts';
import { shortened } from '../../../format.ts';
import { Moment } from '../../../components/facts/moment.tsx';
import classes from './decoder-panel.module.css';
import { keyChanges, spacedHex, type Change, type KeyChange, type Preview } from './difference-rows.ts';

/** Records that are shown until all are asked for. */
const FIRST = 5;
/** Rows of a record. */
const MOST_KEYS = 24;
const LETTERS = 120;

const SIGNS: Readonly<
  Record<Change, { readonly icon: ComponentType<{ size?: number }>; readonly word: string }>
> = {
  changed: { icon: IconArrowRight, word: 'changed' },
  new: { icon: IconPlus, word: 'new' },
  gone: { icon: IconMinus, word: 'gone' },
  same: { icon: IconEqual, word: 'same' },
};

/** Records that decoding again would change, before and after, a key a row. */
export function Differences({ preview: { differences, changed } }: { readonly preview: Preview }) {
  const [isAll, setIsAll] = useState(false);
  if (differences.length === 0) return null;
  const shown = isAll ? differences : differences.slice(0, FIRST);
  const more = differences.length - shown.length;
  return (
    <div>
      <div className={classes['differences']} tabIndex={0} role="region" aria-label="Differences, scrollable">
        <Table
          aria-label="Differences"
          className={classes['table'] ?? ''}
          verticalSpacing={4}
          horizontalSpacing={8}
        >
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Key</Table.Th>
              <Table.Th>Before</Table.Th>
              <Table.Th>After</Table.Th>
              <Table.Th>What</Table.Th>
            </Table.Tr>
          </Table.Thead>
          {shown.map((difference, index) => (
            <Difference key={index} {...difference} />
          ))}
        </Table>
      </div>
      {more > 0 && (
        <Button size="compact-sm" variant="subtle" mt={4} onClick={() => setIsAll(true)}>
          {`Show ${more} more`}
        </Button>
      )}
      {changed > differences.length && (
        <Text size="xs" c="dimmed" mt={4}>
          The first {differences.length} that differ are shown.
        </Text>
      )}
    </div>
  );
}

function Difference({ before, after }: { readonly before: DataRecord; readonly after: DataRecord }) {
  const rows = keyChanges(before, after);
  const left = rows.length - MOST_KEYS;
  const bytes = String(after[UPLINK.bytes] ?? '');
  const at = parseInstant(after.timestamp);
  return (
    <Table.Tbody>
      <Table.Tr className={classes['payload'] ?? ''}>
        <Table.Th colSpan={4} scope="rowgroup">
          {at === null ? after.timestamp : <Moment at={at} />}
          {after[UPLINK.port] !== undefined && ` · port ${String(after[UPLINK.port])}`} ·{' '}
          <span className="mono" title={shortened(bytes, 2_000)}>
            {shortened(spacedHex(bytes), LETTERS)}
          </span>
        </Table.Th>
      </Table.Tr>
      {rows.slice(0, MOST_KEYS).map((row) => (
        <Row key={row.key} row={row} />
      ))}
      {left > 0 && (
        <Table.Tr>
          <Table.Td colSpan={4} c="dimmed">
            {left} more keys
          </Table.Td>
        </Table.Tr>
      )}
    </Table.Tbody>
  );
}

function Row({ row: { key, before, after, change } }: { readonly row: KeyChange }) {
  const { icon: Icon, word } = SIGNS[change];
  return (
    <Table.Tr data-change={change}>
      <Table.Td className="mono">{key}</Table.Td>
      <Table.Td className="mono">
        <Value text={before} />
      </Table.Td>
      <Table.Td className="mono">
        <Value text={after} />
      </Table.Td>
      <Table.Td>
        <span className={classes['change']}>
          <Icon size={14} />
          {word}
        </span>
      </Table.Td>
    </Table.Tr>
  );
}

function Value({ text }: { readonly text: string | null }) {
  if (text === null)
    return (
      <Text span inherit c="dimmed">
        none
      </Text>
    );
  return <span title={shortened(text, 2_000)}>{shortened(text, LETTERS)}</span>;
}
