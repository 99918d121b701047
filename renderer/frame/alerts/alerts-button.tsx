import { Button, Tooltip } from '@mantine/core';
import { IconActivityHeartbeat } from '@tabler/icons-react';
import { alerts, useChanged } from '../../stores/alerts/alerts.ts';
import { counterName, counterText, newText } from './alert-words.ts';
import classes from './alerts.module.css';
import { alertsTray } from './tray.ts';

/** Counter of what is late or outside, over all projects, with a mark of what changed since somebody looked. */
export function AlertsButton() {
  const { value } = alerts.useValue('all');
  const changed = useChanged(({ log }) => log.size);
  const opened = alertsTray.useTray(({ open }) => open);
  const text = value === null ? '' : counterText(value);
  const name = counterName(value, changed);
  return (
    <Tooltip label={`${name} (W)`}>
      <Button
        variant="default"
        size="xs"
        className={classes['counter'] ?? ''}
        aria-label={name}
        data-new={changed > 0 || undefined}
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
