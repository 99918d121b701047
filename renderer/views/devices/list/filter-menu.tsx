import { Button, Menu, Text } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { useMemo } from 'react';
import { SOURCES, SOURCE_WORDS } from '#shared/domain/sources.ts';
import type { FoundDevice } from '#shared/operations/metadata/devices.ts';
import { LOOK_RULE } from '../../../components/facts/status-look.ts';
import { shortened } from '../../../format.ts';
import { compareNames } from '../../../order.ts';
import { STATUS_WORDS, type Condition, type DeviceFilter, type StatusWord } from '../shown/device-filter.ts';

const STATUS_LABELS: Readonly<Record<StatusWord, string>> = {
  online: 'Online',
  late: 'Late',
  silent: 'Silent for a day',
  recording: 'Recording',
  never: 'Never seen',
  outside: 'Outside its range',
};
const MOST_TAGS = 200;

interface FilterMenuProps {
  readonly devices: readonly FoundDevice[];
  readonly filter: DeviceFilter;
  readonly onChoose: (field: Condition['field'], value: string, not?: boolean) => void;
}

/** The conditions that can also be typed: status, source, and tags that devices have, or are not to have. */
export function FilterMenu(props: FilterMenuProps) {
  const count = props.filter.conditions.length;
  return (
    <Menu closeOnItemClick={false} position="bottom-start" width={260}>
      <Menu.Target>
        <Button variant="default" px="sm" leftSection={<IconFilter size={16} />}>
          Filter{count > 0 && ` (${count})`}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah="60vh" style={{ overflowY: 'auto' }}>
        <FilterItems {...props} />
      </Menu.Dropdown>
    </Menu>
  );
}

/** Only while the menu is open: tags may be hundreds, and each key in the search draws what stands beside it. */
function FilterItems({ devices, filter, onChoose }: FilterMenuProps) {
  const tags = useMemo(
    () => [...new Set(devices.flatMap((device) => device.tags))].toSorted(compareNames),
    [devices],
  );
  const isChosen = (field: Condition['field'], value: string, not = false) =>
    filter.conditions.some(
      (each) =>
        each.field === field &&
        (each.field !== 'tag' || each.not === not) &&
        (each.values as readonly string[]).includes(value),
    );
  const item = (field: Condition['field'], value: string, label: string, not = false) => (
    <Menu.CheckboxItem
      key={`${field}:${not}:${value}`}
      checked={isChosen(field, value, not)}
      onChange={() => onChoose(field, value, not)}
    >
      <bdi>{shortened(label, 40)}</bdi>
    </Menu.CheckboxItem>
  );
  const shown = tags.slice(0, MOST_TAGS);
  return (
    <>
      <Menu.Label>Status</Menu.Label>
      {STATUS_WORDS.map((word) => item('status', word, STATUS_LABELS[word]))}
      <Text size="xs" c="dimmed" px="sm" pb={4} maw={260}>
        {LOOK_RULE}
      </Text>
      <Menu.Label>Source</Menu.Label>
      {SOURCES.map((source) => item('source', source, SOURCE_WORDS[source].label))}
      {shown.length > 0 && <Menu.Label>With one of these tags</Menu.Label>}
      {shown.map((tag) => item('tag', tag, tag))}
      {shown.length > 0 && <Menu.Label>Without these tags</Menu.Label>}
      {shown.map((tag) => item('tag', tag, `not ${tag}`, true))}
      {tags.length > MOST_TAGS && (
        <Text size="xs" c="dimmed" p="xs">
          And {tags.length - MOST_TAGS} more tags: type tag: and its name.
        </Text>
      )}
    </>
  );
}
