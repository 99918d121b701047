import type { Urls } from '../../api/context.ts';

/** Where the service speaks MQTT, as rows of a name and an address, or why it does not. */
export function mqttRows({
  mqtt_url,
  mqtts_url,
  mqtt_websocket_urls,
  mqtt_shut,
}: Pick<Urls, 'mqtt_url' | 'mqtts_url' | 'mqtt_websocket_urls' | 'mqtt_shut'>): [
  name: string,
  value: string,
][] {
  return [
    ['MQTT', mqtt_url ?? `shut. ${mqtt_shut ?? ''}`],
    ...(mqtts_url === null ? [] : [['MQTT, TLS', mqtts_url] as [string, string]]),
    ...mqtt_websocket_urls.map((url): [string, string] => ['MQTT, web', url]),
  ];
}
