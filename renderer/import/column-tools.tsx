import { Button, CloseButton, Group, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import type { Column, Inspection } from '#shared/operations/records/records.ts';
import { countOf, formatCount } from '../format.ts';
import { isIn, MOST_KEYS, tickColumns, tickFirst, valueColumns } from './columns.ts';
import type { ImportChoices } from './import-choices.ts';

interface ColumnToolsProps {
  readonly inspection: Inspection;
  readonly choices: ImportChoices;
  /** Columns that the search finds. */
  readonly found: readonly Column[];
  readonly search: string;
  readonly onSearch: (search: string) => void;
  readonly onChange: (choices: ImportChoices) => void;
}

/** Which of the columns come in, all at once: those that the search finds, or all of them. */
export function ColumnTools({ inspection, choices, found, search, onSearch, onChange }: ColumnToolsProps) {
  const all = valueColumns(inspection);
  const ticked = all.filter(({ name }) => isIn(choices)(name)).length;
  const isOver = ticked > MOST_KEYS;
  const tick = (isTicked: boolean) =>
    onChange(tickColumns(choices, inspection, new Set(found.map(({ name }) => name)), isTicked));
  return (
    <Group gap={8}>
      <TextInput
        size="xs"
        type="search"
        aria-label="Find a column"
        placeholder="Find a column"
        leftSection={<IconSearch size={14} />}
        rightSection={
          search && <CloseButton size="xs" aria-label="Clear search" onClick={() => onSearch('')} />
        }
        value={search}
        onChange={(event) => onSearch(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onSearch('');
        }}
        w={170}
      />
      <Button size="compact-xs" variant="default" disabled={found.length === 0} onClick={() => tick(true)}>
        {search === '' ? 'All' : `All ${formatCount(found.length)} found`}
      </Button>
      <Button size="compact-xs" variant="default" disabled={found.length === 0} onClick={() => tick(false)}>
        {search === '' ? 'None' : `None of ${formatCount(found.length)} found`}
      </Button>
      {all.length > MOST_KEYS && (
        <Button
          size="compact-xs"
          variant={isOver ? 'light' : 'default'}
          onClick={() => onChange(tickFirst(choices, inspection))}
        >
          First {MOST_KEYS}
        </Button>
      )}
      <Text size="sm" c={isOver || ticked === 0 ? 'danger' : 'dimmed'} role="status" aria-label="Columns">
        {formatCount(ticked)} of {countOf(all.length, 'column')}
        {isOver && `: a record holds at most ${MOST_KEYS}`}
        {ticked === 0 && ': choose what to import'}
      </Text>
    </Group>
  );
}
