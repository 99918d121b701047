import { Button, Loader, Popover, Stack, Text, TextInput } from '@mantine/core';
import { IconSearch, type Icon } from '@tabler/icons-react';
import { useMemo, useState, type KeyboardEvent } from 'react';
import { isFound } from '#shared/values/text.ts';
import { formatCount } from '../../format.ts';
import { everyDevice } from '../../stores/devices.ts';
import { nearestFirst } from './nearest.ts';

export interface PickedDevice {
  readonly id: string;
  readonly name: string;
  readonly project_id: string;
}

interface DevicePickerProps {
  readonly label: string;
  readonly icon: Icon;
  /** The devices that are there already; neighbours of the first one come first. */
  readonly beside: readonly PickedDevice[];
  readonly isFull?: boolean;
  readonly onPick: (device: PickedDevice) => void;
}

/** Devices that are listed at once; the rest is searched. */
const MOST_LISTED = 8;

/** A button that opens a list of devices, the likeliest first, with a search over all of them. */
export function DevicePicker({ label, icon: Sign, beside, isFull = false, onPick }: DevicePickerProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" trapFocus withinPortal returnFocus>
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<Sign size={16} />}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          disabled={isFull}
          onClick={() => setOpen(!isOpen)}
        >
          {label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Choices
          beside={beside}
          onPick={(device) => {
            setOpen(false);
            onPick(device);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

function Choices({ beside, onPick }: Pick<DevicePickerProps, 'beside' | 'onPick'>) {
  everyDevice.useWatch('all');
  const { value, error } = everyDevice.useValue('all');
  const [search, setSearch] = useState('');
  const [first] = beside;
  const candidates = useMemo(() => {
    const taken = new Set(beside.map(({ id }) => id));
    const others = (value ?? []).flatMap(({ project, device }) =>
      taken.has(device.id)
        ? []
        : { id: device.id, name: device.name, project_id: project.id, project: project.name, device },
    );
    return nearestFirst(first ?? { id: '', name: '', project_id: others[0]?.project_id ?? '' }, others);
  }, [value, beside, first]);
  const found = useMemo(
    () => candidates.filter(({ device }) => isFound(search, device)),
    [candidates, search],
  );
  const shown = found.slice(0, MOST_LISTED);
  const pickFirst = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && shown[0]) onPick(shown[0]);
  };
  return (
    <Stack gap="xs" w={280}>
      <TextInput
        size="xs"
        aria-label="Search devices"
        placeholder="Search devices"
        leftSection={<IconSearch size={14} />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        onKeyDown={pickFirst}
        data-autofocus
      />
      {value === null && error === null && <Loader size="sm" aria-label="Loading devices" />}
      {error !== null && (
        <Text size="xs" c="danger" role="alert">
          {error}
        </Text>
      )}
      <Stack gap={2} role="group" aria-label="Devices">
        {shown.map((device) => (
          <Button
            key={device.id}
            size="compact-sm"
            variant="subtle"
            justify="space-between"
            rightSection={
              device.project_id === first?.project_id ? null : (
                <Text span size="xs" c="dimmed" truncate maw={110}>
                  <bdi>{device.project}</bdi>
                </Text>
              )
            }
            onClick={() => onPick(device)}
            title={device.name}
          >
            <bdi>{device.name}</bdi>
          </Button>
        ))}
      </Stack>
      {value !== null && found.length === 0 && (
        <Text size="xs" c="dimmed">
          {candidates.length === 0 ? 'There is no other device.' : 'No device matches.'}
        </Text>
      )}
      {found.length > shown.length && (
        <Text size="xs" c="dimmed">
          {formatCount(found.length - shown.length)} more: search for them.
        </Text>
      )}
    </Stack>
  );
}
