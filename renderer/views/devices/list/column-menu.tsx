import { Button, Menu, Text } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { memo, useState } from 'react';
import type { FoundDevice } from '#shared/operations/metadata/devices.ts';
import { CHOICES } from './device-columns.tsx';
import { KeyItems, KeyName, withSearch } from './key-items.tsx';

const MOST_KEYS = 3;

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
export const ColumnMenu = memo(function ColumnMenu(props: ColumnMenuProps) {
  const { columns, onColumns, leftOut, project_id, devices, keys, nameOf, onKeys } = props;
  const [isOpen, setOpen] = useState(false);
  const chosen = keys ?? [];
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
      width={300}
      opened={isOpen}
      onChange={setOpen}
      styles={{ itemLabel: { minWidth: 0 } }}
    >
      <Menu.Target>
        <Button variant="default" px="sm" leftSection={<IconColumns3 size={16} />}>
          Columns
        </Button>
      </Menu.Target>
      <Menu.Dropdown ref={withSearch} mah="60vh" style={{ overflowY: 'auto' }}>
        <Menu.Label>Columns</Menu.Label>
        <div role="menu" aria-label="Columns">
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
        </div>
        <Menu.Label>Values: up to three keys</Menu.Label>
        {isOpen && (
          <KeyItems
            project_id={project_id}
            devices={devices}
            chosen={chosen}
            nameOf={nameOf}
            renderItem={(key) => (
              <Menu.CheckboxItem
                key={key}
                checked={chosen.includes(key)}
                disabled={!chosen.includes(key) && chosen.length >= MOST_KEYS}
                onChange={(checked) => toggleKey(key, checked)}
              >
                <KeyName name={nameOf(key)} />
              </Menu.CheckboxItem>
            )}
          />
        )}
        <Menu.Divider />
        <div role="menu" aria-label="Both">
          <Menu.Item
            closeMenuOnClick
            onClick={() => {
              onColumns(null);
              onKeys(null);
            }}
          >
            As at first
          </Menu.Item>
        </div>
      </Menu.Dropdown>
    </Menu>
  );
});

const NoRoom = () => (
  <Text span size="xs" c="dimmed">
    no room
  </Text>
);
