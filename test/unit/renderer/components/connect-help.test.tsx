import { MantineProvider } from '@mantine/core';
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeEach, expect, test, vi } from 'vitest';
import { ConnectHelp } from '../../../../renderer/components/facts/connect-help.tsx';
import { DeviceFacts } from '../../../../renderer/components/facts/device-facts.tsx';

const OPEN = {
  base_url: 'https://127.0.0.1:7443',
  http_url: 'http://127.0.0.1:7480',
  mqtt_url: 'mqtt://127.0.0.1:1883' as string | null,
  mqtts_url: null,
  network_hosts: [],
  mqtt_shut: null as string | null,
  ca_file: '/rig/ca.pem',
  ca_certificate: 'PEM',
};
const shown = vi.hoisted(() => ({ value: null as unknown }));
vi.mock('../../../../renderer/stores/service.ts', () => ({
  status: { useWatch: () => {}, useValue: () => shown },
}));

beforeEach(() => {
  shown.value = OPEN;
});

/** The text of a device's facts and of how to store a reading. */
function text(source: 'http' | 'mqtt'): string {
  const login = { device_id: 'boiler', device_token: 'secret' };
  const markup = renderToStaticMarkup(
    <MantineProvider>
      <DeviceFacts source={source} login={login} />
      <ConnectHelp source={source} login={login} />
    </MantineProvider>,
  );
  return markup.replaceAll(/<style.*?<\/style>|<[^>]+>/gs, ' ');
}

test('a device of HTTP is told a command of HTTP, and nothing of MQTT', () => {
  expect(text('http')).toContain('curl');
  expect(text('http')).not.toMatch(/mqtt/i);
});

test('a device of MQTT is told its address, user name, topic and password, and a command', () => {
  const facts = text('mqtt');
  for (const fact of ['MQTT user name and topic', 'MQTT password', 'mqtt://127.0.0.1:1883', 'client id'])
    expect(facts).toContain(fact);
  expect(facts).toContain('mosquitto_pub -h');
  expect(facts).not.toContain('curl');
});

test('where no door is open, it is told why and what to do, and no command that cannot work', () => {
  shown.value = { ...OPEN, mqtt_url: null, mqtt_shut: 'Port 1883 is in use.' };
  expect(text('mqtt')).toContain('Port 1883 is in use. Until it does, import the recordings');
  expect(text('mqtt')).not.toContain('mosquitto_pub');
});
