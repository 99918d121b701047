import { Anchor, Text } from '@mantine/core';
import {
  IconAlertTriangle,
  IconBell,
  IconBellRinging,
  IconCircleCheck,
  IconCircleHalf2,
} from '@tabler/icons-react';
import { silenceOf } from '#shared/domain/device-status.ts';
import type { AlertedDevice } from '#shared/operations/metadata/alerts.ts';
import type { Alarm } from '#shared/operations/metadata/alarms.ts';
import { parseInstant } from '#shared/values/time.ts';
import { STATE_WORDS } from '../../../components/alarms/alarm-words.ts';
import { durationText } from '../../../components/facts/duration-words.ts';
import { formatValue, nameOfKey, normalText } from '../../../components/facts/key-words.ts';
import { Moment } from '../../../components/facts/moment.tsx';
import { shownName } from '../../../components/facts/shown-name.ts';
import { Loading } from '../../../components/work/loading.tsx';
import { Problem } from '../../../components/work/problem.tsx';
import { hrefTo } from '../../../router.ts';
import { dueAlarms } from '../../../stores/alarms/alarms.ts';
import { alerts } from '../../../stores/alerts/alerts.ts';
import type { WidgetViewProps } from './widget-view.ts';
import classes from './widget.module.css';

interface Open {
  readonly id: string;
  readonly device: { readonly id: string; readonly name: string };
  readonly sign: typeof IconBell;
  readonly words: string;
  readonly since: string | null;
}

/** Alarms of the project that are to be seen, then what is late or outside of its normal range in it: of each the latest first. */
export function AlarmsWidget({ project_id, widget }: WidgetViewProps) {
  alerts.useWatch('all');
  dueAlarms.useWatch('all');
  const { value, error } = alerts.useValue('all');
  const due = dueAlarms.useValue('all').value;
  if (value === null)
    return error === null ? <Loading h={60} label="Loading alerts" /> : <Problem message={error} />;
  const isHere = (of: { readonly project_id: string }) => of.project_id === project_id;
  const alarms = due?.alarms.filter(isHere).map(alarmOf) ?? [];
  const open = [...alarms, ...value.devices.filter(isHere).flatMap(openOf)];
  return (
    <>
      {error !== null && <Problem message={error} />}
      {open.length === 0 && (
        <Text size="sm" c="dimmed" className={classes['well'] ?? ''}>
          <IconCircleCheck size={16} aria-hidden /> No alarm is to be seen, no device is late, and no value is
          outside its normal range.
        </Text>
      )}
      {open.length > 0 && (
        <ul className={classes['alarms']} aria-label={widget.title}>
          {open.map(({ id, device, sign: Sign, words, since }) => {
            const at = since === null ? null : parseInstant(since);
            return (
              <li key={id}>
                <Sign size={16} aria-hidden />
                <Anchor
                  inherit
                  href={hrefTo({ screen: 'device', project_id, device_id: device.id, tab: 'chart' })}
                >
                  {shownName(device.name)}
                </Anchor>
                <span>{words}</span>
                {at !== null && (
                  <span className={classes['small']}>
                    <Moment at={at} relative />
                  </span>
                )}
              </li>
            );
          })}
        </ul>
      )}
      {(!value.complete || (due !== null && due.alarms.length < due.due)) && (
        <Text size="xs" c="dimmed">
          Of many, those that came about last.
        </Text>
      )}
    </>
  );
}

const alarmOf = ({ id, device_id, device, state, rule, start }: Alarm): Open => ({
  id,
  device: { id: device_id, name: device },
  sign: state === 'open' ? IconBellRinging : IconBell,
  words: `${STATE_WORDS[state]}: ${rule}`,
  since: start,
});

function openOf(device: AlertedDevice): readonly Open[] {
  const { id, late_since, interval_s, values } = device;
  const silence = durationText(silenceOf(interval_s) / 1e6);
  const late: Open = {
    id,
    device,
    sign: IconCircleHalf2,
    words: `Late: nothing for more than ${silence}`,
    since: late_since,
  };
  return [
    ...(late_since === null ? [] : [late]),
    ...values
      .filter(({ outside }) => outside)
      .map((value): Open => ({
        id: `${id} ${value.key}`,
        device,
        sign: IconAlertTriangle,
        words: `${nameOfKey(value.key, value)} ${formatValue(value.value, value)}, normally ${normalText(value)}`,
        since: value.timestamp,
      })),
  ];
}
