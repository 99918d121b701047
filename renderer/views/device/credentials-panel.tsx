import { Alert, Box, Button, Paper, Stack, Text } from '@mantine/core';
import { IconInfoCircle, IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { ConnectHelp } from '../../components/facts/connect-help.tsx';
import { Copyable } from '../../components/facts/copyable.tsx';
import type { DeviceDetail } from '../../stores/devices.ts';
import { openDialog } from '../../stores/dialog.ts';

interface CredentialsPanelProps {
  readonly project_id: string;
  readonly detail: DeviceDetail;
}

/** What the device identifies itself with: hidden until asked, because screens are seen by others. */
export function CredentialsPanel({ project_id, detail: { device, summary } }: CredentialsPanelProps) {
  const { device_id, device_token } = device.device_credentials;
  const isMqtt = summary.source === 'mqtt';
  const [withSnippet, setWithSnippet] = useState(false);
  return (
    <Paper withBorder p="lg" maw={820}>
      <Stack gap="md">
        <Copyable label={isMqtt ? 'Device id: MQTT user name and topic' : 'Device id'} value={device_id} />
        {device_token ? (
          <Copyable
            label={isMqtt ? 'Device token: MQTT password' : 'Device token'}
            value={device_token}
            secret
          />
        ) : (
          <Alert icon={<IconInfoCircle size={18} />} variant="light" title="The token cannot be shown">
            It is no longer where secrets are kept. The device can go on storing data with it; to read a token
            here again, renew it and give the new one to the device.
          </Alert>
        )}
        {(isMqtt || (device_token && withSnippet)) && (
          <ConnectHelp source={summary.source} device_token={device_token} />
        )}
        <Box>
          {device_token && !isMqtt && !withSnippet && (
            <Button variant="default" mr="xs" onClick={() => setWithSnippet(true)}>
              Show a command that stores a reading
            </Button>
          )}
          <Button
            variant="default"
            leftSection={<IconRefresh size={16} />}
            onClick={() => openDialog({ kind: 'renew-token', project_id, device })}
          >
            Renew token…
          </Button>
          <Text size="sm" c="dimmed" mt="xs">
            A token only stores data of this device; reading needs an API key.
          </Text>
        </Box>
      </Stack>
    </Paper>
  );
}
