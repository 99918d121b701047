import { useEffect, useRef, useState } from 'react';
import { IconActivityHeartbeat } from '@tabler/icons-react';
import { later } from '../../later.tsx';
import { useActions } from '../../stores/actions.ts';
import { dueAlarms } from '../../stores/alarms/alarms.ts';
import { alerts, looked } from '../../stores/alerts/alerts.ts';
import { alertsTray } from '../../stores/trays/alerts-tray.ts';

const AlarmNotices = later(async () => (await import('./alarm-notices.tsx')).AlarmNotices);
const AlertsList = later(async () => (await import('./alerts-list.tsx')).AlertsList);

/** The list behind the counter, which is kept fresh as long as the window is there. */
export function AlertsTray() {
  alerts.useWatch('all');
  dueAlarms.useWatch('all');
  const { value } = alerts.useValue('all');
  const opened = alertsTray.useTray(({ open }) => open);
  // Once it was open it stays, so that it closes as it opened.
  const [needed, setNeeded] = useState(false);
  if (opened && !needed) setNeeded(true);
  alertsTray.useFocusBack();
  const wasOpen = useRef(false);
  useEffect(() => {
    if (wasOpen.current && !opened && value) looked(value.as_of);
    wasOpen.current = opened;
  }, [opened, value]);
  useActions(
    [
      {
        label: 'Alerts: what changed',
        icon: IconActivityHeartbeat,
        shortcut: 'w',
        needs: 'alerts.list',
        run: alertsTray.open,
      },
    ],
    'everywhere',
  );
  return (
    <>
      <AlarmNotices />
      {needed && <AlertsList opened={opened} />}
    </>
  );
}
