import type { Urls } from '../../api/context.ts';

/** Returns the MQTT addresses as rows of a name and an address, or why there are none. */
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
