import { Button, Menu, Text } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { memo, useState } from 'react';
import type { FoundDevice } from '#shared/operations/metadata/devices.ts';
import { shortened } from '../../../format.ts';
import { CHOICES } from './device-columns.tsx';
import { KeyItems } from './key-items.tsx';

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
    <Menu closeOnItemClick={false} position="bottom-end" width={260} opened={isOpen} onChange={setOpen}>
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
                <bdi>{shortened(nameOf(key), 40)}</bdi>
              </Menu.CheckboxItem>
            )}
          />
        )}
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
});

const NoRoom = () => (
  <Text span size="xs" c="dimmed">
    no room
  </Text>
);
