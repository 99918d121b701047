import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconQrcode, IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { May } from '../../../components/work/may.tsx';
import { ConnectHelp } from '../../../components/facts/connect-help.tsx';
import { DeviceFacts } from '../../../components/facts/device-facts.tsx';
import { QrCode } from './qr-code.tsx';
import type { DeviceDetail } from '../../../stores/devices.ts';
import { openDialog } from '../../../stores/dialog.ts';
import classes from './connect-panel.module.css';
import { LastRequests } from './last-requests.tsx';
import { Listening } from './listening.tsx';
import { NetworkNote } from './network-note.tsx';
import { SendMessage } from './send-message.tsx';
import { SendsBytes } from './sends-bytes.tsx';

interface ConnectPanelProps {
  readonly project_id: string;
  readonly detail: DeviceDetail;
  /** Whether only what was refused is listed. */
  readonly refused: boolean;
}

/** Panel with the credentials of a device, its latest requests, and refusals. */
export function ConnectPanel({ project_id, detail, refused }: ConnectPanelProps) {
  const { device, summary } = detail;
  const { source } = summary;
  const login = device.device_credentials;
  const [isCodeShown, setIsCodeShown] = useState(false);
  const hasToken = login.device_token !== '';
  return (
    <div className={classes['panel']}>
      <Listening device_id={device.id} records={summary.records} hasToken={hasToken} />
      <div className={classes['parts']}>
        <Paper withBorder p="md" component="section" aria-labelledby="connect-facts">
          <Stack gap="sm">
            <Title order={2} size="h5" id="connect-facts">
              What the device needs
            </Title>
            <DeviceFacts source={source} login={login} secret />
            <NetworkNote source={source} />
            <Group gap="xs">
              {hasToken && (
                <Button
                  variant="default"
                  leftSection={<IconQrcode size={16} />}
                  aria-expanded={isCodeShown}
                  onClick={() => setIsCodeShown(!isCodeShown)}
                >
                  {isCodeShown ? 'Hide QR code' : 'Show QR code'}
                </Button>
              )}
              <May to="devices.renew-token">
                <Button
                  variant="default"
                  leftSection={<IconRefresh size={16} />}
                  onClick={() => openDialog({ kind: 'renew-token', project_id, device })}
                >
                  Renew token…
                </Button>
              </May>
            </Group>
            {isCodeShown && hasToken && <QrCode source={source} login={login} name={device.name} />}
            <Text size="sm" c="dimmed">
              A token only stores data of this device; reading needs an API key.
            </Text>
          </Stack>
        </Paper>
        <div className={classes['beside']}>
          <SendsBytes project_id={project_id} device_id={device.id} />
          {hasToken && (
            <Paper withBorder p="md" component="section" aria-labelledby="connect-code">
              <Stack gap="sm">
                <Title order={2} size="h5" id="connect-code">
                  Code to begin with
                </Title>
                <ConnectHelp source={source} login={login} secret />
              </Stack>
            </Paper>
          )}
          {hasToken && (
            <May to="requests.send">
              <Paper withBorder p="md" component="section" aria-labelledby="connect-send">
                <SendMessage project_id={project_id} device_id={device.id} source={source} />
              </Paper>
            </May>
          )}
          <LastRequests project_id={project_id} device_id={device.id} refused={refused} />
        </div>
      </div>
    </div>
  );
}
