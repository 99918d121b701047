import { Button, Checkbox, Group, Popover, ScrollArea, Stack, Text, TextInput } from '@mantine/core';
import { IconColumns, IconSearch } from '@tabler/icons-react';
import { useState, type FormEvent } from 'react';
import { matches } from '#shared/values/text.ts';
import type { Micros } from '#shared/values/time.ts';
import { parseTimeEntry, TIME_ENTRY_RULE } from '../../../chart/time/time-entry.ts';
import { KeyName } from '../../../components/facts/key-name.tsx';
import { formatCount } from '../../../format.ts';
import { nowMicros, type Zone } from '../../../time.ts';

interface TableToolsProps {
  readonly keys: readonly string[];
  readonly hidden: ReadonlySet<string>;
  readonly nameOf: (key: string) => string;
  readonly onHide: (hidden: readonly string[]) => void;
  /** By whose clock a time is meant. */
  readonly zone: Zone;
  readonly onJump: (instant: Micros) => void;
}

/** Tools above the table: a way to a time, and the choice of columns. */
export function TableTools({ onJump, zone, ...columns }: TableToolsProps) {
  const [entry, setEntry] = useState('');
  const [isWrong, setWrong] = useState(false);
  const jump = (event: FormEvent) => {
    event.preventDefault();
    const instant = parseTimeEntry(entry, { now: nowMicros(), zone, side: 'to' });
    setWrong(instant === null);
    if (instant !== null) onJump(instant);
  };
  return (
    <Group gap="xs" align="flex-start">
      <form onSubmit={jump} noValidate>
        <Group gap={6} align="flex-start">
          <TextInput
            aria-label="Go to a time"
            placeholder="2026-11-19 18:00, -6h, yesterday"
            value={entry}
            autoComplete="off"
            spellCheck={false}
            w={260}
            error={isWrong && TIME_ENTRY_RULE}
            onChange={(event) => {
              setEntry(event.currentTarget.value);
              setWrong(false);
            }}
          />
          <Button type="submit" variant="default">
            Go to
          </Button>
        </Group>
      </form>
      <ColumnChooser {...columns} />
    </Group>
  );
}

/** Options that are drawn at once: all of four thousand keep the window busy for a second. The rest is searched. */
const MOST_OPTIONS = 100;

function ColumnChooser({ keys, hidden, nameOf, onHide }: Omit<TableToolsProps, 'onJump' | 'zone'>) {
  const [search, setSearch] = useState('');
  const found = keys.filter((key) => matches(search, key, nameOf(key)));
  const shown = keys.length - [...hidden].filter((key) => keys.includes(key)).length;
  const toggle = (key: string) =>
    onHide(hidden.has(key) ? [...hidden].filter((other) => other !== key) : [...hidden, key]);
  return (
    <Popover position="bottom-start" trapFocus withinPortal returnFocus onClose={() => setSearch('')}>
      <Popover.Target>
        <Button variant="default" leftSection={<IconColumns size={16} />}>
          {shown === keys.length
            ? 'Columns'
            : `Columns: ${formatCount(shown)} of ${formatCount(keys.length)}`}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs" w={280}>
          <TextInput
            size="xs"
            aria-label="Search columns"
            placeholder="Search columns"
            leftSection={<IconSearch size={14} />}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
            data-autofocus
          />
          <Group gap="xs">
            <Button size="compact-xs" variant="default" onClick={() => onHide([])}>
              Show all
            </Button>
            <Button size="compact-xs" variant="default" onClick={() => onHide(keys)}>
              Hide all
            </Button>
          </Group>
          <ScrollArea.Autosize mah={260} type="auto">
            <Stack gap={6} pr="xs" role="group" aria-label="Columns">
              {found.slice(0, MOST_OPTIONS).map((key) => (
                <Checkbox
                  key={key}
                  size="xs"
                  label={<KeyName name={nameOf(key)} />}
                  checked={!hidden.has(key)}
                  onChange={() => toggle(key)}
                />
              ))}
            </Stack>
          </ScrollArea.Autosize>
          {found.length === 0 && <Text size="xs">No column matches.</Text>}
          {found.length > MOST_OPTIONS && (
            <Text size="xs" c="dimmed">
              {formatCount(found.length - MOST_OPTIONS)} more: search for them.
            </Text>
          )}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
