import { Alert, Stack, Text } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import type { Source } from '#shared/schemas.ts';
import { status } from '../../stores/service.ts';
import { Copyable } from './copyable.tsx';
import { curlSnippet } from './curl-snippet.ts';

interface ConnectHelpProps {
  readonly source: Source;
  readonly device_token: string;
}

/** How to store a first reading: over HTTP a command that runs as pasted, over MQTT what the device is to be told. */
export function ConnectHelp({ source, device_token }: ConnectHelpProps) {
  if (source === 'http') return <Command device_token={device_token} />;
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        Over MQTT the device id is the user name and the topic, the device token the password. A reading is
        one JSON object, such as <code className="mono">{'{"temperature": 21.5}'}</code>.
      </Text>
      <Alert color="yellow" variant="light" icon={<IconInfoCircle size={18} />} p="sm">
        <Text size="sm">
          This version does not speak MQTT yet, and refuses this device over HTTP (403), since it was made for
          MQTT. Until then, import its recordings on its page, or make a device with the source HTTP.
        </Text>
      </Alert>
    </Stack>
  );
}

function Command({ device_token }: Pick<ConnectHelpProps, 'device_token'>) {
  status.useWatch('service');
  const { value } = status.useValue('service');
  return value && <Copyable label="Store a first reading" value={curlSnippet(value, device_token)} block />;
}
