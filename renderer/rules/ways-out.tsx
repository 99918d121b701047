import { Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useMay } from '../bridge/distant.ts';
import { hrefTo } from '../router.ts';
import { settings } from '../stores/storage.ts';
import classes from './rules.module.css';

interface WaysOutProps {
  readonly hasWebhooks: boolean;
  readonly hasMails: boolean;
}

/** Settings on which webhooks and mails of a rule depend, for who may see them. */
export function WaysOut(props: WaysOutProps) {
  const mayLook = useMay('settings.get');
  return mayLook && (props.hasWebhooks || props.hasMails) ? <Known {...props} /> : null;
}

function Known({ hasWebhooks, hasMails }: WaysOutProps) {
  settings.useWatch('all');
  const { value } = settings.useValue('all');
  const place = <a href={hrefTo({ screen: 'service', part: 'settings' })}>Service, Settings</a>;
  return (
    <div role="status">
      {hasWebhooks && (
        <Text size="sm" c="dimmed">
          A webhook reaches public addresses. Those of this machine and its networks are allowed on {place}.
        </Text>
      )}
      {hasMails && value?.mail === null && (
        <Text size="sm" className={classes['lack'] ?? ''}>
          <IconAlertTriangle size={14} aria-hidden /> No mail goes out yet: set a mail server on {place}.
        </Text>
      )}
    </div>
  );
}
