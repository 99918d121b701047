import { Group, Text } from '@mantine/core';
import { DeviceStatus } from '../../../components/facts/device-status.tsx';
import { ContactLine } from '../../../components/facts/last-seen.tsx';
import { Tags } from '../../../components/facts/tags.tsx';
import { countOf } from '../../../format.ts';
import type { DeviceDetail } from '../../../stores/devices.ts';
import { SimulatedBadge } from '../simulate/simulated-badge.tsx';
import classes from './device-facts.module.css';

const SHOWN_TAGS = 6;

/** Facts of a device, in one line beside its name. */
export function DeviceFacts({
  project_id,
  detail: { device, summary },
}: {
  readonly project_id: string;
  readonly detail: DeviceDetail;
}) {
  return (
    <Group gap="xs" className={classes['facts'] ?? ''}>
      <DeviceStatus
        device={{ last_seen: device.last_seen, interval_s: summary.interval_s, newest: summary.last }}
        dated
      />
      <SimulatedBadge project_id={project_id} device={device} />
      <span className={classes['contact']}>
        <ContactLine last_seen={device.last_seen} newest={summary.last} /> ·{' '}
        {countOf(summary.records, 'record')}
      </span>
      <Tags tags={device.tags} most={SHOWN_TAGS} />
      {device.description && (
        <Text span inherit truncate maw={640} title={device.description} className={classes['about'] ?? ''}>
          {device.description}
        </Text>
      )}
    </Group>
  );
}
