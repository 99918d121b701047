import { Button, Menu } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { shortened } from '../../../format.ts';
import { CHOICES } from './device-columns.tsx';

const MOST_KEYS = 3;
/** More would be a list that nobody reads; other keys can be put into the address. */
const MOST_LISTED = 300;

interface ColumnMenuProps {
  readonly columns: readonly string[];
  /** Null: as at first. */
  readonly onColumns: (columns: readonly string[] | null) => void;
  /** Keys that the devices have, in the order in which they are offered. */
  readonly seen: readonly string[];
  /** Those that were chosen; null: each device's own. */
  readonly keys: readonly string[] | null;
  readonly nameOf: (key: string) => string;
  readonly onKeys: (keys: readonly string[] | null) => void;
}

/** Which columns the list shows, and of which keys the last values. The name stays. */
export function ColumnMenu({ columns, onColumns, seen, keys, nameOf, onKeys }: ColumnMenuProps) {
  const chosen = keys ?? [];
  const all = [...new Set([...seen.slice(0, MOST_LISTED), ...chosen])];
  const toggleColumn = (id: string, checked: boolean) =>
    onColumns(
      CHOICES.map((choice) => choice.id).filter((each) => (each === id ? checked : columns.includes(each))),
    );
  const toggleKey = (key: string, checked: boolean) => {
    const next = checked ? [...chosen, key] : chosen.filter((each) => each !== key);
    onKeys(next.length > 0 ? next : null);
  };
  return (
    <Menu closeOnItemClick={false} position="bottom-end" width={240}>
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
          >
            {label}
          </Menu.CheckboxItem>
        ))}
        {all.length > 0 && <Menu.Label>Values: up to three keys</Menu.Label>}
        {all.map((key) => (
          <Menu.CheckboxItem
            key={key}
            checked={chosen.includes(key)}
            disabled={!chosen.includes(key) && chosen.length >= MOST_KEYS}
            onChange={(checked) => toggleKey(key, checked)}
          >
            <bdi>{shortened(nameOf(key), 40)}</bdi>
          </Menu.CheckboxItem>
        ))}
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
