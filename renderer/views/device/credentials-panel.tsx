import { Box, Button, Paper, Stack, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { ConnectHelp, useSnippets } from '../../components/facts/connect-help.tsx';
import { DeviceFacts } from '../../components/facts/device-facts.tsx';
import type { DeviceDetail } from '../../stores/devices.ts';
import { openDialog } from '../../stores/dialog.ts';

interface CredentialsPanelProps {
  readonly project_id: string;
  readonly detail: DeviceDetail;
}

/** What the device identifies itself with: hidden until asked, because screens are seen by others. */
export function CredentialsPanel({ project_id, detail: { device, summary } }: CredentialsPanelProps) {
  const { source } = summary;
  const login = device.device_credentials;
  const [asked, setAsked] = useState(false);
  const hasSnippets = useSnippets(source) && login.device_token !== '';
  return (
    <Paper withBorder p="lg" maw={820}>
      <Stack gap="md">
        <DeviceFacts source={source} login={login} secret />
        <Box>
          {hasSnippets && (
            <Button variant="default" mr="xs" aria-expanded={asked} onClick={() => setAsked(!asked)}>
              {asked ? 'Hide' : 'Show'} {source === 'mqtt' ? 'code' : 'a command'} that stores a reading
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
        {hasSnippets && asked && <ConnectHelp source={source} login={login} />}
      </Stack>
    </Paper>
  );
}
