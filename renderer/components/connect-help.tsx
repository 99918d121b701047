import { Text } from '@mantine/core';
import type { Source } from '#shared/schemas.ts';
import { status } from '../stores/service.ts';
import { Copyable } from './copyable.tsx';
import { curlSnippet } from './curl-snippet.ts';

interface ConnectHelpProps {
  /** Absent where it is not known: /v2 never returns a device's source. */
  readonly source?: Source;
  readonly device_token: string;
}

/** How to store a first reading: a command that runs as pasted. */
export function ConnectHelp({ source, device_token }: ConnectHelpProps) {
  status.useWatch('service');
  const { value } = status.useValue('service');
  if (source === 'mqtt')
    return (
      <Text size="sm" c="dimmed">
        Over MQTT the device id is both user name and topic, and the token is the password. This version has
        no MQTT door yet; until then, drop recordings on the device’s page.
      </Text>
    );
  if (!value) return null;
  return <Copyable label="Store a first reading" value={curlSnippet(value, device_token)} block />;
}
