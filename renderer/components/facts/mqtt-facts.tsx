import { Alert, Text } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { status } from '../../stores/service.ts';
import { Copyable } from './copyable.tsx';
import { networkUrl } from './snippets/mqtt-door.ts';

/** MQTT addresses for devices, and the form of messages; the reason, where no door is open. */
export function MqttFacts() {
  status.useWatch('service');
  const { value } = status.useValue('service');
  if (!value) return null;
  const { mqtt_url, mqtt_shut } = value;
  const mqtts_url = networkUrl(value);
  if (mqtt_url === null && mqtts_url === null)
    return (
      <Alert
        color="yellow"
        variant="light"
        icon={<IconInfoCircle size={18} />}
        title="The service takes no MQTT now"
      >
        {mqtt_shut} Until it does, import the recordings of the device on its page.
      </Alert>
    );
  return (
    <>
      {mqtt_url !== null && <Copyable label="Address, on this machine only" value={mqtt_url} />}
      {mqtts_url !== null && <Copyable label="Address, over TLS" value={mqtts_url} />}
      <Text size="sm" c="dimmed">
        A message is a JSON object, or an array of several. Any client id will do, such as the device id; a
        second connection with the same one ends the first.
      </Text>
      <Text size="sm" c="dimmed">
        Over MQTT 3.1.1 a device is not told that a message was refused; over MQTT 5 it is. Either way the
        last requests on its page say why.
      </Text>
    </>
  );
}
