import { Box, SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';
import { status } from '../../stores/service.ts';
import { Copyable } from './copyable.tsx';
import { arduinoSnippet } from './snippets/arduino-snippet.ts';
import { mosquittoSnippet } from './snippets/mosquitto-snippet.ts';
import { doorForDevices, doorForPrograms, isOfThisMachine } from './snippets/mqtt-door.ts';
import { pythonSnippet } from './snippets/python-snippet.ts';
import type { DeviceLogin } from './snippets/reading.ts';

const SNIPPETS = {
  mosquitto_pub: { doorOf: doorForPrograms, write: mosquittoSnippet, onNetwork: false },
  Python: { doorOf: doorForPrograms, write: pythonSnippet, onNetwork: false },
  Arduino: { doorOf: doorForDevices, write: arduinoSnippet, onNetwork: true },
};
const NAMES = Object.keys(SNIPPETS) as (keyof typeof SNIPPETS)[];

/** Text that stores a first reading over MQTT, in the language of one's choice. Nothing where no door is open. */
export function MqttSnippets({ login }: { readonly login: DeviceLogin }) {
  status.useWatch('service');
  const { value } = status.useValue('service');
  const [name, setName] = useState(NAMES[0]!);
  if (!value || (value.mqtt_url === null && value.mqtts_url === null)) return null;
  const { doorOf, write, onNetwork } = SNIPPETS[name];
  const door = doorOf(value);
  return (
    <Box>
      <SegmentedControl
        mb="sm"
        aria-label="Store a first reading with"
        value={name}
        onChange={setName}
        data={NAMES}
      />
      {door === null && (
        <Text size="sm" c="dimmed">
          Only the door over TLS is open, and where the certificate authority to trust lies is told to the
          owner of this installation alone.
        </Text>
      )}
      {door !== null && onNetwork && isOfThisMachine(door) && (
        <Text size="sm" mb="sm">
          Only this machine reaches {door.host}. For devices on the network, start the service with{' '}
          <code className="mono" style={{ whiteSpace: 'nowrap' }}>
            --host 0.0.0.0 --mqtts-port 8883
          </code>{' '}
          and take the sketch that is shown here then.
        </Text>
      )}
      {door !== null && <Copyable label="Store a first reading" value={write(door, login)} block />}
    </Box>
  );
}
