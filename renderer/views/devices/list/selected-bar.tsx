import { Button, Group, Paper, Text } from '@mantine/core';
import type { FoundDevice } from '#shared/operations/metadata/devices.ts';
import { formatCount } from '../../../format.ts';
import { deviceActions } from '../bulk/actions.ts';

interface SelectedBarProps {
  readonly project_id: string;
  readonly devices: readonly FoundDevice[];
  /** Of those, how many the filter hides. */
  readonly hidden: number;
  readonly onNone: () => void;
}

/** Actions on the selected devices. */
export function SelectedBar({ project_id, devices, hidden, onNone }: SelectedBarProps) {
  return (
    <Paper withBorder p={6} pl="sm" role="region" aria-label="Selected devices">
      <Group gap="xs">
        <Text size="sm" fw={600} role="status">
          {formatCount(devices.length)} selected
          {hidden > 0 && (
            <Text span inherit fw={400} c="dimmed">
              , {formatCount(hidden)} not in this list
            </Text>
          )}
        </Text>
        {deviceActions().map(({ label, icon: Icon, danger, from = 1, to = Infinity, open }) => (
          <Button
            key={label}
            size="compact-sm"
            variant="subtle"
            leftSection={<Icon size={16} />}
            {...(danger && { color: 'danger' })}
            disabled={devices.length < from || devices.length > to}
            {...(to < Infinity && { title: `Takes ${from} to ${to} devices` })}
            onClick={() => open(project_id, devices)}
          >
            {label}
          </Button>
        ))}
        <Button size="compact-sm" variant="subtle" color="gray" ml="auto" onClick={onNone}>
          Select none
        </Button>
      </Group>
    </Paper>
  );
}
