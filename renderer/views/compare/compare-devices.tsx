import { ActionIcon, Group, NumberInput, Text } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { DevicePicker, type PickedDevice } from '../../chart/compare/device-picker.tsx';
import { hrefTo } from '../../router.ts';
import classes from './compare.module.css';
import { ComparedMark } from './compared-mark.tsx';
import type { Compared } from '../../chart/compare/compared.ts';

interface CompareDevicesProps {
  readonly devices: readonly Compared[];
  /** Compared keys. */
  readonly keys: readonly string[];
  readonly shifts: Readonly<Record<string, number>>;
  readonly isFull: boolean;
  readonly onAdd: (device: PickedDevice) => void;
  readonly onRemove: (device_id: string) => void;
  readonly onShift: (device_id: string, seconds: number) => void;
}

/** The devices that are compared: each with what it is moved by, and a way to add the next one. */
export function CompareDevices(props: CompareDevicesProps) {
  const { devices, keys, shifts, isFull, onAdd, onRemove, onShift } = props;
  const beside = devices.map(({ device_id, name, project_id }) => ({ id: device_id, name, project_id }));
  return (
    <Group gap="xs" role="group" aria-label="Compared devices">
      {devices.map(({ project_id, device_id, label }) => (
        <div key={device_id} className={classes['chip']} data-device={device_id}>
          <a
            href={hrefTo({ screen: 'device', project_id, device_id, tab: 'chart' })}
            className={classes['name']}
            title={label}
            dir="auto"
          >
            {label}
          </a>
          <ComparedMark {...{ project_id, device_id, keys }} />
          <Text span size="xs" c="dimmed">
            shift
          </Text>
          <NumberInput
            size="xs"
            w={64}
            variant="unstyled"
            classNames={{ input: classes['shift'] ?? '' }}
            aria-label={`Shift of ${label} in seconds`}
            value={shifts[device_id] ?? 0}
            suffix=" s"
            hideControls
            allowedDecimalSeparators={['.', ',']}
            onChange={(value) => {
              const seconds = Number(value);
              if (value !== '' && Number.isFinite(seconds)) onShift(device_id, seconds);
            }}
          />
          <ActionIcon
            size="sm"
            variant="subtle"
            color="gray"
            aria-label={`Remove ${label}`}
            onClick={() => onRemove(device_id)}
          >
            <IconX size={14} />
          </ActionIcon>
        </div>
      ))}
      <DevicePicker label="Add device" icon={IconPlus} beside={beside} isFull={isFull} onPick={onAdd} />
    </Group>
  );
}
