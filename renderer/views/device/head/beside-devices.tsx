import { ActionIcon, Tooltip } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { byName } from '../../../order-by-name.ts';
import { useActions } from '../../../stores/actions.ts';
import { goToDevice } from '../../../stores/beside.ts';
import { devices } from '../../../stores/devices.ts';

interface BesideDevicesProps {
  readonly project_id: string;
  readonly device_id: string;
}

/** The ways to the devices beside this one, in the order of the tree; they are shown as this one is. */
export function BesideDevices({ project_id, device_id }: BesideDevicesProps) {
  devices.useWatch(project_id);
  const all = byName(devices.useValue(project_id).value ?? [], project_id);
  const at = all.findIndex(({ id }) => id === device_id);
  const steps = [
    { word: 'Previous', shortcut: '[', icon: IconChevronLeft, to: all[at - 1] },
    { word: 'Next', shortcut: ']', icon: IconChevronRight, to: at < 0 ? undefined : all[at + 1] },
  ].map(({ word, to, ...step }) => ({
    ...step,
    to,
    label: `${word} device`,
    run: () => to && goToDevice(project_id, to.id),
  }));
  useActions(
    steps.map(({ to, ...action }) => ({ ...action, ...(to ? { description: to.name } : { keyOnly: true }) })),
  );
  if (all.length < 2) return null;
  return (
    <ActionIcon.Group>
      {steps.map(({ label, shortcut, icon: Icon, to, run }) => (
        <Tooltip key={label} label={to ? `${label}: ${to.name} (${shortcut})` : `No ${label.toLowerCase()}`}>
          <ActionIcon
            variant="default"
            size={30}
            aria-label={label}
            // It keeps the focus at the end of the list, too.
            aria-disabled={to === undefined}
            data-disabled={to === undefined || undefined}
            onClick={run}
          >
            <Icon size={18} />
          </ActionIcon>
        </Tooltip>
      ))}
    </ActionIcon.Group>
  );
}
