import { UnstyledButton } from '@mantine/core';
import { IconWaveSine } from '@tabler/icons-react';
import type { Device } from '#shared/schema/schemas.ts';
import { countOf } from '../../../format.ts';
import { openDialog } from '../../../stores/dialog.ts';
import { simulators, useSimulatorsOf } from './simulators.ts';
import classes from './simulate-dialog.module.css';

interface SimulatedBadgeProps {
  readonly project_id: string;
  readonly device: Device;
}

/** Says that a simulator stores records of the device, and leads to it; nothing where none runs. */
export function SimulatedBadge({ project_id, device }: SimulatedBadgeProps) {
  simulators.useWatch('all');
  const running = useSimulatorsOf(device.id).filter(({ state }) => state === 'running');
  if (running.length === 0) return null;
  return (
    <UnstyledButton
      className={classes['badge'] ?? ''}
      title={`${countOf(running.length, 'simulator stores', 'simulators store')} records of this device`}
      onClick={() => openDialog({ kind: 'simulate', project_id, device })}
    >
      <IconWaveSine size={14} aria-hidden /> Simulated
    </UnstyledButton>
  );
}
