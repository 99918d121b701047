import { Button, Menu, Text, TextInput } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { useState } from 'react';
import type { FoundDevice } from '#shared/operations/metadata/devices.ts';
import { matches } from '#shared/values/text.ts';
import { countOf, shortened } from '../../../format.ts';
import { CHOICES } from './device-columns.tsx';
import { useProjectKeys } from './use-project-keys.ts';

const MOST_KEYS = 3;
/** Drawn at once; the rest is searched. */
const MOST_LISTED = 100;
/** So many are seen at a glance. */
const MOST_UNSEARCHED = 8;

interface ColumnMenuProps {
  readonly columns: readonly string[];
  /** Null: as at first. */
  readonly onColumns: (columns: readonly string[] | null) => void;
  /** Columns that there is no room for. */
  readonly leftOut: readonly string[];
  readonly project_id: string;
  readonly devices: readonly FoundDevice[];
  /** Chosen keys; null: each device's own. */
  readonly keys: readonly string[] | null;
  readonly nameOf: (key: string) => string;
  readonly onKeys: (keys: readonly string[] | null) => void;
}

/** Menu of the list's columns, and of the keys of its last values. The name stays. */
export function ColumnMenu(props: ColumnMenuProps) {
  const { columns, onColumns, leftOut, project_id, devices, keys, nameOf, onKeys } = props;
  const [isOpen, setOpen] = useState(false);
  const [search, setSearch] = useState('');
  const { keys: all, isLoading, isWhole } = useProjectKeys(project_id, devices, isOpen);
  const chosen = keys ?? [];
  const offered = [...chosen, ...all.filter((key) => !chosen.includes(key))];
  const found = offered.filter((key) => matches(search, key, nameOf(key)));
  const toggleColumn = (id: string, checked: boolean) =>
    onColumns(
      CHOICES.map((choice) => choice.id).filter((each) => (each === id ? checked : columns.includes(each))),
    );
  const toggleKey = (key: string, checked: boolean) => {
    const next = checked ? [...chosen, key] : chosen.filter((each) => each !== key);
    onKeys(next.length > 0 ? next : null);
  };
  return (
    <Menu
      closeOnItemClick={false}
      position="bottom-end"
      width={260}
      opened={isOpen}
      onChange={(next) => {
        setOpen(next);
        setSearch('');
      }}
    >
      <Menu.Target>
        <Button variant="default" px="sm" leftSection={<IconColumns3 size={16} />}>
          Columns
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah="60vh" style={{ overflowY: 'auto' }}>
        <Menu.Label>Columns</Menu.Label>
        {CHOICES.map(({ id, label }) => (
          <Menu.CheckboxItem
            key={id}
            checked={columns.includes(id)}
            onChange={(checked) => toggleColumn(id, checked)}
            {...(columns.includes(id) && leftOut.includes(id) && { rightSection: <NoRoom /> })}
          >
            {label}
          </Menu.CheckboxItem>
        ))}
        <Menu.Label>Values: up to three keys</Menu.Label>
        {offered.length > MOST_UNSEARCHED && (
          <TextInput
            size="xs"
            mx={8}
            mb={4}
            aria-label="Search keys"
            placeholder="Search keys"
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
            // Letters are the field's; arrows and Esc stay the menu's.
            onKeyDown={(event) => {
              if (event.key.length === 1 || event.key === 'Home' || event.key === 'End')
                event.stopPropagation();
            }}
          />
        )}
        {found.slice(0, MOST_LISTED).map((key) => (
          <Menu.CheckboxItem
            key={key}
            checked={chosen.includes(key)}
            disabled={!chosen.includes(key) && chosen.length >= MOST_KEYS}
            onChange={(checked) => toggleKey(key, checked)}
          >
            <bdi>{shortened(nameOf(key), 40)}</bdi>
          </Menu.CheckboxItem>
        ))}
        <KeysLeft
          text={
            isLoading
              ? 'Looking for more keys…'
              : found.length > MOST_LISTED
                ? `And ${countOf(found.length - MOST_LISTED, 'more key')}: search for one.`
                : found.length === 0
                  ? 'No such key.'
                  : ''
          }
        />
        <KeysLeft
          text={
            isWhole ? '' : 'There are more devices or keys than are looked at: some keys may be missing here.'
          }
        />
        <Menu.Divider />
        <Menu.Item
          closeMenuOnClick
          onClick={() => {
            onColumns(null);
            onKeys(null);
          }}
        >
          As at first
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

const NoRoom = () => (
  <Text span size="xs" c="dimmed">
    no room
  </Text>
);

function KeysLeft({ text }: { readonly text: string }) {
  if (text === '') return null;
  return (
    <Text size="xs" c="dimmed" px="sm" py={4} role="status">
      {text}
    </Text>
  );
}
