import { Button, Tooltip } from '@mantine/core';
import { IconActivityHeartbeat } from '@tabler/icons-react';
import { dueAlarms } from '../../stores/alarms/alarms.ts';
import { alerts, useChanged } from '../../stores/alerts/alerts.ts';
import { counterName, counterText, newText } from './alert-words.ts';
import classes from './alerts.module.css';
import { alertsTray } from '../../stores/trays/alerts-tray.ts';

/** Counter of alarms that are to be seen and of what is late or outside, over all projects, with a mark of what changed since somebody looked. */
export function AlertsButton() {
  const { value } = alerts.useValue('all');
  const changed = useChanged(({ log }) => log.size);
  const opened = alertsTray.useTray(({ open }) => open);
  const due = dueAlarms.useValue('all').value?.due ?? 0;
  const text = counterText(value ?? NOT_KNOWN, due);
  const name = counterName(value, changed, due);
  return (
    <Tooltip label={`${name} (W)`}>
      <Button
        variant="default"
        size="xs"
        className={classes['counter'] ?? ''}
        aria-label={name}
        data-new={changed > 0 || undefined}
        data-alarms={due > 0 || undefined}
        aria-expanded={opened}
        onClick={alertsTray.open}
      >
        <IconActivityHeartbeat size={16} aria-hidden />
        {text !== '' && <span className={classes['words']}>{`${text} `}</span>}
        {changed > 0 && <span className={classes['changed']}>{newText(changed)}</span>}
      </Button>
    </Tooltip>
  );
}

const NOT_KNOWN = { late: 0, outside: 0 };
