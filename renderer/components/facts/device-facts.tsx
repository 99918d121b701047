import { Alert } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { SOURCE_WORDS, type Source } from '#shared/domain/sources.ts';
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

const DOOR_FACTS: Readonly<Record<Source, () => ReactNode>> = { http: HttpFacts, mqtt: MqttFacts };

/** Credentials and addresses for a device to store data. */
export function DeviceFacts({ source, login, secret = false }: DeviceFactsProps) {
  const { device_id, device_token } = login;
  const words = SOURCE_WORDS[source];
  const DoorFacts = DOOR_FACTS[source];
  return (
    <>
      <Copyable label={words.id} value={device_id} />
      {device_token === '' ? (
        <Alert icon={<IconInfoCircle size={18} />} variant="light" title="The token cannot be shown">
          It is no longer where secrets are kept. The device can go on storing data with it; to read a token
          here again, renew it and give the new one to the device.
        </Alert>
      ) : (
        <Copyable label={words.token} value={device_token} secret={secret} />
      )}
      <DoorFacts />
    </>
  );
}
