import { Anchor, Text } from '@mantine/core';
import { useState } from 'react';
import { AlarmMark } from '../../../components/alarms/alarm-mark.tsx';
import { DeviceStatus } from '../../../components/facts/device-status.tsx';
import { ContactLine } from '../../../components/facts/last-seen.tsx';
import { Tags } from '../../../components/facts/tags.tsx';
import { countOf, shortened } from '../../../format.ts';
import { hrefTo } from '../../../router.ts';
import { useOpenAlarms } from '../../../stores/alarms/alarms.ts';
import type { DeviceDetail } from '../../../stores/devices.ts';
import { SimulatedBadge } from '../simulate/simulated-badge.tsx';
import classes from './device-facts.module.css';

const SHOWN_TAGS = 6;
/** Letters of a description that are always shown: more would take the plot's room. */
const SHOWN_LETTERS = 120;

/** Facts of a device, on lines of their own below its name. */
export function DeviceFacts({
  project_id,
  detail: { device, summary },
}: {
  readonly project_id: string;
  readonly detail: DeviceDetail;
}) {
  return (
    <div className={classes['facts']} data-testid="device-facts">
      <DeviceStatus
        device={{ last_seen: device.last_seen, interval_s: summary.interval_s, newest: summary.last }}
        dated
      />
      <OpenAlarms project_id={project_id} device_id={device.id} />
      <SimulatedBadge project_id={project_id} device={device} />
      <span>
        <ContactLine last_seen={device.last_seen} newest={summary.last} /> ·{' '}
        {countOf(summary.records, 'record')}
      </span>
      {device.tags.length > 0 && (
        <span className={classes['tags']}>
          <Tags tags={device.tags} most={SHOWN_TAGS} />
        </span>
      )}
      {device.description && <About text={device.description} />}
    </div>
  );
}

/** How many alarms are open, with the way to them. */
function OpenAlarms({ project_id, device_id }: { readonly project_id: string; readonly device_id: string }) {
  const open = useOpenAlarms(device_id);
  if (open === 0) return null;
  return (
    <Anchor
      href={hrefTo({ screen: 'alarms', project: project_id, device: device_id, state: 'open' })}
      inherit
      className={classes['alarms'] ?? ''}
    >
      <AlarmMark open={open} />
    </Anchor>
  );
}

/** A description; of a long one the beginning, and all of it on demand. */
function About({ text }: { readonly text: string }) {
  const [isWhole, setWhole] = useState(false);
  const isLong = text.length > SHOWN_LETTERS;
  const shown = isWhole ? text : shortened(text, SHOWN_LETTERS);
  return (
    <Text span inherit className={classes['about'] ?? ''}>
      <bdi>{shown}</bdi>
      {isLong && (
        <>
          {' '}
          <Anchor component="button" type="button" inherit onClick={() => setWhole(!isWhole)}>
            {isWhole ? 'Less' : 'More'}
          </Anchor>
        </>
      )}
    </Text>
  );
}
