import type { Source } from '#shared/schemas.ts';
import { status } from '../../stores/service.ts';
import { Copyable } from './copyable.tsx';
import { MqttSnippets } from './mqtt-snippets.tsx';
import { curlSnippet } from './snippets/curl-snippet.ts';
import type { DeviceLogin } from './snippets/reading.ts';

interface ConnectHelpProps {
  readonly source: Source;
  readonly login: DeviceLogin;
}

/** How to store a first reading: text that does it when it is run as pasted. It has the token in it. */
export function ConnectHelp({ source, login }: ConnectHelpProps) {
  return source === 'mqtt' ? <MqttSnippets login={login} /> : <Command {...login} />;
}

function Command({ device_token }: DeviceLogin) {
  status.useWatch('service');
  const { value } = status.useValue('service');
  return value && <Copyable label="Store a first reading" value={curlSnippet(value, device_token)} block />;
}

/** Whether there is anything that stores a reading as pasted: over MQTT, where one of its doors is open. */
export function useSnippets(source: Source): boolean {
  status.useWatch('service');
  const { value } = status.useValue('service');
  return value !== null && (source === 'http' || value.mqtt_url !== null || value.mqtts_url !== null);
}
