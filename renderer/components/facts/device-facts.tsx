import { Alert } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import type { Source } from '#shared/schema/schemas.ts';
import { Copyable } from './copyable.tsx';
import { HttpFacts } from './http-facts.tsx';
import { MqttFacts } from './mqtt-facts.tsx';
import type { DeviceLogin } from './snippets/reading.ts';

interface DeviceFactsProps {
  readonly source: Source;
  /** Its token is empty where it cannot be read any more. */
  readonly login: DeviceLogin;
  /** Shows dots instead of the token until asked. */
  readonly secret?: boolean;
}

/** What a device is told so that it can store data. */
export function DeviceFacts({ source, login, secret = false }: DeviceFactsProps) {
  const { device_id, device_token } = login;
  const isMqtt = source === 'mqtt';
  return (
    <>
      <Copyable label={isMqtt ? 'Device id: MQTT user name and topic' : 'Device id'} value={device_id} />
      {device_token === '' ? (
        <Alert icon={<IconInfoCircle size={18} />} variant="light" title="The token cannot be shown">
          It is no longer where secrets are kept. The device can go on storing data with it; to read a token
          here again, renew it and give the new one to the device.
        </Alert>
      ) : (
        <Copyable
          label={isMqtt ? 'Device token: MQTT password' : 'Device token'}
          value={device_token}
          secret={secret}
        />
      )}
      {isMqtt ? <MqttFacts /> : <HttpFacts />}
    </>
  );
}
